// sdy-manual-axes-cleanup sorts manual axes and adds unused ones to the replicated axes.
// RUN: shardopt %s -sdy-manual-axes-cleanup
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"y", "x"} (%b: tensor<4xf32>) {
    sdy.return %b : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
