// --explain follows an axis out of a manual computation, and an axis that a reshape splits.
// RUN: shardopt %s -sdy-propagation-pipeline --explain=%2

sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%arg0: tensor<16x8xf32>) -> tensor<2x8x8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x", "y", ?}, {?}]>] manual_axes={"x"} (%arg1: tensor<8x8xf32>) {
    %3 = stablehlo.negate %arg1 : tensor<8x8xf32>
    sdy.return %3 : tensor<8x8xf32>
  } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %1 = stablehlo.add %0, %arg0 : tensor<16x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<16x8xf32>) -> tensor<2x8x8xf32>
  return %2 : tensor<2x8x8xf32>
}
