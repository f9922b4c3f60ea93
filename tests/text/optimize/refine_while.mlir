// A loop's operands refine its arguments, body and results.
// RUN: shardopt %s --stablehlo-refine-shapes

func.func @main(%x: tensor<4xf32>) -> tensor<?xf32> {
  %go = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<?xf32>
  %1:2 = stablehlo.while(%going = %go, %v = %0) : tensor<i1>, tensor<?xf32>
   cond {
    stablehlo.return %going : tensor<i1>
  } do {
    %2 = stablehlo.negate %v : tensor<?xf32>
    %3 = stablehlo.not %going : tensor<i1>
    stablehlo.return %3, %2 : tensor<i1>, tensor<?xf32>
  }
  return %1#1 : tensor<?xf32>
}
