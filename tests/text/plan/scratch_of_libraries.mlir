// Scratch of factorizations and convolutions has the exact size for their extents
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<8x8xf32>, %x: tensor<1x10x10x4xf32>, %k: tensor<3x3x4x8xf32>) -> (tensor<8x8xf32>, tensor<1x8x8x8xf32>) {
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {api_version = 4 : i32, backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>, tensor<i32>)
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x10x10x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32>
  return %0#0, %1 : tensor<8x8xf32>, tensor<1x8x8x8xf32>
}
