// Bytes that are not a serialized sharding, or a truncated one, are errors.
// RUN: shardopt %s -shardrun-import-gspmd -split-input-file
// EXIT: 1
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "replicated"}) {
  return
}
// -----
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "\08\03\1A\02\04\02\22\08\00\04\01"}) {
  return
}
// -----
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "\08\03\1A\02\04\02\22\02\00\04"}) {
  return
}
