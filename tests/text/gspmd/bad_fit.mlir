// Shardings that do not match their value, the number of devices or the local shape are errors.
// RUN: shardopt %s -shardrun-import-gspmd -split-input-file
// EXIT: 1
func.func @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %arg1: tensor<8x8xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) {
  return
}
// -----
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{maximal device=4}"}) {
    return
  }
}
// -----
func.func @main(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<f32>) {
  %0:2 = stablehlo.custom_call @f(%arg0) {mhlo.sharding = "{{devices=[2,2]<=[4]}}"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<8x8xf32>, tensor<f32>
}
// -----
func.func @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
// -----
func.func @main(%arg0: tensor<8x8xf32>) -> tensor<2x8xf32> {
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8x8xf32>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}
