// Sums, greatest and last messages of the edges of a graph: 210 edges among 50 nodes, some of them with a target out of bounds.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<50x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %r: tensor<210x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<1x32xf32>) -> (tensor<50x32xf32>, tensor<50x32xf32>, tensor<50x32xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<50x32xf32>
  %i = stablehlo.iota dim = 0 : tensor<210x1xi32>
  %seven = stablehlo.constant dense<7> : tensor<210x1xi32>
  %n = stablehlo.constant dense<53> : tensor<210x1xi32>
  %p = stablehlo.multiply %i, %seven : tensor<210x1xi32>
  %to = stablehlo.remainder %p, %n : tensor<210x1xi32>
  %q = stablehlo.multiply %p, %seven : tensor<210x1xi32>
  %from = stablehlo.remainder %q, %n : tensor<210x1xi32>
  %h = "stablehlo.gather"(%x, %from) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 32>}> : (tensor<50x32xf32>, tensor<210x1xi32>) -> tensor<210x32xf32>
  %f = stablehlo.dot_general %r, %w, contracting_dims = [1] x [0] : (tensor<210x1xf32>, tensor<1x32xf32>) -> tensor<210x32xf32>
  %m = stablehlo.multiply %h, %f : tensor<210x32xf32>
  %sums = "stablehlo.scatter"(%zero, %to, %m) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<50x32xf32>, tensor<210x1xi32>, tensor<210x32xf32>) -> tensor<50x32xf32>
  %other = stablehlo.remainder %i, %n : tensor<210x1xi32>
  %g = "stablehlo.gather"(%x, %other) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 32>}> : (tensor<50x32xf32>, tensor<210x1xi32>) -> tensor<210x32xf32>
  %s = stablehlo.sine %g : tensor<210x32xf32>
  %greatest = "stablehlo.scatter"(%x, %to, %s) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<50x32xf32>, tensor<210x1xi32>, tensor<210x32xf32>) -> tensor<50x32xf32>
  %k = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<210x1xf32>) -> tensor<210x32xf32>
  %l = stablehlo.tanh %k : tensor<210x32xf32>
  %last = "stablehlo.scatter"(%zero, %to, %l) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<50x32xf32>, tensor<210x1xi32>, tensor<210x32xf32>) -> tensor<50x32xf32>
  return %sums, %greatest, %last : tensor<50x32xf32>, tensor<50x32xf32>, tensor<50x32xf32>
}
