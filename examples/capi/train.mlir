// One step of gradient descent: new weights in the memory of the old ones, and the loss. Rows of x are shared by 4 devices.
module @train attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["data"=4]>
  func.func @main(%w: tensor<2xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>},
                  %x: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                  %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>})
      -> (tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<f32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %rate = stablehlo.constant dense<0.05> : tensor<2xf32>
    %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2xf32>) -> tensor<8xf32>
    %e = stablehlo.subtract %p, %y : tensor<8xf32>
    %s = stablehlo.multiply %e, %e : tensor<8xf32>
    %loss = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %g = stablehlo.dot_general %e, %x, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8x2xf32>) -> tensor<2xf32>
    %d = stablehlo.multiply %rate, %g : tensor<2xf32>
    %new = stablehlo.subtract %w, %d : tensor<2xf32>
    return %new, %loss : tensor<2xf32>, tensor<f32>
  }
}
