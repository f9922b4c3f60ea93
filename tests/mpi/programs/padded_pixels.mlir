// Pads and windows of images whose pixels have a few channels.
func.func @main(%a: tensor<2x40x50x3xui8>, %b: tensor<30x40x2xf32>, %c: tensor<30x40x5xi16>) -> (tensor<2x46x57x3xui8>, tensor<2x40x50x3xui8>, tensor<33x36x2xf32>, tensor<30x79x5xi16>, tensor<30x44x7xi16>) {
  %zero = stablehlo.constant dense<7> : tensor<ui8>
  %0 = stablehlo.pad %a, %zero, low = [0, 2, 3, 0], high = [0, 4, 4, 0], interior = [0, 0, 0, 0] : (tensor<2x40x50x3xui8>, tensor<ui8>) -> tensor<2x46x57x3xui8>
  %1 = "stablehlo.reduce_window"(%a, %zero) ({
  ^bb0(%x: tensor<ui8>, %y: tensor<ui8>):
    %m = stablehlo.maximum %x, %y : tensor<ui8>
    stablehlo.return %m : tensor<ui8>
  }) {window_dimensions = array<i64: 1, 3, 3, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>} : (tensor<2x40x50x3xui8>, tensor<ui8>) -> tensor<2x40x50x3xui8>
  %half = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %2 = stablehlo.pad %b, %half, low = [1, -3, 0], high = [2, -1, 0], interior = [0, 0, 0] : (tensor<30x40x2xf32>, tensor<f32>) -> tensor<33x36x2xf32>
  %3 = stablehlo.negate %2 : tensor<33x36x2xf32>
  %one = stablehlo.constant dense<1> : tensor<i16>
  %4 = stablehlo.pad %c, %one, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<30x40x5xi16>, tensor<i16>) -> tensor<30x79x5xi16>
  %5 = stablehlo.reverse %c, dims = [1] : tensor<30x40x5xi16>
  %6 = stablehlo.pad %5, %one, low = [0, 2, 1], high = [0, 2, 1], interior = [0, 0, 0] : (tensor<30x40x5xi16>, tensor<i16>) -> tensor<30x44x7xi16>
  return %0, %1, %3, %4, %6 : tensor<2x46x57x3xui8>, tensor<2x40x50x3xui8>, tensor<33x36x2xf32>, tensor<30x79x5xi16>, tensor<30x44x7xi16>
}
