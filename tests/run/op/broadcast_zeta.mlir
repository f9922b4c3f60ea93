// chlo.broadcast_zeta gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=3.55 3.94 1.71 3.71 2.74 1.97 2.2 3.53 3.93 1.53 2.35 1.55 2.99 1.73 2.74 3.68 2.4 1.85 2.97 3.14 1.72 3 3.5 2.39 1.67 3.75 2.02 2.06 3.9 3.59" --input="5xf32=0.87 1.58 2.47 2.21 2.57" --expected-output="6x5xf32=1.7887 0.2006873 0.8596955 0.0762328 0.1552895 2.047472 0.7034886 0.06527533 0.06161836 1.27352 1.842874 1.698041 0.1230318 0.9106871 0.1552895 1.803894 0.5822127 0.6507502 0.1638914 0.0928096 2.351057 0.3631538 0.06752782 0.3270209 0.9073017 1.813018 0.8528478 0.4498599 0.06341392 0.05408283" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_zeta %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
