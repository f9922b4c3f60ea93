// A slow step with sums over all devices, which are added in the order of the mesh
module @slow {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%state: tensor<64x16xf32> {tf.aliasing_output = 0 : i32, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("state"),
                  %seen: tensor<16xf32> {tf.aliasing_output = 1 : i32} loc("seen"))
      -> (tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<16xf32>, tensor<f32> {jax.result_info = "mean"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %end = stablehlo.constant dense<300> : tensor<i32>
    %from = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%i = %from, %v = %state) : tensor<i32>, tensor<64x16xf32>
     cond {
      %t = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %part = stablehlo.constant dense<0.01> : tensor<16xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %s = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x16xf32>, tensor<f32>) -> tensor<16xf32>
      %m = stablehlo.multiply %s, %part : tensor<16xf32>
      %c = stablehlo.cosine %v : tensor<64x16xf32>
      %b = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<16xf32>) -> tensor<64x16xf32>
      %w = stablehlo.add %c, %b : tensor<64x16xf32>
      stablehlo.return %j, %w : tensor<i32>, tensor<64x16xf32>
    }
    %sums = stablehlo.reduce(%0#1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x16xf32>, tensor<f32>) -> tensor<16xf32>
    %all = stablehlo.add %seen, %sums : tensor<16xf32>
    %mean = stablehlo.reduce(%all init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    return %0#1, %all, %mean : tensor<64x16xf32>, tensor<16xf32>, tensor<f32>
  }
}
