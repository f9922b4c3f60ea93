// Messages for malformed shardings state the error and its position.
// RUN: shardopt %s -shardrun-import-gspmd -split-input-file
// EXIT: 1
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,2]<=[8"}) {
  return
}
// -----
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,2]0,1,2,2}"}) {
  return
}
// -----
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[2,2]T(0,1)}"}) {
  return
}
// -----
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[2,4]T(1,1)}"}) {
  return
}
// -----
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{replicated maximal device=1}"}) {
  return
}
// -----
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[4611686018427387904,4]<=[8]}"}) {
  return
}
// -----
func.func @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.negate %arg0 {mhlo.sharding = "{sharded}"} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
