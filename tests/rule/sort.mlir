// The sorted dimension is replicated, and nothing is propagated along it if all others have extent 1
// RUN: shardopt %s -sdy-populate-op-sharding-rules
func.func @main(%a: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %1 = stablehlo.compare LT, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}
func.func @alone(%a: tensor<4x1xi32>) -> tensor<4x1xi32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %1 = stablehlo.compare LT, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
  }) : (tensor<4x1xi32>) -> tensor<4x1xi32>
  return %0 : tensor<4x1xi32>
}
