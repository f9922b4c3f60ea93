// Two shardings that split the devices at unaligned positions are both sub-axes of one axis.
// RUN: shardopt %s -shardrun-import-gspmd
func.func @main(%arg0: tensor<6x6xf32> {mhlo.sharding = "{devices=[2,3]<=[6]}"}, %arg1: tensor<6x6xf32> {mhlo.sharding = "{devices=[3,2]<=[6]}"}) {
  return
}
