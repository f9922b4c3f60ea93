// triangular_solve solves a batch of systems
// RUN: shardrun --interpret %s --input="5x3x3xf32=2.25 0 0 -0.55 1.6 0 -0.99 0.64 2.59 1.94 0 0 -0.49 1.89 0 0.11 0.99 2.59 2.24 0 0 -0.68 2.23 0 -0.93 0.03 1.93 2.83 0 0 -0.01 1.5 0 -0.62 0.38 1.4 1.74 0 0 -0.69 1.54 0 0.02 0.69 2.28" --input="5x3x2xf32=0.39 -1.09 0.39 -0.07 0.73 0.5 0.03 0.16 0.52 1.59 1.6 1.09 -0.99 -0.41 0.73 1.21 -0.71 -1.96 -1.35 -1.74 -1.61 -1.23 1.76 -0.32 -1.76 0.77 1.56 0.02 1.03 1.8" --expected-output="5x3x2xf32=0.1733333 -0.4844445 0.3033333 -0.2102778 0.2731532 0.05983698 0.01546392 0.08247422 0.2791414 0.8626521 0.5104051 0.08760708 -0.4419643 -0.1830357 0.1925849 0.4867873 -0.5838364 -1.111309 -0.4770318 -0.614841 -1.076514 -0.824099 1.338082 -0.2771741 -1.011494 0.4425287 0.559785 0.2112629 0.2912185 0.721657" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<5x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}, %b: tensor<5x3x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}) -> (tensor<5x3x2xf32>) {
  %r0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false} : (tensor<5x3x3xf32>, tensor<5x3x2xf32>) -> tensor<5x3x2xf32>
  return %r0 : tensor<5x3x2xf32>
}
