// If a callee's argument has no sharding and another argument has one, the operand is resharded to an open sharding
// RUN: shardopt %s -sdy-insert-explicit-reshards
sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, %arg1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = func.call @of_argument(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @of_operand(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
func.func private @of_argument(%arg0: tensor<4xf32>, %arg1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
func.func private @of_operand(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
