// A real_dynamic_slice of constant size becomes a dynamic_slice, whose starts are sliced from the vector of starts, also from one of one element.
// RUN: shardopt %s --stablehlo-canonicalize-dynamism

func.func @main(%x: tensor<8x4xf32>, %start: tensor<2xi32>) -> tensor<3x4xf32> {
  %sizes = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %limit = stablehlo.add %start, %sizes : tensor<2xi32>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %ones {here = "kept"} : (tensor<8x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
func.func @vector(%x: tensor<8xf32>, %start: tensor<1xi64>) -> tensor<3xf32> {
  %size = stablehlo.constant dense<3> : tensor<1xi64>
  %one = stablehlo.constant dense<1> : tensor<1xi64>
  %limit = stablehlo.add %start, %size : tensor<1xi64>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %one : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
