// Sparse tensor encodings are printed as aliases, in MLIR's spelling.
// RUN: shardopt %s
#CSR = #sparse_tensor.encoding<{
  map = ( d0 , d1 )->( d0:dense,d1 :compressed (nonunique) )
}>
#SV = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
func.func @f(%a: tensor<2x3xf32, #CSR>, %b: tensor<4xf32, #SV>) -> tensor<2x3xf32> {
  %0 = stablehlo.abs %a : (tensor<2x3xf32, #CSR>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
