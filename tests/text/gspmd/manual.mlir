// Ops between SPMDFullToShardShape and SPMDShardToFullShape become a manual computation; constants are cloned into it.
// RUN: shardopt %s -shardrun-import-gspmd
module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x16xf32>, %arg1: tensor<16x24xf32> {mhlo.sharding = "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}"}) -> (tensor<32x24xf32>, tensor<f32>) {
    %cst = stablehlo.constant dense<2.0> : tensor<f32>
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<32x16xf32>) -> tensor<8x16xf32>
    %2 = stablehlo.custom_call @SPMDFullToShardShape(%arg1) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<16x24xf32>) -> tensor<16x12xf32>
    %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x12xf32>) -> tensor<8x12xf32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<8x12xf32>
    %6 = stablehlo.custom_call @Sharding(%5) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<8x12xf32>) -> tensor<8x12xf32>
    %7 = stablehlo.custom_call @SPMDShardToFullShape(%6) {backend_config = "", mhlo.sharding = "{devices=[4,2]<=[8]}"} : (tensor<8x12xf32>) -> tensor<32x24xf32>
    return %7, %cst : tensor<32x24xf32>, tensor<f32>
  }
}
