// Dimension numbers of a convolution that lack a letter are refused.
// RUN: shardopt %s
// EXIT: 1
module attributes {a = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, i]->[b, 0, 1, f]>} {}
