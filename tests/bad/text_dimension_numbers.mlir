// The message about an error inside dimension numbers names the op
// RUN: shardopt %s
// EXIT: 1
module attributes {a = #stablehlo.dot<lhs_batching_dimensions = [0], contracting = [1]>} {}
