sdy.mesh @mesh = <["x"=2]>
func.func @main(%x1: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %x2: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %x3: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<5x6xf32>, %u: tensor<5x5xf32>) -> (tensor<4x5xf32>, tensor<6x5xf32>) {
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
  %a1 = stablehlo.dot_general %x1, %t, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
  %h1 = stablehlo.tanh %a1 : tensor<4x5xf32>
  %r1 = stablehlo.dot_general %h1, %u, contracting_dims = [1] x [0] : (tensor<4x5xf32>, tensor<5x5xf32>) -> tensor<4x5xf32>
  %a2 = stablehlo.dot_general %x2, %t, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
  %s2 = stablehlo.add %r1, %a2 : tensor<4x5xf32>
  %h2 = stablehlo.tanh %s2 : tensor<4x5xf32>
  %r2 = stablehlo.dot_general %h2, %u, contracting_dims = [1] x [0] : (tensor<4x5xf32>, tensor<5x5xf32>) -> tensor<4x5xf32>
  %a3 = stablehlo.dot_general %x3, %t, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
  %s3 = stablehlo.subtract %a3, %r2 : tensor<4x5xf32>
  %h3 = stablehlo.tanh %s3 : tensor<4x5xf32>
  %g1 = stablehlo.dot_general %h1, %x1, contracting_dims = [0] x [0] : (tensor<4x5xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
  %g1t = stablehlo.transpose %g1, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
  %g2 = stablehlo.dot_general %h2, %x2, contracting_dims = [0] x [0] : (tensor<4x5xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
  %g2t = stablehlo.transpose %g2, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
  %g3 = stablehlo.dot_general %x3, %h3, contracting_dims = [0] x [0] : (tensor<4x6xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  %g = stablehlo.add %g1t, %g2t : tensor<6x5xf32>
  %gg = stablehlo.add %g, %g3 : tensor<6x5xf32>
  %sum = stablehlo.add %gg, %t : tensor<6x5xf32>
  return %h3, %sum : tensor<4x5xf32>, tensor<6x5xf32>
}
