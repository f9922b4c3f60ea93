// chlo.broadcast_power gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=1.44 1.68 2.69 2.38 2.28 0.53 0.25 1.8 1.55 1.52 1.03 1.97 2.82 2.82 0.32 1.48 0.26 2.71 0.54 1.63 2.68 0.77 0.84 2.88 2.14 2.27 0.92 2.19 2.78 2.64" --input="5xf32=0.34 -0.5 -0.37 0.55 -0.21" --expected-output="6x5xf32=1.131992 0.7715167 0.6934125 1.611081 0.841073 0.8058492 2 0.8045428 1.272572 0.9158257 1.010101 0.7124705 0.6814089 1.76863 1.270336 1.142586 1.961161 0.6915146 0.712552 0.9024863 1.398189 1.139606 1.066637 1.789229 0.8523405 1.321444 1.042572 0.7482309 1.754788 0.8155736" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_power %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
