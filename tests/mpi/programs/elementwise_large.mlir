// A loop nest of so many elements that compiling it saves time after some executions
module @elementwise_large {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<1024x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<1024x512xf32>, tensor<1024xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.multiply %a, %a : tensor<1024x512xf32>
    %1 = stablehlo.subtract %0, %a : tensor<1024x512xf32>
    %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1024x512xf32>, tensor<f32>) -> tensor<1024xf32>
    return %1, %2 : tensor<1024x512xf32>, tensor<1024xf32>
  }
}
