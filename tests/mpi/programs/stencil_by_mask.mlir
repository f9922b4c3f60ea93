// The sum of an element's neighbors, where a mask is set
func.func @main(%x: tensor<66x66xf64>, %y: tensor<64x64xf64>, %mask: tensor<64x64xi1>) -> tensor<64x64xf64> {
  %up = stablehlo.slice %x [0:64, 1:65] : (tensor<66x66xf64>) -> tensor<64x64xf64>
  %left = stablehlo.slice %x [1:65, 0:64] : (tensor<66x66xf64>) -> tensor<64x64xf64>
  %right = stablehlo.slice %x [1:65, 2:66] : (tensor<66x66xf64>) -> tensor<64x64xf64>
  %down = stablehlo.slice %x [2:66, 1:65] : (tensor<66x66xf64>) -> tensor<64x64xf64>
  %0 = stablehlo.add %up, %left : tensor<64x64xf64>
  %1 = stablehlo.add %right, %down : tensor<64x64xf64>
  %2 = stablehlo.add %0, %1 : tensor<64x64xf64>
  %3 = stablehlo.select %mask, %2, %y : tensor<64x64xi1>, tensor<64x64xf64>
  return %3 : tensor<64x64xf64>
}
