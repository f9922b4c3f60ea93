// A manual computation may use a partial sum along its manual axes and return it as reduced, if the pipeline's option trusts manual computations.
// RUN: shardopt %s "-sdy-verify-unreduced-axes=trust-manual-axes=true" && shardopt %s -sdy-verify-unreduced-axes
// EXIT: 1
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}], unreduced={"x"}>] out_shardings=[<@mesh, [{}]>] manual_axes={"x"} (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
