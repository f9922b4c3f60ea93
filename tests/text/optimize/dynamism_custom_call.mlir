// Shape operands of a custom call with static results are removed, with their layouts.
// RUN: shardopt %s --stablehlo-canonicalize-dynamism

func.func @main(%x: tensor<4xf32>) -> tensor<1x2xf32> {
  %shape = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.custom_call @f(%shape, %x) {indices_of_shape_operands = dense<0> : tensor<1xi64>, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2xi64>, tensor<4xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
