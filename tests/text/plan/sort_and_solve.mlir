// Sorts, scatters and triangular solves write their results over their operands
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<16xf32>, %b: tensor<4x4xf32>, %c: tensor<4x2xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>)
    -> (tensor<16xf32>, tensor<16xf32>, tensor<4x2xf32>) {
  %x = stablehlo.tanh %a : tensor<16xf32>
  %y = stablehlo.cosine %a : tensor<16xf32>
  %s:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<f32>, %t: tensor<f32>):
    %less = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  %w = "stablehlo.scatter"(%s#1, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<16xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<16xf32>
  %d = stablehlo.tanh %c : tensor<4x2xf32>
  %v = "stablehlo.triangular_solve"(%b, %d) {left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}
    : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %s#0, %w, %v : tensor<16xf32>, tensor<16xf32>, tensor<4x2xf32>
}
