// The generic form separates inherent attributes, and numbers values across the module, an op's last region first.
// RUN: shardopt %s -mlir-print-op-generic
module @m attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4xf32> {
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = call @g(%0) {mhlo.attr = "v"} : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @g(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.slice %arg0 [0:4:2] {note} : (tensor<4xf32>) -> tensor<2xf32>
    %1 = stablehlo.concatenate %0, %0, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
