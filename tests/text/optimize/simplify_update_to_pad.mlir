// A tensor of equal elements that a slice or an argument updates at constant indices is a pad. An update of all elements that a pad
// added at one end of a dimension is a concatenate. Not so: updates of fewer than half of the elements, and of a part of the added
// elements.
// RUN: shardopt %s -shardrun-simplify -dce
// zeros.at[:-1].set(u[1:]).at[-1:].set(u[:1]), a roll
func.func @roll(%u: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
  %first = stablehlo.constant dense<0> : tensor<1xi32>
  %last = stablehlo.constant dense<7> : tensor<1xi32>
  %0 = stablehlo.slice %u [1:8, 0:6] : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %1 = "stablehlo.scatter"(%zeros, %first, %0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<1xi32>, tensor<7x6xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.slice %u [0:1, 0:6] : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %3 = "stablehlo.scatter"(%1, %last, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<1xi32>, tensor<1x6xf32>) -> tensor<8x6xf32>
  return %3 : tensor<8x6xf32>
}

// Ghost cells around a grid of ones: w.at[1:-1].set(u).at[0].set(u[-1]).at[-1].set(u[0])
func.func @ghosts(%u: tensor<8x6xf32>) -> tensor<10x6xf32> {
  %ones = stablehlo.constant dense<1.0> : tensor<10x6xf32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %i1 = stablehlo.constant dense<1> : tensor<i32>
  %i9 = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %ones, %u, %i1, %i0 : (tensor<10x6xf32>, tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<10x6xf32>
  %1 = stablehlo.slice %u [7:8, 0:6] : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %2 = stablehlo.dynamic_update_slice %0, %1, %i0, %i0 : (tensor<10x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<10x6xf32>
  %3 = stablehlo.slice %u [0:1, 0:6] : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %4 = stablehlo.dynamic_update_slice %2, %3, %i9, %i0 : (tensor<10x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<10x6xf32>
  return %4 : tensor<10x6xf32>
}

// Fewer than half of the elements; a part of the added elements: all but the last column
func.func @small(%u: tensor<8x6xf32>, %v: tensor<1x5xf32>) -> (tensor<20x6xf32>, tensor<9x6xf32>) {
  %zeros = stablehlo.constant dense<0.0> : tensor<20x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %i8 = stablehlo.constant dense<8> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %zeros, %u, %i0, %i0 : (tensor<20x6xf32>, tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<20x6xf32>
  %1 = stablehlo.pad %u, %zero, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<9x6xf32>
  %2 = stablehlo.dynamic_update_slice %1, %v, %i8, %i0 : (tensor<9x6xf32>, tensor<1x5xf32>, tensor<i32>, tensor<i32>) -> tensor<9x6xf32>
  return %0, %2 : tensor<20x6xf32>, tensor<9x6xf32>
}
