// The ops of the shape dialect, and tensor.cast, are parsed and printed in their custom forms.
// RUN: shardopt %s
func.func @f(%a: tensor<?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %t = shape.const_shape [2, 3] : tensor<2xindex>
  %w = shape.cstr_broadcastable %s, %t : tensor<1xindex>, tensor<2xindex>
  %r = shape.assuming %w -> (tensor<?x?xf32>) {
    %e = shape.broadcast %s, %t : tensor<1xindex>, tensor<2xindex> -> tensor<2xindex>
    %x = stablehlo.dynamic_broadcast_in_dim %a, %e, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    shape.assuming_yield %x : tensor<?x?xf32>
  }
  shape.assuming %w {
    shape.assuming_yield
  }
  %c = tensor.cast %r : tensor<?x?xf32> to tensor<?x2xf32>
  return %r : tensor<?x?xf32>
}
