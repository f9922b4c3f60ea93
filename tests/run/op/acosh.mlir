// chlo.acosh gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=1.83 2.03 2.73 2.08 2.8 2.68 2.79 2.38 2.15 1.34 1.68 2.08 1.19 1.95 2.35 1.45 1.91 1.48 1.85 1.37 1.13 2.39 1.39 1.32 2.2 2.62 1.24 2.31 1.67 1.96" --expected-output="6x5xf32=1.212718 1.334108 1.662079 1.361961 1.689235 1.642184 1.685404 1.512866 1.399528 0.802882 1.10855 1.361961 0.6070762 1.287597 1.498868 0.9162908 1.263363 0.9443161 1.225667 0.8357006 0.5045335 1.517484 0.8567331 0.7800707 1.425417 1.617734 0.6796628 1.47986 1.101108 1.29355" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>) {
  %r0 = chlo.acosh %a : tensor<6x5xf32> -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
