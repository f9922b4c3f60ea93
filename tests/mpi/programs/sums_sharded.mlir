// Sums along sharded and unsharded dimensions, a softmax and a product with an epilogue, on three devices
module @sums_sharded {
  sdy.mesh @mesh = <["x"=3]>
  func.func @main(%a: tensor<768x517xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                  %b: tensor<768x517xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                  %w: tensor<517x40xf32>) -> (tensor<768xf32>, tensor<517xf32>, tensor<f32>, tensor<768xbf16>, tensor<517xbf16>, tensor<768x517xf32>, tensor<768x40xf32>) {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %zb = stablehlo.constant dense<0.0> : tensor<bf16>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %s = stablehlo.sine %a : tensor<768x517xf32>
    %rows = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [1] : (tensor<768x517xf32>, tensor<f32>) -> tensor<768xf32>
    %columns = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0] : (tensor<768x517xf32>, tensor<f32>) -> tensor<517xf32>
    %all = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<768x517xf32>, tensor<f32>) -> tensor<f32>
    %rows_b = stablehlo.reduce(%b init: %zb) applies stablehlo.add across dimensions = [1] : (tensor<768x517xbf16>, tensor<bf16>) -> tensor<768xbf16>
    %columns_b = stablehlo.reduce(%b init: %zb) applies stablehlo.add across dimensions = [0] : (tensor<768x517xbf16>, tensor<bf16>) -> tensor<517xbf16>
    %m = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<768x517xf32>, tensor<f32>) -> tensor<768xf32>
    %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<768xf32>) -> tensor<768x517xf32>
    %d = stablehlo.subtract %a, %mb : tensor<768x517xf32>
    %e = stablehlo.exponential %d : tensor<768x517xf32>
    %es = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<768x517xf32>, tensor<f32>) -> tensor<768xf32>
    %eb = stablehlo.broadcast_in_dim %es, dims = [0] : (tensor<768xf32>) -> tensor<768x517xf32>
    %soft = stablehlo.divide %e, %eb : tensor<768x517xf32>
    %p = stablehlo.dot_general %soft, %w, contracting_dims = [1] x [0] : (tensor<768x517xf32>, tensor<517x40xf32>) -> tensor<768x40xf32>
    %t = stablehlo.tanh %p : tensor<768x40xf32>
    return %rows, %columns, %all, %rows_b, %columns_b, %soft, %t : tensor<768xf32>, tensor<517xf32>, tensor<f32>, tensor<768xbf16>, tensor<517xbf16>, tensor<768x517xf32>, tensor<768x40xf32>
  }
}
