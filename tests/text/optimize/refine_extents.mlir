// shape.assuming of legalized chlo broadcasts is replaced by its body once the shapes are known.
// RUN: shardopt %s --stablehlo-refine-shapes

func.func @main(%a: tensor<4xf32>, %b: tensor<3x1xf32>, %n: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %c = stablehlo.constant dense<[4]> : tensor<1xi64>
  %x = stablehlo.dynamic_reshape %a, %c : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  %0 = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %1 = shape.shape_of %b : tensor<3x1xf32> -> tensor<2xindex>
  %2 = shape.cstr_broadcastable %0, %1 : tensor<1xindex>, tensor<2xindex>
  %3 = shape.assuming %2 -> (tensor<?x?xf32>) {
    %8 = shape.broadcast %0, %1 : tensor<1xindex>, tensor<2xindex> -> tensor<2xindex>
    %9 = stablehlo.dynamic_broadcast_in_dim %x, %8, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %10 = stablehlo.dynamic_broadcast_in_dim %b, %8, dims = [0, 1] : (tensor<3x1xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %11 = stablehlo.add %9, %10 : tensor<?x?xf32>
    shape.assuming_yield %11 : tensor<?x?xf32>
  }
  // dynamic: it stays
  %4 = shape.shape_of %n : tensor<?xf32> -> tensor<1xindex>
  %5 = shape.cstr_broadcastable %0, %4 : tensor<1xindex>, tensor<1xindex>
  %6 = shape.assuming %5 -> (tensor<?xf32>) {
    %8 = shape.broadcast %0, %4 : tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>
    %9 = stablehlo.dynamic_broadcast_in_dim %x, %8, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
    shape.assuming_yield %9 : tensor<?xf32>
  }
  return %3, %6 : tensor<?x?xf32>, tensor<?xf32>
}
