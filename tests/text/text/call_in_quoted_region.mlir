// A call inside a region of an op in generic form keeps its dialect prefix.
// RUN: shardopt %s
func.func private @g(tensor<f32>, tensor<i32>) -> tensor<f32>
func.func @f(%a: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = func.call @g(%a, %i) : (tensor<f32>, tensor<i32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}
