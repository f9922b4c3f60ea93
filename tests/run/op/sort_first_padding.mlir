// The first elements of rows sorted by value and position are right, although the comparator would put the padding of shards first
// RUN: shardrun --interpret %s --input="3x11xi32=-4 3 2 -5 -2 8 3 1 4 3 -7 3 -9 8 7 1 -3 2 -4 -4 5 1 2 7 2 1 -1 4 7 -5 -4 4 -5" --expected-output="3x2xi32=99 96 99 99 99 99" --expected-output="3x2xi32=7 4 10 4 4 3" >/dev/null
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<3x11xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<3x2xi32>, tensor<3x2xi32>) {
  %hundred = stablehlo.constant dense<100> : tensor<3x11xi32>
  %square = stablehlo.multiply %a, %a : tensor<3x11xi32>
  %v = stablehlo.subtract %hundred, %square : tensor<3x11xi32>
  %places = stablehlo.iota dim = 1 : tensor<3x11xi32>
  %s0, %s1 = "stablehlo.sort"(%v, %places) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<i32>, %b0: tensor<i32>, %a1: tensor<i32>, %b1: tensor<i32>):
    %more = stablehlo.compare GT, %a0, %b0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %same = stablehlo.compare EQ, %a0, %b0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %later = stablehlo.compare GT, %a1, %b1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tied = stablehlo.and %same, %later : tensor<i1>
    %before = stablehlo.or %more, %tied : tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<3x11xi32>, tensor<3x11xi32>) -> (tensor<3x11xi32>, tensor<3x11xi32>)
  %r0 = stablehlo.slice %s0 [0:3, 0:2] : (tensor<3x11xi32>) -> tensor<3x2xi32>
  %r1 = stablehlo.slice %s1 [0:3, 0:2] : (tensor<3x11xi32>) -> tensor<3x2xi32>
  return %r0, %r1 : tensor<3x2xi32>, tensor<3x2xi32>
}
