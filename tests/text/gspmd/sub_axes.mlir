// where two shardings cut the devices in places that do not divide each other, both are sub-axes of one axis
// RUN: shardopt %s -shardrun-import-gspmd
func.func @main(%arg0: tensor<6x6xf32> {mhlo.sharding = "{devices=[2,3]<=[6]}"}, %arg1: tensor<6x6xf32> {mhlo.sharding = "{devices=[3,2]<=[6]}"}) {
  return
}
