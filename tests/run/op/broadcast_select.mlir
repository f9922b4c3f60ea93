// chlo.broadcast_select gives the expected values for operands of different ranks
// RUN: shardrun --interpret %s --input="6x5xi1=1 0 0 1 0 1 1 1 1 1 1 1 1 0 0 1 0 0 0 0 1 0 1 1 1 1 0 1 0 0" --input="6x5xf32=0.42 0.06 0.04 -0.51 0.75 0.84 0.8 -1.29 -0.46 0.98 0.79 -0.53 -1.69 1.47 -0.2 0.55 0.59 1.22 0.11 -0.83 1.23 -1.81 1.49 -1.87 -1.84 0.91 1.96 -0.1 1.8 1.15" --input="f32=-0.98" --expected-output="6x5xf32=0.42 -0.98 -0.98 -0.51 -0.98 0.84 0.8 -1.29 -0.46 0.98 0.79 -0.53 -1.69 -0.98 -0.98 0.55 -0.98 -0.98 -0.98 -0.98 1.23 -0.98 1.49 -1.87 -1.84 0.91 -0.98 -0.1 -0.98 -0.98" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<f32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_select %a, %b, %c : (tensor<6x5xi1>, tensor<6x5xf32>, tensor<f32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
