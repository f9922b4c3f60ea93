// Shard groups, unreduced values, single devices, unknown shardings and tuples of shardings are imported.
// RUN: shardopt %s -shardrun-import-gspmd
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32> {mhlo.sharding = "{unknown}"}, %arg1: tensor<8x8xf32> {mhlo.sharding = "{maximal device=3}"}, %arg2: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dims={unreduced}}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{unreduced}"}, tensor<8x8xf32>) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{unknown shard_as 3}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = stablehlo.custom_call @Sharding(%arg1) {backend_config = "", mhlo.sharding = "{devices=[4,1]<=[4] shard_like 3}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2:2 = stablehlo.custom_call @f(%0) {mhlo.sharding = "{{devices=[2,2]<=[4]}, {replicated}}"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<f32>)
    %3:2 = stablehlo.custom_call @f(%0) {mhlo.sharding = "{maximal device=3}"} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<f32>)
    return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
  }
}
