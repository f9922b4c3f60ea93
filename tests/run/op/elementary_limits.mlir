// atan2 of infinities, and cbrt of the largest numbers, give the limits of the functions
// RUN: shardrun --interpret %s --input="8xf32=inf inf -inf -inf inf -1 1 -0" --input="8xf32=inf -inf inf -inf 2 inf -inf -inf" --input="4xf64=1.7976931348623157e308 -1.7976931348623157e308 inf 1e-310" --expected-output="8xf32=0.785398 2.35619 -0.785398 -2.35619 1.5708 -0 3.14159 -3.14159" --expected-output="8xf64=0.785398 2.35619 -0.785398 -2.35619 1.5708 -0 3.14159 -3.14159" --expected-output="4xf64=5.64380309412229e102 -5.64380309412229e102 inf 4.641588833612779e-104" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>, %c: tensor<4xf64>) -> (tensor<8xf32>, tensor<8xf64>, tensor<4xf64>) {
  %0 = stablehlo.atan2 %a, %b : tensor<8xf32>
  %1 = stablehlo.convert %a : (tensor<8xf32>) -> tensor<8xf64>
  %2 = stablehlo.convert %b : (tensor<8xf32>) -> tensor<8xf64>
  %3 = stablehlo.atan2 %1, %2 : tensor<8xf64>
  %4 = stablehlo.cbrt %c : tensor<4xf64>
  return %0, %3, %4 : tensor<8xf32>, tensor<8xf64>, tensor<4xf64>
}
