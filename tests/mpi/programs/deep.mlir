module @deep attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=2]>
  func.func public @main(%w0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %w1: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %w2: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %w3: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %w4: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %w5: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %x: tensor<512x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) {
    %p0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %h0 = stablehlo.tanh %p0 : tensor<512x64xf32>
    %p1 = stablehlo.dot_general %h0, %w1, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %h1 = stablehlo.tanh %p1 : tensor<512x64xf32>
    %p2 = stablehlo.dot_general %h1, %w2, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %h2 = stablehlo.tanh %p2 : tensor<512x64xf32>
    %p3 = stablehlo.dot_general %h2, %w3, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %h3 = stablehlo.tanh %p3 : tensor<512x64xf32>
    %p4 = stablehlo.dot_general %h3, %w4, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %h4 = stablehlo.tanh %p4 : tensor<512x64xf32>
    %p5 = stablehlo.dot_general %h4, %w5, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %h5 = stablehlo.tanh %p5 : tensor<512x64xf32>
    %c5 = stablehlo.multiply %h5, %h5 : tensor<512x64xf32>
    %d5 = stablehlo.multiply %c5, %p5 : tensor<512x64xf32>
    %g5 = stablehlo.dot_general %h4, %d5, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
    %b5 = stablehlo.dot_general %d5, %w5, contracting_dims = [1] x [1] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %s5 = stablehlo.tanh %b5 : tensor<512x64xf32>
    %c4 = stablehlo.multiply %h4, %s5 : tensor<512x64xf32>
    %d4 = stablehlo.multiply %c4, %p4 : tensor<512x64xf32>
    %g4 = stablehlo.dot_general %h3, %d4, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
    %b4 = stablehlo.dot_general %d4, %w4, contracting_dims = [1] x [1] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %s4 = stablehlo.tanh %b4 : tensor<512x64xf32>
    %c3 = stablehlo.multiply %h3, %s4 : tensor<512x64xf32>
    %d3 = stablehlo.multiply %c3, %p3 : tensor<512x64xf32>
    %g3 = stablehlo.dot_general %h2, %d3, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
    %b3 = stablehlo.dot_general %d3, %w3, contracting_dims = [1] x [1] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %s3 = stablehlo.tanh %b3 : tensor<512x64xf32>
    %c2 = stablehlo.multiply %h2, %s3 : tensor<512x64xf32>
    %d2 = stablehlo.multiply %c2, %p2 : tensor<512x64xf32>
    %g2 = stablehlo.dot_general %h1, %d2, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
    %b2 = stablehlo.dot_general %d2, %w2, contracting_dims = [1] x [1] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %s2 = stablehlo.tanh %b2 : tensor<512x64xf32>
    %c1 = stablehlo.multiply %h1, %s2 : tensor<512x64xf32>
    %d1 = stablehlo.multiply %c1, %p1 : tensor<512x64xf32>
    %g1 = stablehlo.dot_general %h0, %d1, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
    %b1 = stablehlo.dot_general %d1, %w1, contracting_dims = [1] x [1] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %s1 = stablehlo.tanh %b1 : tensor<512x64xf32>
    %c0 = stablehlo.multiply %h0, %s1 : tensor<512x64xf32>
    %d0 = stablehlo.multiply %c0, %p0 : tensor<512x64xf32>
    %g0 = stablehlo.dot_general %x, %d0, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
    %b0 = stablehlo.dot_general %d0, %w0, contracting_dims = [1] x [1] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %s0 = stablehlo.tanh %b0 : tensor<512x64xf32>
    return %g0, %g1, %g2, %g3, %g4, %g5 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  }
}
