// Products without a sum, and batches of tiny products with a vector, are loop nests; other products stay
// RUN: shardopt -shardrun-lower-to-work %s
func.func @main(%a: tensor<5x3xf32>, %b: tensor<5x3xf32>, %m: tensor<4x5x2x3xf32>, %c: tensor<7xcomplex<f32>>, %d: tensor<2x7xcomplex<f32>>, %i: tensor<6xi32>)
    -> (tensor<5xf32>, tensor<5x4x2xf32>, tensor<7x2xcomplex<f32>>, tensor<6x6xi32>, tensor<5x5xf32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5xf32>
  %1 = stablehlo.dot_general %m, %a, batching_dims = [1] x [0], contracting_dims = [3] x [1] : (tensor<4x5x2x3xf32>, tensor<5x3xf32>) -> tensor<5x4x2xf32>
  %2 = stablehlo.dot_general %c, %d, batching_dims = [0] x [1], contracting_dims = [] x [] : (tensor<7xcomplex<f32>>, tensor<2x7xcomplex<f32>>) -> tensor<7x2xcomplex<f32>>
  %3 = stablehlo.dot_general %i, %i, contracting_dims = [] x [] : (tensor<6xi32>, tensor<6xi32>) -> tensor<6x6xi32>
  %4 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x5xf32>
  return %0, %1, %2, %3, %4 : tensor<5xf32>, tensor<5x4x2xf32>, tensor<7x2xcomplex<f32>>, tensor<6x6xi32>, tensor<5x5xf32>
}
