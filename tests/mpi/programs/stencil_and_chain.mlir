// The sum of an element's neighbors, and a chain of operations on each element
func.func @main(%x: tensor<66x66xf32>, %y: tensor<4096xf32>) -> (tensor<64x64xf32>, tensor<4096xf32>) {
  %up = stablehlo.slice %x [0:64, 1:65] : (tensor<66x66xf32>) -> tensor<64x64xf32>
  %left = stablehlo.slice %x [1:65, 0:64] : (tensor<66x66xf32>) -> tensor<64x64xf32>
  %right = stablehlo.slice %x [1:65, 2:66] : (tensor<66x66xf32>) -> tensor<64x64xf32>
  %down = stablehlo.slice %x [2:66, 1:65] : (tensor<66x66xf32>) -> tensor<64x64xf32>
  %0 = stablehlo.add %up, %left : tensor<64x64xf32>
  %1 = stablehlo.add %right, %down : tensor<64x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x64xf32>
  %3 = stablehlo.exponential %y : tensor<4096xf32>
  %4 = stablehlo.multiply %3, %y : tensor<4096xf32>
  return %2, %4 : tensor<64x64xf32>, tensor<4096xf32>
}
