sdy.mesh @mesh = <["x"=4]>
sdy.mesh @other = <["x"=4], device_ids=[2, 3, 1, 0]>
func.func @main(%arg0: tensor<5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<5xi32> {sdy.sharding = #sdy.sharding<@other, [{"x"}]>})
    -> (tensor<5xi32> {sdy.sharding = #sdy.sharding<@other, [{"x"}]>}, tensor<i32>) {
  %0 = stablehlo.divide %arg0, %arg1 : tensor<5xi32>
  %c = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.multiply across dimensions = [0] : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<5xi32>, tensor<i32>
}
