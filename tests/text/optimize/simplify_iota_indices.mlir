// Gathers and selects at indices that follow from iotas become slices, concatenates and pads.
// RUN: shardopt %s -shardrun-simplify -dce
// Periodic: jnp.take(x, (arange(8) - 1) % 8), with the remainder of floor division; then jnp.take(x, (arange(8) + 1) % 8).
func.func @periodic(%x: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<8xi32>
  %one = stablehlo.constant dense<1> : tensor<8xi32>
  %n = stablehlo.constant dense<8> : tensor<8xi32>
  %i = stablehlo.iota dim = 0 : tensor<8xi32>
  %before = stablehlo.subtract %i, %one : tensor<8xi32>
  %rem = stablehlo.remainder %before, %n : tensor<8xi32>
  %nonzero = stablehlo.compare NE, %rem, %zero, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %negative = stablehlo.compare LT, %rem, %zero, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %fix = stablehlo.and %nonzero, %negative : tensor<8xi1>
  %fixed = stablehlo.add %rem, %n : tensor<8xi32>
  %mod = stablehlo.select %fix, %fixed, %rem : tensor<8xi1>, tensor<8xi32>
  %west = stablehlo.reshape %mod : (tensor<8xi32>) -> tensor<8x1xi32>
  %after = stablehlo.add %i, %one : tensor<8xi32>
  %wrapped = stablehlo.remainder %after, %n : tensor<8xi32>
  %east = stablehlo.broadcast_in_dim %wrapped, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
  %0 = "stablehlo.gather"(%x, %west) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<8x6xf32>, tensor<8x1xi32>) -> tensor<8x6xf32>
  %1 = "stablehlo.gather"(%x, %east) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<8x6xf32>, tensor<8x1xi32>) -> tensor<8x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
}

// Repeated edge: the gather clamps its indices. The mask of indices in range selects zeros at the edge instead; that of all indices is true.
func.func @edges(%x: tensor<6x8xf32>, %v: tensor<f32>) -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {
  %one = stablehlo.constant dense<1> : tensor<8x1xi64>
  %last = stablehlo.constant dense<7> : tensor<8x1xi64>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %i = stablehlo.iota dim = 0 : tensor<8x1xi64>
  %after = stablehlo.add %i, %one : tensor<8x1xi64>
  %0 = "stablehlo.gather"(%x, %after) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x8xf32>, tensor<8x1xi64>) -> tensor<6x8xf32>
  %inside = stablehlo.compare LE, %after, %last, SIGNED : (tensor<8x1xi64>, tensor<8x1xi64>) -> tensor<8x1xi1>
  %mask = stablehlo.reduce(%inside init: %true) applies stablehlo.and across dimensions = [1] : (tensor<8x1xi1>, tensor<i1>) -> tensor<8xi1>
  %masks = stablehlo.broadcast_in_dim %mask, dims = [1] : (tensor<8xi1>) -> tensor<6x8xi1>
  %fill = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
  %1 = stablehlo.select %masks, %0, %fill : tensor<6x8xi1>, tensor<6x8xf32>
  %positive = stablehlo.compare GE, %after, %one, SIGNED : (tensor<8x1xi64>, tensor<8x1xi64>) -> tensor<8x1xi1>
  %flat = stablehlo.reshape %positive : (tensor<8x1xi1>) -> tensor<8xi1>
  %all = stablehlo.broadcast_in_dim %flat, dims = [1] : (tensor<8xi1>) -> tensor<6x8xi1>
  %2 = stablehlo.select %all, %x, %fill : tensor<6x8xi1>, tensor<6x8xf32>
  return %0, %1, %2 : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>
}

