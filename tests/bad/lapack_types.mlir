// A LAPACK call whose results have other types than the routine's fails when it is executed
// RUN: shardrun --run=false %s 2>%t/plan && shardrun %s
// EXIT: 4

func.func @main() -> (tensor<2x2xf64>, tensor<2xf32>) {
  %a = stablehlo.constant dense<[[2.0, 1.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %0:2 = stablehlo.custom_call @Eigh(%a) {backend_config = "1,1,100,1e-6"} : (tensor<2x2xf32>) -> (tensor<2x2xf64>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2x2xf64>, tensor<2xf32>
}
