// Shifts along two and three dimensions of tensors with concatenated borders: periodic, repeated and reflected ones
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<70x66xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %y: tensor<18x17x16xf32>) -> (tensor<70x66xf32>, tensor<18x17x16xf32>, tensor<70x66xf32>, tensor<72x66xf32>, tensor<72x4xf32>) {
  // periodic: the two shifts of the rows are read by shifts of the columns and by the sum itself
  %last = stablehlo.slice %x [69:70, 0:66] : (tensor<70x66xf32>) -> tensor<1x66xf32>
  %upper = stablehlo.slice %x [0:69, 0:66] : (tensor<70x66xf32>) -> tensor<69x66xf32>
  %down = stablehlo.concatenate %last, %upper, dim = 0 : (tensor<1x66xf32>, tensor<69x66xf32>) -> tensor<70x66xf32>
  %c0 = stablehlo.slice %down [0:70, 65:66] : (tensor<70x66xf32>) -> tensor<70x1xf32>
  %c1 = stablehlo.slice %down [0:70, 0:65] : (tensor<70x66xf32>) -> tensor<70x65xf32>
  %down_right = stablehlo.concatenate %c0, %c1, dim = 1 : (tensor<70x1xf32>, tensor<70x65xf32>) -> tensor<70x66xf32>
  %c2 = stablehlo.slice %down [0:70, 1:66] : (tensor<70x66xf32>) -> tensor<70x65xf32>
  %c3 = stablehlo.slice %down [0:70, 0:1] : (tensor<70x66xf32>) -> tensor<70x1xf32>
  %down_left = stablehlo.concatenate %c2, %c3, dim = 1 : (tensor<70x65xf32>, tensor<70x1xf32>) -> tensor<70x66xf32>
  %p0 = stablehlo.subtract %down_right, %down_left : tensor<70x66xf32>
  %p1 = stablehlo.multiply %p0, %down : tensor<70x66xf32>
  %periodic = stablehlo.add %p1, %x : tensor<70x66xf32>
  // repeated in three dimensions: the bordered tensor is sliced at two corners
  %f0 = stablehlo.slice %y [0:1, 0:17, 0:16] : (tensor<18x17x16xf32>) -> tensor<1x17x16xf32>
  %f1 = stablehlo.slice %y [17:18, 0:17, 0:16] : (tensor<18x17x16xf32>) -> tensor<1x17x16xf32>
  %b0 = stablehlo.concatenate %f0, %y, %f1, dim = 0 : (tensor<1x17x16xf32>, tensor<18x17x16xf32>, tensor<1x17x16xf32>) -> tensor<20x17x16xf32>
  %g0 = stablehlo.slice %b0 [0:20, 0:1, 0:16] : (tensor<20x17x16xf32>) -> tensor<20x1x16xf32>
  %g1 = stablehlo.slice %b0 [0:20, 16:17, 0:16] : (tensor<20x17x16xf32>) -> tensor<20x1x16xf32>
  %b1 = stablehlo.concatenate %g0, %b0, %g1, dim = 1 : (tensor<20x1x16xf32>, tensor<20x17x16xf32>, tensor<20x1x16xf32>) -> tensor<20x19x16xf32>
  %h0 = stablehlo.slice %b1 [0:20, 0:19, 0:1] : (tensor<20x19x16xf32>) -> tensor<20x19x1xf32>
  %h1 = stablehlo.slice %b1 [0:20, 0:19, 15:16] : (tensor<20x19x16xf32>) -> tensor<20x19x1xf32>
  %b2 = stablehlo.concatenate %h0, %b1, %h1, dim = 2 : (tensor<20x19x1xf32>, tensor<20x19x16xf32>, tensor<20x19x1xf32>) -> tensor<20x19x18xf32>
  %k0 = stablehlo.slice %b2 [0:18, 0:17, 2:18] : (tensor<20x19x18xf32>) -> tensor<18x17x16xf32>
  %k1 = stablehlo.slice %b2 [2:20, 2:19, 0:16] : (tensor<20x19x18xf32>) -> tensor<18x17x16xf32>
  %k2 = stablehlo.slice %b2 [1:19, 0:17, 1:17] : (tensor<20x19x18xf32>) -> tensor<18x17x16xf32>
  %r0 = stablehlo.subtract %k0, %k1 : tensor<18x17x16xf32>
  %repeated = stablehlo.multiply %r0, %k2 : tensor<18x17x16xf32>
  // reflected: the border is added at one end, then at the other
  %m0 = stablehlo.slice %x [1:2, 0:66] : (tensor<70x66xf32>) -> tensor<1x66xf32>
  %n0 = stablehlo.concatenate %m0, %x, dim = 0 : (tensor<1x66xf32>, tensor<70x66xf32>) -> tensor<71x66xf32>
  %m1 = stablehlo.slice %n0 [69:70, 0:66] : (tensor<71x66xf32>) -> tensor<1x66xf32>
  %n1 = stablehlo.concatenate %n0, %m1, dim = 0 : (tensor<71x66xf32>, tensor<1x66xf32>) -> tensor<72x66xf32>
  %q0 = stablehlo.slice %n1 [0:72, 1:2] : (tensor<72x66xf32>) -> tensor<72x1xf32>
  %n2 = stablehlo.concatenate %q0, %n1, dim = 1 : (tensor<72x1xf32>, tensor<72x66xf32>) -> tensor<72x67xf32>
  %q1 = stablehlo.slice %n2 [0:72, 65:66] : (tensor<72x67xf32>) -> tensor<72x1xf32>
  %n3 = stablehlo.concatenate %n2, %q1, dim = 1 : (tensor<72x67xf32>, tensor<72x1xf32>) -> tensor<72x68xf32>
  %s0 = stablehlo.slice %n3 [0:70, 2:68] : (tensor<72x68xf32>) -> tensor<70x66xf32>
  %s1 = stablehlo.slice %n3 [2:72, 1:67] : (tensor<72x68xf32>) -> tensor<70x66xf32>
  %reflected = stablehlo.subtract %s0, %s1 : tensor<70x66xf32>
  // a product reads the bordered tensor, too
  %w = stablehlo.concatenate %last, %x, %m0, dim = 0 : (tensor<1x66xf32>, tensor<70x66xf32>, tensor<1x66xf32>) -> tensor<72x66xf32>
  %negated = stablehlo.negate %w : tensor<72x66xf32>
  %thin = stablehlo.slice %x [0:66, 0:4] : (tensor<70x66xf32>) -> tensor<66x4xf32>
  %product = stablehlo.dot_general %w, %thin, contracting_dims = [1] x [0] : (tensor<72x66xf32>, tensor<66x4xf32>) -> tensor<72x4xf32>
  return %periodic, %repeated, %reflected, %negated, %product : tensor<70x66xf32>, tensor<18x17x16xf32>, tensor<70x66xf32>, tensor<72x66xf32>, tensor<72x4xf32>
}
