// Leading constant integers of a call become constants in the callee, which loses the arguments.
// RUN: shardopt %s --stablehlo-refine-shapes

func.func @main(%x: tensor<6xf32>) -> tensor<?xf32> {
  %n = stablehlo.constant dense<6> : tensor<i32>
  %0 = stablehlo.convert %x : (tensor<6xf32>) -> tensor<?xf32>
  %1 = call @twice(%n, %0) {arg_attrs = [{here.is = "n"}, {here.is = "x"}]} : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func private @twice(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %n, %n : tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %3 = stablehlo.concatenate %2, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
