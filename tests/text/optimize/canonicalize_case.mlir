// A case with a constant index is replaced by the selected branch; an index out of range selects the last one.
// RUN: shardopt %s -canonicalize
func.func @main(%arg0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.case"(%c) ({
    stablehlo.return %arg0 : tensor<f32>
  }, {
    %a = stablehlo.sine %arg0 : tensor<f32>
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %d = stablehlo.constant dense<-7> : tensor<i32>
  %1 = "stablehlo.case"(%d) ({
    stablehlo.return %arg0 : tensor<f32>
  }, {
    %a = stablehlo.cosine %arg0 : tensor<f32>
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