// A concatenate whose first element is replaced by that of x; both components of index vectors are known, with a stride and reversed.
func.func @other(%x: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<4x6xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<8x6xi32>
  %i = stablehlo.iota dim = 0 : tensor<8x6xi32>
  %first = stablehlo.compare EQ, %i, %zero, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %a = stablehlo.slice %x [7:8, 0:6] : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %b = stablehlo.slice %x [0:7, 0:6] : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %rolled = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x6xf32>, tensor<7x6xf32>) -> tensor<8x6xf32>
  %0 = stablehlo.select %first, %x, %rolled : tensor<8x6xi1>, tensor<8x6xf32>
  %r = stablehlo.iota dim = 0 : tensor<4x6x1xi32>
  %c = stablehlo.iota dim = 1 : tensor<4x6x1xi32>
  %two = stablehlo.constant dense<2> : tensor<4x6x1xi32>
  %five = stablehlo.constant dense<5> : tensor<4x6x1xi32>
  %rows = stablehlo.multiply %r, %two : tensor<4x6x1xi32>
  %columns = stablehlo.subtract %five, %c : tensor<4x6x1xi32>
  %indices = stablehlo.concatenate %rows, %columns, dim = 2 : (tensor<4x6x1xi32>, tensor<4x6x1xi32>) -> tensor<4x6x2xi32>
  %1 = "stablehlo.gather"(%x, %indices) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x6xf32>, tensor<4x6x2xi32>) -> tensor<4x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<4x6xf32>
}

// A shift whose border is a row of x, broadcast to all rows; a row that is repeated once as numpy.pad does it.
func.func @border(%x: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<1x6xf32>) {
  %zero = sdy.constant dense<0.0> : tensor<f32>
  %seven = sdy.constant dense<7> : tensor<8x6xi32>
  %i = stablehlo.iota dim = 0 : tensor<8x6xi32>
  %last = stablehlo.compare EQ, %i, %seven, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %shift = stablehlo.pad %x, %zero, low = [-1, 0], high = [1, 0], interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  %row = stablehlo.slice %x [0:1, 0:6] : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %rows = stablehlo.broadcast_in_dim %row, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<8x6xf32>
  %0 = stablehlo.select %last, %rows, %shift : tensor<8x6xi1>, tensor<8x6xf32>
  %once = stablehlo.broadcast_in_dim %row, dims = [0, 2] : (tensor<1x6xf32>) -> tensor<1x1x6xf32>
  %1 = stablehlo.reshape %once : (tensor<1x1x6xf32>) -> tensor<1x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<1x6xf32>
}

// Kept: indices in too many pieces, indices that may wrap around, columns that are transposed, and a mask that changes in the middle.
func.func @kept(%x: tensor<8x8xf32>, %y: tensor<200xf32>) -> (tensor<10x8xf32>, tensor<200xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %two = stablehlo.constant dense<2> : tensor<10x1xi32>
  %h = stablehlo.iota dim = 0 : tensor<10x1xi32>
  %halves = stablehlo.divide %h, %two : tensor<10x1xi32>
  %i = stablehlo.iota dim = 0 : tensor<8x1xi32>
  %0 = "stablehlo.gather"(%x, %halves) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<8x8xf32>, tensor<10x1xi32>) -> tensor<10x8xf32>
  %j = stablehlo.iota dim = 0 : tensor<200x1xi8>
  %1 = "stablehlo.gather"(%y, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<200xf32>, tensor<200x1xi8>) -> tensor<200xf32>
  %2 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<8x8xf32>, tensor<8x1xi32>) -> tensor<8x8xf32>
  %four = stablehlo.constant dense<4> : tensor<8x8xi32>
  %k = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %half = stablehlo.compare LT, %k, %four, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %r = stablehlo.concatenate %x, %x, dim = 0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %s = stablehlo.slice %r [4:12, 0:8] : (tensor<16x8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.select %half, %x, %s : tensor<8x8xi1>, tensor<8x8xf32>
  return %0, %1, %2, %3 : tensor<10x8xf32>, tensor<200xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// Constant indices: a permutation of channels.
func.func @channels(%x: tensor<4x5x4xui8>) -> tensor<4x5x3xui8> {
  %at = stablehlo.constant dense<[[2], [1], [0]]> : tensor<3x1xi32>
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [2], start_index_map = [2], index_vector_dim = 1>, slice_sizes = array<i64: 4, 5, 1>}> : (tensor<4x5x4xui8>, tensor<3x1xi32>) -> tensor<4x5x3xui8>
  return %0 : tensor<4x5x3xui8>
}
