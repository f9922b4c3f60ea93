// A long reduction to a scalar is split in two; the first has a parallel loop and is fused with its producer.
// Short reductions are not split. Those of bf16, whose partial results would be rounded, are divided after fusion, in f32.
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse -cse
module {
  func.func @rows(%x: tensor<512x4096xf32>) -> (tensor<512x4096xf32>, tensor<f32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %t = stablehlo.tanh %x : tensor<512x4096xf32>
    %sum = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x4096xf32>, tensor<f32>) -> tensor<f32>
    return %t, %sum : tensor<512x4096xf32>, tensor<f32>
  }
  func.func @short_last(%x: tensor<64x32x8x40xi32>, %low: tensor<i32>) -> tensor<i32> {
    %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0, 1, 2, 3] : (tensor<64x32x8x40xi32>, tensor<i32>) -> tensor<i32>
    return %max : tensor<i32>
  }
  func.func @left(%x: tensor<100x512xf32>, %y: tensor<4096x16xf32>, %z: tensor<512x4096xbf16>, %f: tensor<f32>, %b: tensor<bf16>)
      -> (tensor<f32>, tensor<f32>, tensor<bf16>) {
    %0 = stablehlo.reduce(%x init: %f) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<100x512xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.reduce(%y init: %f) applies stablehlo.add across dimensions = [0, 1] : (tensor<4096x16xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.reduce(%z init: %b) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x4096xbf16>, tensor<bf16>) -> tensor<bf16>
    return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<bf16>
  }
}
