// Constant results of a call are used as constants; the call stays if its callee has side effects.
// RUN: shardopt %s --stablehlo-refine-shapes

func.func @main() -> tensor<?xf32> {
  %0:2 = call @f() : () -> (tensor<1xi64>, tensor<1xi64>)
  %1 = call @g() : () -> tensor<1xi64>
  %2 = stablehlo.add %0#0, %1 : tensor<1xi64>
  %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
func.func private @f() -> (tensor<1xi64>, tensor<1xi64>) {
  %0 = stablehlo.constant dense<3> : tensor<1xi64>
  stablehlo.custom_call @effect() {has_side_effect = true} : () -> ()
  return %0, %0 : tensor<1xi64>, tensor<1xi64>
}
func.func private @g() -> tensor<1xi64> {
  %0 = stablehlo.constant dense<2> : tensor<1xi64>
  return %0 : tensor<1xi64>
}
