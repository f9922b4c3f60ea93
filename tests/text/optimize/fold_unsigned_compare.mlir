// Integers are compared as signed or unsigned according to the op's attribute.
// RUN: shardopt %s --stablehlo-aggressive-folder

func.func @main() -> (tensor<i1>, tensor<i1>) {
  %a = stablehlo.constant dense<-1> : tensor<i8>
  %b = stablehlo.constant dense<1> : tensor<i8>
  %0 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
  %1 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
  return %0, %1 : tensor<i1>, tensor<i1>
}
