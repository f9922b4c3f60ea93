sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %c: tensor<2xf64>, %d: tensor<1048576xf32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<2xi64>, tensor<1048576xi32>) {
  %0 = stablehlo.multiply %a, %b : tensor<4xf32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<4xf32>) -> tensor<4xi32>
  %2 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<4xf32>) -> tensor<4xi32>
  %4 = stablehlo.multiply %c, %c : tensor<2xf64>
  %5 = stablehlo.bitcast_convert %4 : (tensor<2xf64>) -> tensor<2xi64>
  %6 = stablehlo.multiply %d, %d : tensor<1048576xf32>
  %7 = stablehlo.bitcast_convert %6 : (tensor<1048576xf32>) -> tensor<1048576xi32>
  return %1, %3, %5, %7 : tensor<4xi32>, tensor<4xi32>, tensor<2xi64>, tensor<1048576xi32>
}
