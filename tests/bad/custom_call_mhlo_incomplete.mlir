// a custom call @mhlo.NAME without what the op NAME needs is not converted
// RUN: shardrun --run=false %s
// EXIT: 4
func.func @main(%x: tensor<8x8xf32>) -> (tensor<8x4xf32>, tensor<8x4xi32>) {
  %t:2 = stablehlo.custom_call @mhlo.topk(%x) : (tensor<8x8xf32>) -> (tensor<8x4xf32>, tensor<8x4xi32>)
  return %t#0, %t#1 : tensor<8x4xf32>, tensor<8x4xi32>
}
