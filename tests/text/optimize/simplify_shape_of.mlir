// shape_of a dynamic reshape is the reshape's shape operand; so is shape_of elementwise ops of the reshape
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<?xf32>, %s: tensor<1xindex>) -> (tensor<1xindex>, tensor<?xf32>, tensor<?xf32>) {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %1 = shape.shape_of %0 : tensor<?xf32> -> tensor<1xindex>
  %2 = stablehlo.sine %0 : tensor<?xf32>
  %3 = stablehlo.dynamic_reshape %2, %s : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %4 = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %5 = stablehlo.dynamic_broadcast_in_dim %x, %4, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %1, %3, %5 : tensor<1xindex>, tensor<?xf32>, tensor<?xf32>
}
