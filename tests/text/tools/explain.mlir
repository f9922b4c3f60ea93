// shardrun prints explanations before the summary of the plan; a program without a mesh has none.
// RUN: shardrun -q --run=false --explain=%0 %s && sed -e /^sdy/d -e 's,{sdy.*} ,,' %s | shardrun -q --run=false --explain=%0 -
// EXIT: 2

sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
