// Integers that are widened, moved and concatenated are concatenated first. Operands of another type or of the wide type stay, as do
// floats.
// RUN: shardopt %s -shardrun-simplify -dce
func.func @border(%im: tensor<8x8xui8>) -> tensor<12x8xi32> {
  %0 = stablehlo.convert %im : (tensor<8x8xui8>) -> tensor<8x8xi32>
  %1 = stablehlo.slice %0 [0:1, 0:8] : (tensor<8x8xi32>) -> tensor<1x8xi32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<1x8xi32>) -> tensor<1x2x8xi32>
  %3 = stablehlo.reshape %2 : (tensor<1x2x8xi32>) -> tensor<2x8xi32>
  %4 = stablehlo.slice %0 [6:8, 0:8] : (tensor<8x8xi32>) -> tensor<2x8xi32>
  %5 = stablehlo.concatenate %3, %0, %4, dim = 0 : (tensor<2x8xi32>, tensor<8x8xi32>, tensor<2x8xi32>) -> tensor<12x8xi32>
  return %5 : tensor<12x8xi32>
}
func.func @two_types(%x: tensor<8xui8>, %y: tensor<8xi16>, %z: tensor<8xi32>) -> (tensor<16xi32>, tensor<16xi32>) {
  %0 = stablehlo.convert %x : (tensor<8xui8>) -> tensor<8xi32>
  %1 = stablehlo.convert %y : (tensor<8xi16>) -> tensor<8xi32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<8xi32>, tensor<8xi32>) -> tensor<16xi32>
  %3 = stablehlo.concatenate %0, %z, dim = 0 : (tensor<8xi32>, tensor<8xi32>) -> tensor<16xi32>
  return %2, %3 : tensor<16xi32>, tensor<16xi32>
}
func.func @floats_and_narrowed(%x: tensor<8xbf16>, %y: tensor<8xi64>) -> (tensor<16xf32>, tensor<16xi32>) {
  %0 = stablehlo.convert %x : (tensor<8xbf16>) -> tensor<8xf32>
  %1 = stablehlo.slice %0 [0:8:1] : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %3 = stablehlo.convert %y : (tensor<8xi64>) -> tensor<8xi32>
  %4 = stablehlo.concatenate %3, %3, dim = 0 : (tensor<8xi32>, tensor<8xi32>) -> tensor<16xi32>
  return %2, %4 : tensor<16xf32>, tensor<16xi32>
}
