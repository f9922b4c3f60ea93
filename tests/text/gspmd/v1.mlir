// Device lists (V1) give the same meshes and shardings as equivalent iota forms (V2).
// RUN: shardopt %s -shardrun-import-gspmd -split-input-file
func.func @main(%arg0: tensor<16x8xf32> {mhlo.sharding = "{devices=[4,2]0,4,1,5,2,6,3,7}"}, %arg1: tensor<16x8xf32> {mhlo.sharding = "{devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}"}) {
  return
}
// -----
func.func @main(%arg0: tensor<16x8xf32> {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"}, %arg1: tensor<16x8xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}) {
  return
}
