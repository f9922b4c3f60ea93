// Every value gets a probe, named after its location or numbered, except constants, dynamic shapes and values in reduction bodies.
// RUN: shardopt %s --interpreter-instrument-with-probe=useDebugInfo=true

func.func @main(%n: tensor<i64>, %x: tensor<?xf32>) -> (tensor<i64>, tensor<?xf32>, tensor<i64>) {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %y = stablehlo.negate %x : tensor<?xf32>
  %r:2 = stablehlo.while(%i = %zero, %s = %n) : tensor<i64>, tensor<i64>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %t = stablehlo.add %s, %s : tensor<i64> loc("twice@loop")
    stablehlo.return %t, %t : tensor<i64>, tensor<i64>
  }
  %m = "stablehlo.all_reduce"(%r#1) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %sum = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<i64>) -> tensor<i64>
  return %r#1, %y, %m : tensor<i64>, tensor<?xf32>, tensor<i64>
}
