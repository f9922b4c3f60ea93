// Scatter updates that are a splat (a constant, or an argument's one element) need no instruction and no memory, unless another op reads them
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%to: tensor<256xi64>, %i: tensor<4096x1xi32>, %x: tensor<f32>, %y: tensor<4096xf32>) -> (tensor<256xi64>, tensor<256xf32>, tensor<256xf32>, tensor<4096xf32>) {
  %one = stablehlo.constant dense<1> : tensor<4096xi64>
  %0 = "stablehlo.scatter"(%to, %i, %one) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) : (tensor<256xi64>, tensor<4096x1xi32>, tensor<4096xi64>) -> tensor<256xi64>
  %zeros = stablehlo.constant dense<0.0> : tensor<256xf32>
  %xs = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<4096xf32>
  %1 = "stablehlo.scatter"(%zeros, %i, %xs) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<256xf32>, tensor<4096x1xi32>, tensor<4096xf32>) -> tensor<256xf32>
  %halves = stablehlo.constant dense<0.5> : tensor<4096xf32>
  %2 = "stablehlo.scatter"(%zeros, %i, %halves) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<256xf32>, tensor<4096x1xi32>, tensor<4096xf32>) -> tensor<256xf32>
  %3:2 = "stablehlo.sort"(%y, %halves) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %l = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<4096xf32>, tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>)
  return %0, %1, %2, %3#1 : tensor<256xi64>, tensor<256xf32>, tensor<256xf32>, tensor<4096xf32>
}
