// stablehlo.sqrt gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=1.2 2.04 1.18 1.93 0.44 0.57 1.03 1.47 0.67 2.97 1.62 0.94 2.68 2.78 2.44 0.84 0.94 1.91 2.81 2.33 2.77 2.18 2.03 2.15 2.73 1.85 0.27 2.87 0.4 2.22" --expected-output="6x5xf32=1.095445 1.428286 1.086278 1.389244 0.663325 0.7549834 1.014889 1.212436 0.8185353 1.723369 1.272792 0.9695359 1.637071 1.667333 1.56205 0.9165151 0.9695359 1.382028 1.676305 1.526434 1.664332 1.476482 1.424781 1.466288 1.652271 1.360147 0.5196152 1.694107 0.6324555 1.489967" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>) {
  %r0 = stablehlo.sqrt %a : tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
