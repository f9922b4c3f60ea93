// stablehlo.power of two operands gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=0.96 0.5 2.71 0.19 1 1.9 1.94 2.94 2.45 0.22 0.81 1.25 2.29 2.57 2.63 2.68 1.57 2.02 0.99 1.81 2.52 2.31 1.1 2.67 0.16 2.95 1.69 1.91 1.41 2.91" --input="6x5xf32=2.98 0.28 1.81 0.55 2.91 1.95 1.22 2.95 1.93 2.75 1.94 2.34 2.72 1.03 0.44 1.09 0.18 0.77 0.1 0.12 0.37 1.98 0.35 0.17 1.74 0.71 2.49 2.96 2.91 1.57" --input="9xi32=-2 3 0 -2 0 1 2 -3 -2" --input="9xi32=3 0 3 0 1 4 4 1 2" --expected-output="6x5xf32=0.8854586 0.823591 6.076792 0.4011571 1 3.495985 2.244492 24.07824 5.637552 0.01554756 0.6644479 1.685658 9.522533 2.643815 1.530314 2.928647 1.084581 1.718385 0.9989955 1.073795 1.407726 5.247491 1.033921 1.181699 0.04122577 2.155627 3.693499 6.789828 2.717863 5.349486" --expected-output="9xi32=-8 1 0 1 0 1 16 -3 4" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %c: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %d: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6x5xf32>, tensor<9xi32>) {
  %r0 = stablehlo.power %a, %b : tensor<6x5xf32>
  %r1 = stablehlo.power %c, %d : tensor<9xi32>
  return %r0, %r1 : tensor<6x5xf32>, tensor<9xi32>
}
