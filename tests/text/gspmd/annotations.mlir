// Shardings of arguments, results and ops, and constraints with open dimensions, are imported on the smallest mesh that can express all of them.
// RUN: shardopt %s -shardrun-import-gspmd
module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32> {mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"}, %arg1: tensor<16x8xf32> {mhlo.sharding = "{replicated}"}, %arg2: tensor<f32>) -> (tensor<16x8xf32> {mhlo.sharding = "{devices=[2,4]<=[4,2]T(1,0)}"}, tensor<16x8xf32>) {
    %0 = stablehlo.add %arg0, %arg1 {mhlo.sharding = "{devices=[8,1]<=[8] metadata={op_name=\22a\22}}"} : tensor<16x8xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "", mhlo.sharding = "{devices=[4,2]<=[8]}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %2 = stablehlo.custom_call @Sharding(%1) {backend_config = "unspecified_dims=[0]", mhlo.sharding = "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{replicated}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    return %1, %3 : tensor<16x8xf32>, tensor<16x8xf32>
  }
}
