// The branches' types refine the results of a case.
// RUN: shardopt %s --stablehlo-refine-shapes

func.func @main(%i: tensor<i32>, %x: tensor<4xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }, {
    %1 = stablehlo.negate %x : (tensor<4xf32>) -> tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
