// A gather at indices that follow from iotas fills elements out of bounds along both dimensions, as jnp.ndarray.at[].get(mode="fill") does
// RUN: shardrun --interpret %s --input="8x6xf32=-0.8 -1.32 -0.25 0.42 1.14 0.11 -0.55 -0.78 0.75 1.63 0.27 -1.23 -0.96 1.6 0.2 -1.73 -0.08 -1.16 -0.63 -0.49 -0.71 0.55 -0.06 -0.59 0.41 0.83 -1.64 -0.26 -0.98 -0.17 -1.29 0.02 -0.04 -0.3 -1.05 -0.4 -1.09 -1.36 0.22 -1.11 1.17 0.72 -2.0 0.27 -1.1 0.03 0.04 -1.99" --input="f32=2.5" --expected-output="8x6xf32=2.5 2.5 2.5 2.5 2.5 2.5 -1.32 -0.25 0.42 1.14 0.11 2.5 -0.78 0.75 1.63 0.27 -1.23 2.5 1.6 0.2 -1.73 -0.08 -1.16 2.5 -0.49 -0.71 0.55 -0.06 -0.59 2.5 0.83 -1.64 -0.26 -0.98 -0.17 2.5 0.02 -0.04 -0.3 -1.05 -0.4 2.5 -1.36 0.22 -1.11 1.17 0.72 2.5" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%u: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %v: tensor<f32>) -> (tensor<8x6xf32>) {
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
