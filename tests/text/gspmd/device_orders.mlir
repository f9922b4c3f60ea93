// If no single device order can express all shardings, there is a mesh for each order.
// RUN: shardopt %s -shardrun-import-gspmd
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,2]0,1,3,2}"}, %arg1: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}, %arg2: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,1]0,1,3,2}"}) {
  return
}
