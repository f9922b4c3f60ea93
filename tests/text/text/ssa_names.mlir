// Constants, arguments, results and nested regions get MLIR's names, independent of the input's.
// RUN: shardopt %s
func.func @f(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.constant dense<true> : tensor<i1>
  %c = stablehlo.constant dense<1.0> : tensor<4xf32>
  %d = stablehlo.constant dense<2.0> : tensor<4xf32>
  %e = stablehlo.add %x, %c : tensor<4xf32>
  %r:2 = stablehlo.while(%i = %e, %j = %n) : tensor<4xf32>, tensor<i32>
  cond {
    %k = stablehlo.compare LT, %j, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %k : tensor<i1>
  } do {
    %k = stablehlo.constant dense<3.0> : tensor<4xf32>
    %l = stablehlo.multiply %i, %k : tensor<4xf32>
    %m = stablehlo.add %j, %a : tensor<i32>
    stablehlo.return %l, %m : tensor<4xf32>, tensor<i32>
  }
  %s = stablehlo.add %r#0, %d : tensor<4xf32>
  return %s, %r#1 : tensor<4xf32>, tensor<i32>
}
func.func private @g(%y: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.negate %y : tensor<4xf32>
  func.return %z : tensor<4xf32>
}
func.func private @declared(tensor<4xf32> {a.b = 1 : i32}) -> (tensor<i1> {c.d}) attributes {e.f = "g"}
