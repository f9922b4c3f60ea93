// Shapes that are computed from an argument's dimensions become static.
// RUN: shardopt %s --stablehlo-refine-arguments="types=tensor<6x4xf32>" --stablehlo-refine-shapes --stablehlo-canonicalize-dynamism

func.func @main(%x: tensor<?x4xf32>) -> tensor<?x8xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %m = stablehlo.subtract %n, %one : tensor<i32>
  %rows = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.constant dense<8> : tensor<1xi32>
  %shape = stablehlo.concatenate %rows, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %row = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %y = stablehlo.dynamic_broadcast_in_dim %row, %shape, dims = [1] : (tensor<8xf32>, tensor<2xi32>) -> tensor<?x8xf32>
  %z = stablehlo.abs %y : tensor<?x8xf32>
  return %z : tensor<?x8xf32>
}
