// Slices of a pad become pads that shift their operand, or slices of it if no padding is left; a pad of a slice or of a pad is one pad, unless a side both removes elements and adds padding.
// RUN: shardopt %s -shardrun-simplify
func.func @stencil(%x: tensor<8x6xf32>, %v: tensor<f32>) -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<10x6xf32>, tensor<2x3xf32>) {
  %p = stablehlo.pad %x, %v, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<10x8xf32>
  %west = stablehlo.slice %p [1:9, 0:6] : (tensor<10x8xf32>) -> tensor<8x6xf32>
  %south_east = stablehlo.slice %p [2:10, 2:8] : (tensor<10x8xf32>) -> tensor<8x6xf32>
  %center = stablehlo.slice %p [1:9, 1:7] : (tensor<10x8xf32>) -> tensor<8x6xf32>
  %padded = stablehlo.slice %p [0:10, 1:7] : (tensor<10x8xf32>) -> tensor<10x6xf32>
  %inside = stablehlo.slice %p [3:5, 4:7] : (tensor<10x8xf32>) -> tensor<2x3xf32>
  return %west, %south_east, %center, %padded, %inside : tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<10x6xf32>, tensor<2x3xf32>
}

// The slice has padding alone.
func.func @outside(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<2xf32> {
  %p = stablehlo.pad %x, %v, low = [3], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %s = stablehlo.slice %p [0:2] : (tensor<7xf32>) -> tensor<2xf32>
  return %s : tensor<2xf32>
}

func.func @pads_of_slices(%x: tensor<8x6xf32>, %v: tensor<f32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %s = stablehlo.slice %x [1:8, 0:6] : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %north = stablehlo.pad %s, %v, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<7x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  %zeroed = stablehlo.pad %s, %v, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<7x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  return %north, %zeroed : tensor<8x6xf32>, tensor<8x6xf32>
}

// Strides and interior padding stay.
func.func @kept(%x: tensor<8xf32>, %v: tensor<f32>) -> (tensor<5xf32>, tensor<15xf32>) {
  %p = stablehlo.pad %x, %v, low = [1], high = [1], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
  %strided = stablehlo.slice %p [0:10:2] : (tensor<10xf32>) -> tensor<5xf32>
  %i = stablehlo.pad %x, %v, low = [1], high = [1], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<17xf32>
  %s = stablehlo.slice %i [1:16] : (tensor<17xf32>) -> tensor<15xf32>
  return %strided, %s : tensor<5xf32>, tensor<15xf32>
}

// Amounts whose sum does not fit in 64 bits stay.
func.func @extreme(%x: tensor<8xf32>, %v: tensor<f32>) -> tensor<5xf32> {
  %p = stablehlo.pad %x, %v, low = [-9223372036854775807], high = [9223372036854775806], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<7xf32>
  %s = stablehlo.slice %p [2:7] : (tensor<7xf32>) -> tensor<5xf32>
  return %s : tensor<5xf32>
}

// Shifts along two dimensions are one shift. These stay: pads with other padding values, and a side that removes elements first.
func.func @pads_of_pads(%x: tensor<8x6xf32>, %v: tensor<f32>, %w: tensor<f32>) -> (tensor<8x6xf32>, tensor<9x7xf32>, tensor<8x6xf32>, tensor<8x6xf32>) {
  %s = stablehlo.pad %x, %v, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  %south_west = stablehlo.pad %s, %v, low = [0, -1], high = [0, 1], interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  %larger = stablehlo.pad %s, %v, low = [2, 1], high = [-1, 0], interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<9x7xf32>
  %other = stablehlo.pad %s, %w, low = [0, -1], high = [0, 1], interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  %zeroed = stablehlo.pad %s, %v, low = [-1, 0], high = [1, 0], interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  return %south_west, %larger, %other, %zeroed : tensor<8x6xf32>, tensor<9x7xf32>, tensor<8x6xf32>, tensor<8x6xf32>
}
