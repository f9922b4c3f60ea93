// A custom call @mhlo.NAME that lacks what the op NAME requires is not converted, and refused as an unknown target.
// RUN: shardrun --run=false %s
// EXIT: 4
func.func @main(%x: tensor<8x8xf32>) -> (tensor<8x4xf32>, tensor<8x4xi32>) {
  %t:2 = stablehlo.custom_call @mhlo.topk(%x) : (tensor<8x8xf32>) -> (tensor<8x4xf32>, tensor<8x4xi32>)
  return %t#0, %t#1 : tensor<8x4xf32>, tensor<8x4xi32>
}
