// A gather that fills elements out of bounds has a mask that reduces comparisons of index vectors by stablehlo.and. If the index
// vectors follow from iotas, the gather, mask and select become a pad of a slice.
// RUN: shardopt %s -shardrun-simplify -cse -dce
// jnp: u.at[jnp.ix_(arange(8) - 1, arange(6) + 1)].get(mode="fill", fill_value=v), where -1 is replaced by 8.
func.func @filled(%u: tensor<8x6xf32>, %v: tensor<f32>) -> tensor<8x6xf32> {
  %i = stablehlo.iota dim = 0 : tensor<8x6x1xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x6x1xi32>
  %one = stablehlo.constant dense<1> : tensor<8x6x1xi32>
  %zero = stablehlo.constant dense<0> : tensor<8x6x1xi32>
  %eight = stablehlo.constant dense<8> : tensor<8x6x1xi32>
  %before = stablehlo.subtract %i, %one : tensor<8x6x1xi32>
  %negative = stablehlo.compare LT, %before, %zero, SIGNED : (tensor<8x6x1xi32>, tensor<8x6x1xi32>) -> tensor<8x6x1xi1>
  %row = stablehlo.select %negative, %eight, %before : tensor<8x6x1xi1>, tensor<8x6x1xi32>
  %column = stablehlo.add %j, %one : tensor<8x6x1xi32>
  %indices = stablehlo.concatenate %row, %column, dim = 2 : (tensor<8x6x1xi32>, tensor<8x6x1xi32>) -> tensor<8x6x2xi32>
  %zeros = stablehlo.constant dense<0> : tensor<8x6x2xi32>
  %last = stablehlo.constant dense<[7, 5]> : tensor<2xi32>
  %ends = stablehlo.broadcast_in_dim %last, dims = [2] : (tensor<2xi32>) -> tensor<8x6x2xi32>
  %ge = stablehlo.compare GE, %indices, %zeros, SIGNED : (tensor<8x6x2xi32>, tensor<8x6x2xi32>) -> tensor<8x6x2xi1>
  %le = stablehlo.compare LE, %indices, %ends, SIGNED : (tensor<8x6x2xi32>, tensor<8x6x2xi32>) -> tensor<8x6x2xi1>
  %inside = stablehlo.and %ge, %le : tensor<8x6x2xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %mask = stablehlo.reduce(%inside init: %true) applies stablehlo.and across dimensions = [2] : (tensor<8x6x2xi1>, tensor<i1>) -> tensor<8x6xi1>
  %x = "stablehlo.gather"(%u, %indices) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x6xf32>, tensor<8x6x2xi32>) -> tensor<8x6xf32>
  %fill = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
  %y = stablehlo.select %mask, %x, %fill : tensor<8x6xi1>, tensor<8x6xf32>
  return %y : tensor<8x6xf32>
}

// One component of the index vectors is an argument: the reduce stays.
func.func @argument(%u: tensor<8xi32>) -> tensor<8xi1> {
  %i = stablehlo.iota dim = 0 : tensor<8x1xi32>
  %k = stablehlo.reshape %u : (tensor<8xi32>) -> tensor<8x1xi32>
  %indices = stablehlo.concatenate %i, %k, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
  %zeros = stablehlo.constant dense<0> : tensor<8x2xi32>
  %ge = stablehlo.compare GE, %indices, %zeros, SIGNED : (tensor<8x2xi32>, tensor<8x2xi32>) -> tensor<8x2xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %mask = stablehlo.reduce(%ge init: %true) applies stablehlo.and across dimensions = [1] : (tensor<8x2xi1>, tensor<i1>) -> tensor<8xi1>
  return %mask : tensor<8xi1>
}
