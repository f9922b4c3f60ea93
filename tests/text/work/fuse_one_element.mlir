// Nests read an element of a small array themselves, though a kernel call reads it, too. A rotation by amounts[k] in each round is one nest.
// RUN: shardopt -shardrun-lower-to-work -shardrun-fuse %s
func.func @main(%a: tensor<1000xui32>, %b: tensor<1000xui32>, %amounts: tensor<4xui32>) -> (tensor<1000xui32>, tensor<1000xui32>) {
  %c32 = stablehlo.constant dense<32> : tensor<ui32>
  %s0 = stablehlo.slice %amounts [0:1] : (tensor<4xui32>) -> tensor<1xui32>
  %r0 = stablehlo.reshape %s0 : (tensor<1xui32>) -> tensor<ui32>
  %d0 = stablehlo.subtract %c32, %r0 : tensor<ui32>
  %x0 = stablehlo.add %a, %b : tensor<1000xui32>
  %l0 = stablehlo.broadcast_in_dim %r0, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
  %h0 = stablehlo.broadcast_in_dim %d0, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
  %p0 = stablehlo.shift_left %b, %l0 : tensor<1000xui32>
  %q0 = stablehlo.shift_right_logical %b, %h0 : tensor<1000xui32>
  %o0 = stablehlo.or %p0, %q0 : tensor<1000xui32>
  %y0 = stablehlo.xor %x0, %o0 : tensor<1000xui32>
  %s1 = stablehlo.slice %amounts [1:2] : (tensor<4xui32>) -> tensor<1xui32>
  %r1 = stablehlo.reshape %s1 : (tensor<1xui32>) -> tensor<ui32>
  %d1 = stablehlo.subtract %c32, %r1 : tensor<ui32>
  %x1 = stablehlo.add %x0, %y0 : tensor<1000xui32>
  %l1 = stablehlo.broadcast_in_dim %r1, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
  %h1 = stablehlo.broadcast_in_dim %d1, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
  %p1 = stablehlo.shift_left %y0, %l1 : tensor<1000xui32>
  %q1 = stablehlo.shift_right_logical %y0, %h1 : tensor<1000xui32>
  %o1 = stablehlo.or %p1, %q1 : tensor<1000xui32>
  %y1 = stablehlo.xor %x1, %o1 : tensor<1000xui32>
  return %x1, %y1 : tensor<1000xui32>, tensor<1000xui32>
}
