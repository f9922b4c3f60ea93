// Gathers at indices that follow from iotas: wrapped around, clamped, masked, reversed, along both dimensions; a shift with another border
// RUN: shardrun --interpret %s --input="9x5xf32=1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45" --input="f32=-1" --expected-output="9x5xf32=36 37 38 39 40 41 42 43 44 45 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35" --expected-output="9x5xf32=6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 41 42 43 44 45" --expected-output="9x5xf32=6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 -1 -1 -1 -1 -1" --expected-output="9x5xf32=41 42 43 44 45 36 37 38 39 40 31 32 33 34 35 26 27 28 29 30 21 22 23 24 25 16 17 18 19 20 11 12 13 14 15 6 7 8 9 10 1 2 3 4 5" --expected-output="9x5xf32=4 5 1 2 3 9 10 6 7 8 14 15 11 12 13 19 20 16 17 18 24 25 21 22 23 29 30 26 27 28 34 35 31 32 33 39 40 36 37 38 44 45 41 42 43" --expected-output="9x5xf32=25 24 23 22 21 30 29 28 27 26 35 34 33 32 31 40 39 38 37 36 45 44 43 42 41 5 4 3 2 1 10 9 8 7 6 15 14 13 12 11 20 19 18 17 16" --expected-output="9x5xf32=1 2 3 4 5 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%x: tensor<9x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %v: tensor<f32>) -> (tensor<9x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<9x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<9x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<9x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<9x5xf32>, tensor<9x5xf32>, tensor<9x5xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<9x1xi64>
  %one = stablehlo.constant dense<1> : tensor<9x1xi64>
  %two = stablehlo.constant dense<2> : tensor<9x1xi64>
  %last = stablehlo.constant dense<8> : tensor<9x1xi64>
  %n = stablehlo.constant dense<9> : tensor<9x1xi64>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %i = stablehlo.iota dim = 0 : tensor<9x1xi64>
  %shifted = stablehlo.subtract %i, %two : tensor<9x1xi64>
  %rem = stablehlo.remainder %shifted, %n : tensor<9x1xi64>
  %negative = stablehlo.compare LT, %rem, %zero, SIGNED : (tensor<9x1xi64>, tensor<9x1xi64>) -> tensor<9x1xi1>
  %fixed = stablehlo.add %rem, %n : tensor<9x1xi64>
  %mod = stablehlo.select %negative, %fixed, %rem : tensor<9x1xi1>, tensor<9x1xi64>
  %0 = "stablehlo.gather"(%x, %mod) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<9x5xf32>, tensor<9x1xi64>) -> tensor<9x5xf32>
  %next = stablehlo.add %i, %one : tensor<9x1xi64>
  %clamped = stablehlo.minimum %next, %last : tensor<9x1xi64>
  %1 = "stablehlo.gather"(%x, %clamped) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<9x5xf32>, tensor<9x1xi64>) -> tensor<9x5xf32>
  %inside = stablehlo.compare LE, %next, %last, SIGNED : (tensor<9x1xi64>, tensor<9x1xi64>) -> tensor<9x1xi1>
  %mask = stablehlo.reduce(%inside init: %true) applies stablehlo.and across dimensions = [1] : (tensor<9x1xi1>, tensor<i1>) -> tensor<9xi1>
  %masks = stablehlo.broadcast_in_dim %mask, dims = [0] : (tensor<9xi1>) -> tensor<9x5xi1>
  %fill = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<9x5xf32>
  %2 = stablehlo.select %masks, %1, %fill : tensor<9x5xi1>, tensor<9x5xf32>
  %backward = stablehlo.subtract %last, %i : tensor<9x1xi64>
  %3 = "stablehlo.gather"(%x, %backward) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<9x5xf32>, tensor<9x1xi64>) -> tensor<9x5xf32>
  %j = stablehlo.iota dim = 0 : tensor<5xui8>
  %three = stablehlo.constant dense<3> : tensor<5xui8>
  %five = stablehlo.constant dense<5> : tensor<5xui8>
  %right = stablehlo.add %j, %three : tensor<5xui8>
  %columns = stablehlo.remainder %right, %five : tensor<5xui8>
  %4 = "stablehlo.gather"(%x, %columns) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 9, 1>}> : (tensor<9x5xf32>, tensor<5xui8>) -> tensor<9x5xf32>
  %r = stablehlo.iota dim = 0 : tensor<9x5x1xi32>
  %c = stablehlo.iota dim = 1 : tensor<9x5x1xi32>
  %fours = stablehlo.constant dense<4> : tensor<9x5x1xi32>
  %nines = stablehlo.constant dense<9> : tensor<9x5x1xi32>
  %down = stablehlo.add %r, %fours : tensor<9x5x1xi32>
  %rows = stablehlo.remainder %down, %nines : tensor<9x5x1xi32>
  %left = stablehlo.subtract %fours, %c : tensor<9x5x1xi32>
  %pairs = stablehlo.concatenate %rows, %left, dim = 2 : (tensor<9x5x1xi32>, tensor<9x5x1xi32>) -> tensor<9x5x2xi32>
  %5 = "stablehlo.gather"(%x, %pairs) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<9x5xf32>, tensor<9x5x2xi32>) -> tensor<9x5xf32>
  %bottom = stablehlo.slice %x [8:9, 0:5] : (tensor<9x5xf32>) -> tensor<1x5xf32>
  %above = stablehlo.slice %x [0:8, 0:5] : (tensor<9x5xf32>) -> tensor<8x5xf32>
  %rolled = stablehlo.concatenate %bottom, %above, dim = 0 : (tensor<1x5xf32>, tensor<8x5xf32>) -> tensor<9x5xf32>
  %k = stablehlo.iota dim = 0 : tensor<9x5xi32>
  %zeros = stablehlo.constant dense<0> : tensor<9x5xi32>
  %first = stablehlo.compare EQ, %k, %zeros, SIGNED : (tensor<9x5xi32>, tensor<9x5xi32>) -> tensor<9x5xi1>
  %6 = stablehlo.select %first, %x, %rolled : tensor<9x5xi1>, tensor<9x5xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<9x5xf32>, tensor<9x5xf32>, tensor<9x5xf32>, tensor<9x5xf32>, tensor<9x5xf32>, tensor<9x5xf32>, tensor<9x5xf32>
}
