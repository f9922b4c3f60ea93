// Readers of a concatenate of a long and a short operand, or of tiny ones, read the operands instead. Two halves are concatenated
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse
module {
  func.func @rolled(%a: tensor<64x96xf32>, %edge: tensor<1x96xf32>, %side: tensor<64x1xf32>) -> tensor<64x96xf32> {
    %0 = stablehlo.slice %a [0:63, 0:96] : (tensor<64x96xf32>) -> tensor<63x96xf32>
    %1 = stablehlo.concatenate %edge, %0, dim = 0 : (tensor<1x96xf32>, tensor<63x96xf32>) -> tensor<64x96xf32>
    %2 = stablehlo.slice %a [0:64, 1:96] : (tensor<64x96xf32>) -> tensor<64x95xf32>
    %3 = stablehlo.concatenate %2, %side, dim = 1 : (tensor<64x95xf32>, tensor<64x1xf32>) -> tensor<64x96xf32>
    %4 = stablehlo.add %1, %3 : tensor<64x96xf32>
    return %4 : tensor<64x96xf32>
  }
  // Elements outside of this slice are inside of the slice's operand: the bounds of the edge are checked first.
  func.func @inside(%a: tensor<80x96xf32>, %edge: tensor<1x96xf32>) -> tensor<64x96xf32> {
    %0 = stablehlo.slice %a [7:70, 0:96] : (tensor<80x96xf32>) -> tensor<63x96xf32>
    %1 = stablehlo.concatenate %edge, %0, dim = 0 : (tensor<1x96xf32>, tensor<63x96xf32>) -> tensor<64x96xf32>
    %2 = stablehlo.negate %1 : tensor<64x96xf32>
    return %2 : tensor<64x96xf32>
  }
  // Two halves and the operand of a product are concatenated in a buffer, tiny operands are not.
  func.func @whole(%a: tensor<32x96xf32>, %b: tensor<2x2xf32>, %c: tensor<1x96xf32>, %d: tensor<96x8xf32>) -> (tensor<64x96xf32>, tensor<4x2xf32>, tensor<33x8xf32>) {
    %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<32x96xf32>, tensor<32x96xf32>) -> tensor<64x96xf32>
    %1 = stablehlo.negate %0 : tensor<64x96xf32>
    %2 = stablehlo.concatenate %b, %b, dim = 0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %3 = stablehlo.negate %2 : tensor<4x2xf32>
    %4 = stablehlo.concatenate %a, %c, dim = 0 : (tensor<32x96xf32>, tensor<1x96xf32>) -> tensor<33x96xf32>
    %5 = stablehlo.dot_general %4, %d, contracting_dims = [1] x [0] : (tensor<33x96xf32>, tensor<96x8xf32>) -> tensor<33x8xf32>
    return %1, %3, %5 : tensor<64x96xf32>, tensor<4x2xf32>, tensor<33x8xf32>
  }
  // A shift along two dimensions reads the operand and its edges; the shift along one of them, which the sum reads too, as well.
  func.func @two_dimensions(%a: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = stablehlo.slice %a [63:64, 0:96] : (tensor<64x96xf32>) -> tensor<1x96xf32>
    %1 = stablehlo.slice %a [0:63, 0:96] : (tensor<64x96xf32>) -> tensor<63x96xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x96xf32>, tensor<63x96xf32>) -> tensor<64x96xf32>
    %3 = stablehlo.slice %2 [0:64, 1:96] : (tensor<64x96xf32>) -> tensor<64x95xf32>
    %4 = stablehlo.slice %2 [0:64, 0:1] : (tensor<64x96xf32>) -> tensor<64x1xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<64x95xf32>, tensor<64x1xf32>) -> tensor<64x96xf32>
    %6 = stablehlo.add %2, %5 : tensor<64x96xf32>
    return %6 : tensor<64x96xf32>
  }
  // Slices of a bordered tensor that sums read, but no other op.
  func.func @slices_of_border(%a: tensor<64x96xf32>, %edge: tensor<1x96xf32>) -> tensor<64x96xf32> {
    %0 = stablehlo.concatenate %edge, %a, %edge, dim = 0 : (tensor<1x96xf32>, tensor<64x96xf32>, tensor<1x96xf32>) -> tensor<66x96xf32>
    %1 = stablehlo.slice %0 [0:64, 0:96] : (tensor<66x96xf32>) -> tensor<64x96xf32>
    %2 = stablehlo.slice %0 [2:66, 0:96] : (tensor<66x96xf32>) -> tensor<64x96xf32>
    %3 = stablehlo.subtract %1, %2 : tensor<64x96xf32>
    return %3 : tensor<64x96xf32>
  }
  // The slice of rows 2 to 61 is concatenated with an edge; its neighbors in %a are not its border.
  func.func @clipped(%a: tensor<64x96xf32>, %edge: tensor<60x1xf32>) -> tensor<60x96xf32> {
    %0 = stablehlo.slice %a [2:62, 0:95] : (tensor<64x96xf32>) -> tensor<60x95xf32>
    %1 = stablehlo.concatenate %edge, %0, dim = 1 : (tensor<60x1xf32>, tensor<60x95xf32>) -> tensor<60x96xf32>
    %2 = stablehlo.negate %1 : tensor<60x96xf32>
    return %2 : tensor<60x96xf32>
  }
  // A border that repeats the edge: the edge is read from %a, which has more rows. A border of a constant.
  func.func @repeated(%a: tensor<64x96xf32>, %zero: tensor<f32>) -> tensor<64x96xf32> {
    %0 = stablehlo.slice %a [0:1, 0:96] : (tensor<64x96xf32>) -> tensor<1x96xf32>
    %1 = stablehlo.slice %a [0:63, 0:96] : (tensor<64x96xf32>) -> tensor<63x96xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x96xf32>, tensor<63x96xf32>) -> tensor<64x96xf32>
    %3 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %4 = stablehlo.slice %a [0:64, 1:96] : (tensor<64x96xf32>) -> tensor<64x95xf32>
    %5 = stablehlo.concatenate %4, %3, dim = 1 : (tensor<64x95xf32>, tensor<64x1xf32>) -> tensor<64x96xf32>
    %6 = stablehlo.subtract %2, %5 : tensor<64x96xf32>
    return %6 : tensor<64x96xf32>
  }
  // Both operands are parts of tensors that have elements in place of the other: one slice is a buffer.
  func.func @overlapping(%a: tensor<80x96xf32>, %b: tensor<80x96xf32>) -> tensor<64x96xf32> {
    %0 = stablehlo.slice %b [7:8, 0:96] : (tensor<80x96xf32>) -> tensor<1x96xf32>
    %1 = stablehlo.slice %a [7:70, 0:96] : (tensor<80x96xf32>) -> tensor<63x96xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x96xf32>, tensor<63x96xf32>) -> tensor<64x96xf32>
    %3 = stablehlo.negate %2 : tensor<64x96xf32>
    return %3 : tensor<64x96xf32>
  }
  // A halo exchange and then shifts along the other dimension: elements outside are the padding value.
  func.func @shifted(%a: tensor<64x96xf32>, %edge: tensor<1x96xf32>, %v: tensor<f32>) -> tensor<64x96xf32> {
    %0 = stablehlo.slice %a [0:63, 0:96] : (tensor<64x96xf32>) -> tensor<63x96xf32>
    %1 = stablehlo.concatenate %edge, %0, dim = 0 : (tensor<1x96xf32>, tensor<63x96xf32>) -> tensor<64x96xf32>
    %2 = stablehlo.pad %1, %v, low = [0, 1], high = [0, -1], interior = [0, 0] : (tensor<64x96xf32>, tensor<f32>) -> tensor<64x96xf32>
    %3 = stablehlo.pad %1, %v, low = [0, -1], high = [0, 1], interior = [0, 0] : (tensor<64x96xf32>, tensor<f32>) -> tensor<64x96xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<64x96xf32>
    return %4 : tensor<64x96xf32>
  }
  // A padded slice is a buffer, since rows 0 and 1 of %a, which are not part of it, are in place of the padding.
  func.func @padded_slice(%a: tensor<64x96xf32>, %edge: tensor<62x1xf32>, %v: tensor<f32>) -> tensor<64x96xf32> {
    %0 = stablehlo.slice %a [2:64, 0:95] : (tensor<64x96xf32>) -> tensor<62x95xf32>
    %1 = stablehlo.concatenate %0, %edge, dim = 1 : (tensor<62x95xf32>, tensor<62x1xf32>) -> tensor<62x96xf32>
    %2 = stablehlo.pad %1, %v, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<62x96xf32>, tensor<f32>) -> tensor<64x96xf32>
    %3 = stablehlo.negate %2 : tensor<64x96xf32>
    return %3 : tensor<64x96xf32>
  }
}
