// LAPACK's triangular solves may be sharded along columns (or rows) of the right side, and along batches.
// RUN: shardopt -shardrun-library-rules %s
func.func @main(%a: tensor<2x8x8xf32>, %b: tensor<2x8x16xf32>, %c: tensor<16x8xf64>, %d: tensor<8x8xf64>) -> (tensor<2x8x16xf32>, tensor<16x8xf64>, tensor<16x8xf64>) {
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=8, k=8, l=8, m=16, n=8, o=16}, custom>} : (tensor<2x8x8xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %1 = stablehlo.custom_call @lapack_dtrsm_ffi(%d, %c) {mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<8x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  %2 = stablehlo.custom_call @lapack_dtrsm_ffi(%d, %c) {mhlo.backend_config = {side = 0 : ui8}} : (tensor<8x8xf64>, tensor<16x8xf64>) -> tensor<16x8xf64>
  return %0, %1, %2 : tensor<2x8x16xf32>, tensor<16x8xf64>, tensor<16x8xf64>
}
