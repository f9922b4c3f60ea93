// chlo.ragged_dot multiplies groups of rows, of a contracted dimension, or of a batch; group sizes are common to all batches or given for each; rows of no group are zero
// RUN: shardrun --interpret --split-input-file %s
func.func @rows() {
  %lhs = stablehlo.constant dense<[[1.0], [2.0], [3.0], [4.0], [5.0]]> : tensor<5x1xf32>
  %rhs = stablehlo.constant dense<[[[1.0, 2.0]], [[10.0, 20.0]], [[100.0, 200.0]]]> : tensor<3x1x2xf32>
  %sizes = stablehlo.constant dense<[1, 0, 3]> : tensor<3xi32>
  %r = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>]} : (tensor<5x1xf32>, tensor<3x1x2xf32>, tensor<3xi32>) -> tensor<5x2xf32>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [200.0, 400.0], [300.0, 600.0], [400.0, 800.0], [0.0, 0.0]]> : tensor<5x2xf32>
  return
}

// -----

func.func @rows_of_each_batch() {
  %lhs = stablehlo.constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %rhs = stablehlo.constant dense<[[[[1.0]], [[2.0]]], [[[10.0]], [[20.0]]]]> : tensor<2x2x1x1xf32>
  %sizes = stablehlo.constant dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>
  %r = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<2x2x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2xi64>) -> tensor<2x2x1xf32>
  check.expect_eq_const %r, dense<[[[1.0], [20.0]], [[60.0], [80.0]]]> : tensor<2x2x1xf32>
  return
}

// -----

// Elements of another group do not influence a group, not even as 0 * Inf.
func.func @contracted() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %rhs = stablehlo.constant dense<[[1.0], [10.0], [0x7F800000], [1000.0]]> : tensor<4x1xf32>
  %sizes = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %r = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<1x4xf32>, tensor<4x1xf32>, tensor<2xi32>) -> tensor<2x1x1xf32>
  check.expect_eq_const %r, dense<[[[21.0]], [[0x7F800000]]]> : tensor<2x1x1xf32>
  return
}

// -----

func.func @batch() {
  %lhs = stablehlo.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %rhs = stablehlo.constant dense<[[[3.0]], [[4.0]]]> : tensor<2x1x1xf32>
  %sizes = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %r = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2xi32>) -> tensor<2x1x1xf32>
  check.expect_eq_const %r, dense<[[[3.0]], [[8.0]]]> : tensor<2x1x1xf32>
  return
}
