// Attention with a bias that is a reshape of a list, or of rows of 3 x 7: a block of rows, or of columns, is not a reshape of a block of the operand
// RUN: shardrun -q --strip-mine=off %s --output=@%t/o.npy --output=@%t/p.npy && shardrun -q --strip-mine=on %s --expected-output=@%t/o.npy --expected-output=@%t/p.npy >/dev/null
func.func @main(%q: tensor<2x21x3xf32>, %k: tensor<2x21x3xf32>, %v: tensor<2x21x3xf32>, %list: tensor<441xf32>) -> (tensor<2x21x3xf32>, tensor<2x21x3xf32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x21x3xf32>, tensor<2x21x3xf32>) -> tensor<2x21x21xf32>
  %sines = stablehlo.sine %list : tensor<441xf32>
  %bias = stablehlo.reshape %sines : (tensor<441xf32>) -> tensor<21x21xf32>
  %biases = stablehlo.broadcast_in_dim %bias, dims = [1, 2] : (tensor<21x21xf32>) -> tensor<2x21x21xf32>
  %x = stablehlo.add %s, %biases : tensor<2x21x21xf32>
  %e = stablehlo.exponential %x : tensor<2x21x21xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
  %ns = stablehlo.broadcast_in_dim %n, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
  %p = stablehlo.divide %e, %ns : tensor<2x21x21xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x21x21xf32>, tensor<2x21x3xf32>) -> tensor<2x21x3xf32>

  %t = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x21x3xf32>, tensor<2x21x3xf32>) -> tensor<2x21x21xf32>
  %steps = stablehlo.iota dim = 2 : tensor<21x3x7xf32>
  %cosines = stablehlo.tanh %steps : tensor<21x3x7xf32>
  %other_bias = stablehlo.reshape %cosines : (tensor<21x3x7xf32>) -> tensor<21x21xf32>
  %other_biases = stablehlo.broadcast_in_dim %other_bias, dims = [1, 2] : (tensor<21x21xf32>) -> tensor<2x21x21xf32>
  %y = stablehlo.add %t, %other_biases : tensor<2x21x21xf32>
  %i = stablehlo.iota dim = 0 : tensor<21x21xi32>
  %j = stablehlo.iota dim = 1 : tensor<21x21xi32>
  %is_before = stablehlo.compare GE, %i, %j : (tensor<21x21xi32>, tensor<21x21xi32>) -> tensor<21x21xi1>
  %mask = stablehlo.broadcast_in_dim %is_before, dims = [1, 2] : (tensor<21x21xi1>) -> tensor<2x21x21xi1>
  %masked = stablehlo.constant dense<-1.0e30> : tensor<2x21x21xf32>
  %z = stablehlo.select %mask, %y, %masked : tensor<2x21x21xi1>, tensor<2x21x21xf32>
  %most = stablehlo.reduce(%z init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
  %mosts = stablehlo.broadcast_in_dim %most, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
  %d = stablehlo.subtract %z, %mosts : tensor<2x21x21xf32>
  %f = stablehlo.exponential %d : tensor<2x21x21xf32>
  %m = stablehlo.reduce(%f init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
  %ms = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
  %r = stablehlo.divide %f, %ms : tensor<2x21x21xf32>
  %u = stablehlo.dot_general %r, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x21x21xf32>, tensor<2x21x3xf32>) -> tensor<2x21x3xf32>
  return %o, %u : tensor<2x21x3xf32>, tensor<2x21x3xf32>
}
