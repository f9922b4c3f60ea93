// If one device order can express all shardings, the mesh has this order.
// RUN: shardopt %s -shardrun-import-gspmd
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]0,1,3,2,4,5,7,6}"}, %arg1: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,2]0,4,1,5,3,7,2,6}"}, %arg2: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}"}) {
  return
}
