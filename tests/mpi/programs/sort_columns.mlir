// Sorts of many elements: different keys, equal keys with payloads, floats in descending order, and keys in the opposite order
sdy.mesh @mesh = <["x"=4]>
func.func @main() -> (tensor<196608xi32>, tensor<196608xi32>, tensor<196608xi32>, tensor<196608xf32>, tensor<196608xi64>) {
  %i = stablehlo.iota dim = 0 : tensor<196608xi32>
  %m = stablehlo.constant dense<548563997> : tensor<196608xi32>
  %h = stablehlo.multiply %i, %m : tensor<196608xi32>
  %c = stablehlo.constant dense<16> : tensor<196608xi32>
  %g = stablehlo.shift_right_arithmetic %h, %c : tensor<196608xi32>
  %7 = stablehlo.constant dense<7> : tensor<196608xi32>
  %k0 = stablehlo.remainder %g, %7 : tensor<196608xi32>
  %f0 = stablehlo.convert %g : (tensor<196608xi32>) -> tensor<196608xf32>
  %r = stablehlo.negate %i : tensor<196608xi32>
  %o0 = stablehlo.convert %r : (tensor<196608xi32>) -> tensor<196608xi64>
  %d = sdy.sharding_constraint %h <@mesh, [{"x"}]> : tensor<196608xi32>
  %k = sdy.sharding_constraint %k0 <@mesh, [{"x"}]> : tensor<196608xi32>
  %p = sdy.sharding_constraint %i <@mesh, [{"x"}]> : tensor<196608xi32>
  %f = sdy.sharding_constraint %f0 <@mesh, [{"x"}]> : tensor<196608xf32>
  %o = sdy.sharding_constraint %o0 <@mesh, [{"x"}]> : tensor<196608xi64>
  %s0 = "stablehlo.sort"(%d) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
    %9 = stablehlo.compare LT, %a0, %b0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<196608xi32>) -> tensor<196608xi32>
  %s1:2 = "stablehlo.sort"(%k, %p) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<i32>, %b0: tensor<i32>, %a1: tensor<i32>, %b1: tensor<i32>):
    %9 = stablehlo.compare LT, %a0, %b0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>]>} : (tensor<196608xi32>, tensor<196608xi32>) -> (tensor<196608xi32>, tensor<196608xi32>)
  %s2 = "stablehlo.sort"(%f) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %9 = stablehlo.compare GT, %a0, %b0, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<196608xf32>) -> tensor<196608xf32>
  %s3 = "stablehlo.sort"(%o) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<i64>, %b0: tensor<i64>):
    %9 = stablehlo.compare LT, %a0, %b0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<196608xi64>) -> tensor<196608xi64>
  return %s0, %s1#0, %s1#1, %s2, %s3 : tensor<196608xi32>, tensor<196608xi32>, tensor<196608xi32>, tensor<196608xf32>, tensor<196608xi64>
}
