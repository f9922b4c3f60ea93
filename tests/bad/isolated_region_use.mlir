// A value from outside that is used in an isolated region is an error at the use.
// RUN: shardopt %s
// EXIT: 1
sdy.mesh @mesh = <["a"=2]>
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={} (%b: tensor<4xf32>) {
    %1 = stablehlo.add %a, %b : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
