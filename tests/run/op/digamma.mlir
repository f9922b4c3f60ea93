// chlo.digamma gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=1.76 3.06 0.81 0.55 2.89 2.96 1.52 2.54 3.93 0.6 2.19 0.75 1.88 3.92 3.24 3.86 3.24 1.76 0.61 2.28 0.89 2.4 3.74 0.65 2.6 2.49 1.7 1.26 1.67 1.67" --expected-output="6x5xf32=0.2550859 0.9462072 -0.942233 -1.73596 0.8783822 0.9068629 0.0550223 0.7225845 1.236052 -1.540619 0.5385481 -1.085861 0.3423327 1.233152 1.013387 1.215577 1.013387 0.2550859 -1.504748 0.5891315 -0.774314 0.6529015 1.17948 -1.370349 0.7510477 0.6982414 0.2085479 -0.2155459 0.1844752 0.1844752" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>) {
  %r0 = chlo.digamma %a : tensor<6x5xf32> -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
