// GSPMD shardings of arguments and results that do not divide their dimensions evenly stay as they are: 10 columns over 8 devices are shards of 2
// RUN: shardopt %s -shardrun-import-gspmd -sdy-propagation-pipeline
func.func public @main(%arg0: tensor<3x10xf32> {mhlo.sharding = "{devices=[1,8]<=[8]}"}, %arg1: tensor<3x10xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<3x10xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}, tensor<3x10xf32>) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<3x10xf32>
  return %0, %0 : tensor<3x10xf32>, tensor<3x10xf32>
}
