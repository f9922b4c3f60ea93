// A value on a single device becomes replicated if its function returns it, since results of functions cannot be on a single device.
// RUN: shardopt %s -shardrun-import-gspmd && shardrun -q %s --devices-per-rank=all --input="4xf32=1 2 3 4" --output=-
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func public @main(%arg0: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
    %0 = call @square(%arg0) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = call @square(%0) {mhlo.sharding = "{maximal device=1}"} : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.negate %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func private @square(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %arg0, %arg0 {mhlo.sharding = "{maximal device=1}"} : tensor<4xf32>
    %1 = stablehlo.multiply %0, %arg0 {mhlo.sharding = "{maximal device=1}"} : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
