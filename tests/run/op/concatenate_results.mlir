// Nests write their results directly into concatenations along each dimension and into transposed ones, with the expected values
// RUN: shardrun --interpret %s
func.func @main() {
  %ca = stablehlo.constant dense<[[[1, 4, 7, 10], [13, 16, 19, 22], [25, 28, 31, 34]], [[37, 40, 43, 46], [49, 52, 55, 58], [61, 64, 67, 70]]]> : tensor<2x3x4xi32>
  %cb = stablehlo.constant dense<[[[-5, -4, -1, 4], [11, 20, 31, 44], [59, 76, 95, 116]], [[139, 164, 191, 220], [251, 284, 319, 356], [395, 436, 479, 524]]]> : tensor<2x3x4xi32>
  %a = stablehlo.optimization_barrier %ca : tensor<2x3x4xi32>
  %b = stablehlo.optimization_barrier %cb : tensor<2x3x4xi32>
  %p0 = stablehlo.add %a, %b : tensor<2x3x4xi32>
  %m0 = stablehlo.subtract %a, %b : tensor<2x3x4xi32>
  %r0 = stablehlo.concatenate %p0, %m0, dim = 0 : (tensor<2x3x4xi32>, tensor<2x3x4xi32>) -> tensor<4x3x4xi32>
  %e0 = stablehlo.constant dense<[[[-4, 0, 6, 14], [24, 36, 50, 66], [84, 104, 126, 150]], [[176, 204, 234, 266], [300, 336, 374, 414], [456, 500, 546, 594]], [[6, 8, 8, 6], [2, -4, -12, -22], [-34, -48, -64, -82]], [[-102, -124, -148, -174], [-202, -232, -264, -298], [-334, -372, -412, -454]]]> : tensor<4x3x4xi32>
  check.expect_eq %r0, %e0 : tensor<4x3x4xi32>
  %p1 = stablehlo.add %a, %b : tensor<2x3x4xi32>
  %m1 = stablehlo.subtract %a, %b : tensor<2x3x4xi32>
  %r1 = stablehlo.concatenate %p1, %m1, dim = 1 : (tensor<2x3x4xi32>, tensor<2x3x4xi32>) -> tensor<2x6x4xi32>
  %e1 = stablehlo.constant dense<[[[-4, 0, 6, 14], [24, 36, 50, 66], [84, 104, 126, 150], [6, 8, 8, 6], [2, -4, -12, -22], [-34, -48, -64, -82]], [[176, 204, 234, 266], [300, 336, 374, 414], [456, 500, 546, 594], [-102, -124, -148, -174], [-202, -232, -264, -298], [-334, -372, -412, -454]]]> : tensor<2x6x4xi32>
  check.expect_eq %r1, %e1 : tensor<2x6x4xi32>
  %p2 = stablehlo.add %a, %b : tensor<2x3x4xi32>
  %m2 = stablehlo.subtract %a, %b : tensor<2x3x4xi32>
  %r2 = stablehlo.concatenate %p2, %m2, dim = 2 : (tensor<2x3x4xi32>, tensor<2x3x4xi32>) -> tensor<2x3x8xi32>
  %e2 = stablehlo.constant dense<[[[-4, 0, 6, 14, 6, 8, 8, 6], [24, 36, 50, 66, 2, -4, -12, -22], [84, 104, 126, 150, -34, -48, -64, -82]], [[176, 204, 234, 266, -102, -124, -148, -174], [300, 336, 374, 414, -202, -232, -264, -298], [456, 500, 546, 594, -334, -372, -412, -454]]]> : tensor<2x3x8xi32>
  check.expect_eq %r2, %e2 : tensor<2x3x8xi32>
  %xa0 = stablehlo.reshape %a : (tensor<2x3x4xi32>) -> tensor<1x6x4xi32>
  %xb0 = stablehlo.reshape %b : (tensor<2x3x4xi32>) -> tensor<1x6x4xi32>
  %xp0 = stablehlo.add %xa0, %xb0 : tensor<1x6x4xi32>
  %xm0 = stablehlo.subtract %xa0, %xb0 : tensor<1x6x4xi32>
  %xt0 = stablehlo.multiply %xa0, %xb0 : tensor<1x6x4xi32>
  %xc0 = stablehlo.concatenate %xp0, %xm0, %xt0, dim = 0 : (tensor<1x6x4xi32>, tensor<1x6x4xi32>, tensor<1x6x4xi32>) -> tensor<3x6x4xi32>
  %xr0 = stablehlo.transpose %xc0, dims = [1, 2, 0] : (tensor<3x6x4xi32>) -> tensor<6x4x3xi32>
  %xe0 = stablehlo.constant dense<[[[-4, 6, -5], [0, 8, -16], [6, 8, -7], [14, 6, 40]], [[24, 2, 143], [36, -4, 320], [50, -12, 589], [66, -22, 968]], [[84, -34, 1475], [104, -48, 2128], [126, -64, 2945], [150, -82, 3944]], [[176, -102, 5143], [204, -124, 6560], [234, -148, 8213], [266, -174, 10120]], [[300, -202, 12299], [336, -232, 14768], [374, -264, 17545], [414, -298, 20648]], [[456, -334, 24095], [500, -372, 27904], [546, -412, 32093], [594, -454, 36680]]]> : tensor<6x4x3xi32>
  check.expect_eq %xr0, %xe0 : tensor<6x4x3xi32>
  %xa1 = stablehlo.reshape %a : (tensor<2x3x4xi32>) -> tensor<1x6x4xi32>
  %xb1 = stablehlo.reshape %b : (tensor<2x3x4xi32>) -> tensor<1x6x4xi32>
  %xp1 = stablehlo.add %xa1, %xb1 : tensor<1x6x4xi32>
  %xm1 = stablehlo.subtract %xa1, %xb1 : tensor<1x6x4xi32>
  %xt1 = stablehlo.multiply %xa1, %xb1 : tensor<1x6x4xi32>
  %xc1 = stablehlo.concatenate %xp1, %xm1, %xt1, dim = 0 : (tensor<1x6x4xi32>, tensor<1x6x4xi32>, tensor<1x6x4xi32>) -> tensor<3x6x4xi32>
  %xr1 = stablehlo.transpose %xc1, dims = [1, 0, 2] : (tensor<3x6x4xi32>) -> tensor<6x3x4xi32>
  %xe1 = stablehlo.constant dense<[[[-4, 0, 6, 14], [6, 8, 8, 6], [-5, -16, -7, 40]], [[24, 36, 50, 66], [2, -4, -12, -22], [143, 320, 589, 968]], [[84, 104, 126, 150], [-34, -48, -64, -82], [1475, 2128, 2945, 3944]], [[176, 204, 234, 266], [-102, -124, -148, -174], [5143, 6560, 8213, 10120]], [[300, 336, 374, 414], [-202, -232, -264, -298], [12299, 14768, 17545, 20648]], [[456, 500, 546, 594], [-334, -372, -412, -454], [24095, 27904, 32093, 36680]]]> : tensor<6x3x4xi32>
  check.expect_eq %xr1, %xe1 : tensor<6x3x4xi32>
  %xa2 = stablehlo.reshape %a : (tensor<2x3x4xi32>) -> tensor<1x6x4xi32>
  %xb2 = stablehlo.reshape %b : (tensor<2x3x4xi32>) -> tensor<1x6x4xi32>
  %xp2 = stablehlo.add %xa2, %xb2 : tensor<1x6x4xi32>
  %xm2 = stablehlo.subtract %xa2, %xb2 : tensor<1x6x4xi32>
  %xt2 = stablehlo.multiply %xa2, %xb2 : tensor<1x6x4xi32>
  %xc2 = stablehlo.concatenate %xp2, %xm2, %xt2, dim = 0 : (tensor<1x6x4xi32>, tensor<1x6x4xi32>, tensor<1x6x4xi32>) -> tensor<3x6x4xi32>
  %xr2 = stablehlo.transpose %xc2, dims = [2, 1, 0] : (tensor<3x6x4xi32>) -> tensor<4x6x3xi32>
  %xe2 = stablehlo.constant dense<[[[-4, 6, -5], [24, 2, 143], [84, -34, 1475], [176, -102, 5143], [300, -202, 12299], [456, -334, 24095]], [[0, 8, -16], [36, -4, 320], [104, -48, 2128], [204, -124, 6560], [336, -232, 14768], [500, -372, 27904]], [[6, 8, -7], [50, -12, 589], [126, -64, 2945], [234, -148, 8213], [374, -264, 17545], [546, -412, 32093]], [[14, 6, 40], [66, -22, 968], [150, -82, 3944], [266, -174, 10120], [414, -298, 20648], [594, -454, 36680]]]> : tensor<4x6x3xi32>
  check.expect_eq %xr2, %xe2 : tensor<4x6x3xi32>
  %xa3 = stablehlo.reshape %a : (tensor<2x3x4xi32>) -> tensor<6x4x1xi32>
  %xb3 = stablehlo.reshape %b : (tensor<2x3x4xi32>) -> tensor<6x4x1xi32>
  %xp3 = stablehlo.add %xa3, %xb3 : tensor<6x4x1xi32>
  %xm3 = stablehlo.subtract %xa3, %xb3 : tensor<6x4x1xi32>
  %xt3 = stablehlo.multiply %xa3, %xb3 : tensor<6x4x1xi32>
  %xc3 = stablehlo.concatenate %xp3, %xm3, %xt3, dim = 2 : (tensor<6x4x1xi32>, tensor<6x4x1xi32>, tensor<6x4x1xi32>) -> tensor<6x4x3xi32>
  %xr3 = stablehlo.transpose %xc3, dims = [2, 0, 1] : (tensor<6x4x3xi32>) -> tensor<3x6x4xi32>
  %xe3 = stablehlo.constant dense<[[[-4, 0, 6, 14], [24, 36, 50, 66], [84, 104, 126, 150], [176, 204, 234, 266], [300, 336, 374, 414], [456, 500, 546, 594]], [[6, 8, 8, 6], [2, -4, -12, -22], [-34, -48, -64, -82], [-102, -124, -148, -174], [-202, -232, -264, -298], [-334, -372, -412, -454]], [[-5, -16, -7, 40], [143, 320, 589, 968], [1475, 2128, 2945, 3944], [5143, 6560, 8213, 10120], [12299, 14768, 17545, 20648], [24095, 27904, 32093, 36680]]]> : tensor<3x6x4xi32>
  check.expect_eq %xr3, %xe3 : tensor<3x6x4xi32>
  %xa4 = stablehlo.reshape %a : (tensor<2x3x4xi32>) -> tensor<6x4x1xi32>
  %xb4 = stablehlo.reshape %b : (tensor<2x3x4xi32>) -> tensor<6x4x1xi32>
  %xp4 = stablehlo.add %xa4, %xb4 : tensor<6x4x1xi32>
  %xm4 = stablehlo.subtract %xa4, %xb4 : tensor<6x4x1xi32>
  %xt4 = stablehlo.multiply %xa4, %xb4 : tensor<6x4x1xi32>
  %xc4 = stablehlo.concatenate %xp4, %xm4, %xt4, dim = 2 : (tensor<6x4x1xi32>, tensor<6x4x1xi32>, tensor<6x4x1xi32>) -> tensor<6x4x3xi32>
  %xr4 = stablehlo.transpose %xc4, dims = [0, 2, 1] : (tensor<6x4x3xi32>) -> tensor<6x3x4xi32>
  %xe4 = stablehlo.constant dense<[[[-4, 0, 6, 14], [6, 8, 8, 6], [-5, -16, -7, 40]], [[24, 36, 50, 66], [2, -4, -12, -22], [143, 320, 589, 968]], [[84, 104, 126, 150], [-34, -48, -64, -82], [1475, 2128, 2945, 3944]], [[176, 204, 234, 266], [-102, -124, -148, -174], [5143, 6560, 8213, 10120]], [[300, 336, 374, 414], [-202, -232, -264, -298], [12299, 14768, 17545, 20648]], [[456, 500, 546, 594], [-334, -372, -412, -454], [24095, 27904, 32093, 36680]]]> : tensor<6x3x4xi32>
  check.expect_eq %xr4, %xe4 : tensor<6x3x4xi32>
  return
}
