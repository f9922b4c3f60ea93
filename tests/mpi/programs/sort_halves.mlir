// Sorts on two devices, each of which merges its half: ascending, descending, many equal keys, signed zeros and NaN
sdy.mesh @mesh = <["x"=2]>
func.func @main() -> (tensor<2050xi32>, tensor<2302xi32>, tensor<2050xui64>, tensor<2302xui64>, tensor<2050xui64>, tensor<2302xui64>, tensor<2050xui32>, tensor<2302xui32>, tensor<2050xui32>, tensor<2302xui32>) {
  %i0 = stablehlo.iota dim = 0 : tensor<2050xi32>
  %m0 = stablehlo.constant dense<548563997> : tensor<2050xi32>
  %h0 = stablehlo.multiply %i0, %m0 : tensor<2050xi32>
  %d0 = stablehlo.constant dense<1000> : tensor<2050xi32>
  %s0 = stablehlo.constant dense<16> : tensor<2050xi32>
  %g0 = stablehlo.shift_right_arithmetic %h0, %s0 : tensor<2050xi32>
  %r0 = stablehlo.remainder %g0, %d0 : tensor<2050xi32>
  %w0 = stablehlo.convert %r0 : (tensor<2050xi32>) -> tensor<2050xi32>
  %v0 = sdy.sharding_constraint %w0 <@mesh, [{"x"}]> : tensor<2050xi32>
  %u0 = "stablehlo.sort"(%v0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %9 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<2050xi32>) -> tensor<2050xi32>
  %i1 = stablehlo.iota dim = 0 : tensor<2302xi32>
  %m1 = stablehlo.constant dense<769949151> : tensor<2302xi32>
  %h1 = stablehlo.multiply %i1, %m1 : tensor<2302xi32>
  %d1 = stablehlo.constant dense<1000> : tensor<2302xi32>
  %s1 = stablehlo.constant dense<16> : tensor<2302xi32>
  %g1 = stablehlo.shift_right_arithmetic %h1, %s1 : tensor<2302xi32>
  %r1 = stablehlo.remainder %g1, %d1 : tensor<2302xi32>
  %w1 = stablehlo.convert %r1 : (tensor<2302xi32>) -> tensor<2302xi32>
  %v1 = sdy.sharding_constraint %w1 <@mesh, [{"x"}]> : tensor<2302xi32>
  %u1 = "stablehlo.sort"(%v1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %9 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<2302xi32>) -> tensor<2302xi32>
  %i2 = stablehlo.iota dim = 0 : tensor<2050xi32>
  %m2 = stablehlo.constant dense<2023896567> : tensor<2050xi32>
  %h2 = stablehlo.multiply %i2, %m2 : tensor<2050xi32>
  %d2 = stablehlo.constant dense<1000> : tensor<2050xi32>
  %s2 = stablehlo.constant dense<16> : tensor<2050xi32>
  %g2 = stablehlo.shift_right_arithmetic %h2, %s2 : tensor<2050xi32>
  %r2 = stablehlo.remainder %g2, %d2 : tensor<2050xi32>
  %w2 = stablehlo.convert %r2 : (tensor<2050xi32>) -> tensor<2050xui64>
  %v2 = sdy.sharding_constraint %w2 <@mesh, [{"x"}]> : tensor<2050xui64>
  %u2 = "stablehlo.sort"(%v2) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %9 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<2050xui64>) -> tensor<2050xui64>
  %i3 = stablehlo.iota dim = 0 : tensor<2302xi32>
  %m3 = stablehlo.constant dense<1400227409> : tensor<2302xi32>
  %h3 = stablehlo.multiply %i3, %m3 : tensor<2302xi32>
  %d3 = stablehlo.constant dense<1000> : tensor<2302xi32>
  %s3 = stablehlo.constant dense<16> : tensor<2302xi32>
  %g3 = stablehlo.shift_right_arithmetic %h3, %s3 : tensor<2302xi32>
  %r3 = stablehlo.remainder %g3, %d3 : tensor<2302xi32>
  %w3 = stablehlo.convert %r3 : (tensor<2302xi32>) -> tensor<2302xui64>
  %v3 = sdy.sharding_constraint %w3 <@mesh, [{"x"}]> : tensor<2302xui64>
  %u3 = "stablehlo.sort"(%v3) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %9 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<2302xui64>) -> tensor<2302xui64>
  %i4 = stablehlo.iota dim = 0 : tensor<2050xi32>
  %m4 = stablehlo.constant dense<62288249> : tensor<2050xi32>
  %h4 = stablehlo.multiply %i4, %m4 : tensor<2050xi32>
  %d4 = stablehlo.constant dense<1000> : tensor<2050xi32>
  %s4 = stablehlo.constant dense<16> : tensor<2050xi32>
  %g4 = stablehlo.shift_right_arithmetic %h4, %s4 : tensor<2050xi32>
  %r4 = stablehlo.remainder %g4, %d4 : tensor<2050xi32>
  %w4 = stablehlo.convert %r4 : (tensor<2050xi32>) -> tensor<2050xf64>
  %q4 = stablehlo.iota dim = 0 : tensor<2050xi32>
  %p4 = stablehlo.convert %q4 : (tensor<2050xi32>) -> tensor<2050xf64>
  %o4 = stablehlo.sine %p4 : tensor<2050xf64>
  %z4 = stablehlo.constant dense<0.0> : tensor<2050xf64>
  %y4 = stablehlo.multiply %o4, %z4 : tensor<2050xf64>
  %e4 = stablehlo.add %w4, %y4 : tensor<2050xf64>
  %b4 = stablehlo.compare EQ, %w4, %z4, FLOAT : (tensor<2050xf64>, tensor<2050xf64>) -> tensor<2050xi1>
  %a4 = stablehlo.select %b4, %y4, %w4 : tensor<2050xi1>, tensor<2050xf64>
  %c4 = stablehlo.constant dense<1.0> : tensor<2050xf64>
  %f4 = stablehlo.compare EQ, %w4, %c4, FLOAT : (tensor<2050xf64>, tensor<2050xf64>) -> tensor<2050xi1>
  %N4 = stablehlo.divide %z4, %y4 : tensor<2050xf64>
  %j4 = stablehlo.select %f4, %N4, %a4 : tensor<2050xi1>, tensor<2050xf64>
  %v4 = sdy.sharding_constraint %j4 <@mesh, [{"x"}]> : tensor<2050xf64>
  %u4 = "stablehlo.sort"(%v4) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %9 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<2050xf64>) -> tensor<2050xf64>
  %x4 = stablehlo.bitcast_convert %u4 : (tensor<2050xf64>) -> tensor<2050xui64>
  %i5 = stablehlo.iota dim = 0 : tensor<2302xi32>
  %m5 = stablehlo.constant dense<1666358333> : tensor<2302xi32>
  %h5 = stablehlo.multiply %i5, %m5 : tensor<2302xi32>
  %d5 = stablehlo.constant dense<5> : tensor<2302xi32>
  %s5 = stablehlo.constant dense<16> : tensor<2302xi32>
  %g5 = stablehlo.shift_right_arithmetic %h5, %s5 : tensor<2302xi32>
  %r5 = stablehlo.remainder %g5, %d5 : tensor<2302xi32>
  %w5 = stablehlo.convert %r5 : (tensor<2302xi32>) -> tensor<2302xf64>
  %q5 = stablehlo.iota dim = 0 : tensor<2302xi32>
  %p5 = stablehlo.convert %q5 : (tensor<2302xi32>) -> tensor<2302xf64>
  %o5 = stablehlo.sine %p5 : tensor<2302xf64>
  %z5 = stablehlo.constant dense<0.0> : tensor<2302xf64>
  %y5 = stablehlo.multiply %o5, %z5 : tensor<2302xf64>
  %e5 = stablehlo.add %w5, %y5 : tensor<2302xf64>
  %b5 = stablehlo.compare EQ, %w5, %z5, FLOAT : (tensor<2302xf64>, tensor<2302xf64>) -> tensor<2302xi1>
  %a5 = stablehlo.select %b5, %y5, %w5 : tensor<2302xi1>, tensor<2302xf64>
  %c5 = stablehlo.constant dense<1.0> : tensor<2302xf64>
  %f5 = stablehlo.compare EQ, %w5, %c5, FLOAT : (tensor<2302xf64>, tensor<2302xf64>) -> tensor<2302xi1>
  %N5 = stablehlo.divide %z5, %y5 : tensor<2302xf64>
  %j5 = stablehlo.select %f5, %N5, %a5 : tensor<2302xi1>, tensor<2302xf64>
  %v5 = sdy.sharding_constraint %j5 <@mesh, [{"x"}]> : tensor<2302xf64>
  %u5 = "stablehlo.sort"(%v5) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %9 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<2302xf64>) -> tensor<2302xf64>
  %x5 = stablehlo.bitcast_convert %u5 : (tensor<2302xf64>) -> tensor<2302xui64>
  %i6 = stablehlo.iota dim = 0 : tensor<2050xi32>
  %m6 = stablehlo.constant dense<1393662251> : tensor<2050xi32>
  %h6 = stablehlo.multiply %i6, %m6 : tensor<2050xi32>
  %d6 = stablehlo.constant dense<2> : tensor<2050xi32>
  %s6 = stablehlo.constant dense<16> : tensor<2050xi32>
  %g6 = stablehlo.shift_right_arithmetic %h6, %s6 : tensor<2050xi32>
  %r6 = stablehlo.remainder %g6, %d6 : tensor<2050xi32>
  %w6 = stablehlo.convert %r6 : (tensor<2050xi32>) -> tensor<2050xf32>
  %q6 = stablehlo.iota dim = 0 : tensor<2050xi32>
  %p6 = stablehlo.convert %q6 : (tensor<2050xi32>) -> tensor<2050xf32>
  %o6 = stablehlo.sine %p6 : tensor<2050xf32>
  %z6 = stablehlo.constant dense<0.0> : tensor<2050xf32>
  %y6 = stablehlo.multiply %o6, %z6 : tensor<2050xf32>
  %e6 = stablehlo.add %w6, %y6 : tensor<2050xf32>
  %b6 = stablehlo.compare EQ, %w6, %z6, FLOAT : (tensor<2050xf32>, tensor<2050xf32>) -> tensor<2050xi1>
  %a6 = stablehlo.select %b6, %y6, %w6 : tensor<2050xi1>, tensor<2050xf32>
  %c6 = stablehlo.constant dense<1.0> : tensor<2050xf32>
  %f6 = stablehlo.compare EQ, %w6, %c6, FLOAT : (tensor<2050xf32>, tensor<2050xf32>) -> tensor<2050xi1>
  %N6 = stablehlo.divide %z6, %y6 : tensor<2050xf32>
  %j6 = stablehlo.select %f6, %N6, %a6 : tensor<2050xi1>, tensor<2050xf32>
  %v6 = sdy.sharding_constraint %j6 <@mesh, [{"x"}]> : tensor<2050xf32>
  %u6 = "stablehlo.sort"(%v6) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %n, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %n, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare GT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<2050xf32>) -> tensor<2050xf32>
  %x6 = stablehlo.bitcast_convert %u6 : (tensor<2050xf32>) -> tensor<2050xui32>
  %i7 = stablehlo.iota dim = 0 : tensor<2302xi32>
  %m7 = stablehlo.constant dense<1934669087> : tensor<2302xi32>
  %h7 = stablehlo.multiply %i7, %m7 : tensor<2302xi32>
  %d7 = stablehlo.constant dense<2> : tensor<2302xi32>
  %s7 = stablehlo.constant dense<16> : tensor<2302xi32>
  %g7 = stablehlo.shift_right_arithmetic %h7, %s7 : tensor<2302xi32>
  %r7 = stablehlo.remainder %g7, %d7 : tensor<2302xi32>
  %w7 = stablehlo.convert %r7 : (tensor<2302xi32>) -> tensor<2302xf32>
  %q7 = stablehlo.iota dim = 0 : tensor<2302xi32>
  %p7 = stablehlo.convert %q7 : (tensor<2302xi32>) -> tensor<2302xf32>
  %o7 = stablehlo.sine %p7 : tensor<2302xf32>
  %z7 = stablehlo.constant dense<0.0> : tensor<2302xf32>
  %y7 = stablehlo.multiply %o7, %z7 : tensor<2302xf32>
  %e7 = stablehlo.add %w7, %y7 : tensor<2302xf32>
  %b7 = stablehlo.compare EQ, %w7, %z7, FLOAT : (tensor<2302xf32>, tensor<2302xf32>) -> tensor<2302xi1>
  %a7 = stablehlo.select %b7, %y7, %w7 : tensor<2302xi1>, tensor<2302xf32>
  %c7 = stablehlo.constant dense<1.0> : tensor<2302xf32>
  %f7 = stablehlo.compare EQ, %w7, %c7, FLOAT : (tensor<2302xf32>, tensor<2302xf32>) -> tensor<2302xi1>
  %N7 = stablehlo.divide %z7, %y7 : tensor<2302xf32>
  %j7 = stablehlo.select %f7, %N7, %a7 : tensor<2302xi1>, tensor<2302xf32>
  %v7 = sdy.sharding_constraint %j7 <@mesh, [{"x"}]> : tensor<2302xf32>
  %u7 = "stablehlo.sort"(%v7) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %n, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %n, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare GT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<2302xf32>) -> tensor<2302xf32>
  %x7 = stablehlo.bitcast_convert %u7 : (tensor<2302xf32>) -> tensor<2302xui32>
  %i8 = stablehlo.iota dim = 0 : tensor<2050xi32>
  %m8 = stablehlo.constant dense<243107965> : tensor<2050xi32>
  %h8 = stablehlo.multiply %i8, %m8 : tensor<2050xi32>
  %d8 = stablehlo.constant dense<2> : tensor<2050xi32>
  %s8 = stablehlo.constant dense<16> : tensor<2050xi32>
  %g8 = stablehlo.shift_right_arithmetic %h8, %s8 : tensor<2050xi32>
  %r8 = stablehlo.remainder %g8, %d8 : tensor<2050xi32>
  %w8 = stablehlo.convert %r8 : (tensor<2050xi32>) -> tensor<2050xf32>
  %q8 = stablehlo.iota dim = 0 : tensor<2050xi32>
  %p8 = stablehlo.convert %q8 : (tensor<2050xi32>) -> tensor<2050xf32>
  %o8 = stablehlo.sine %p8 : tensor<2050xf32>
  %z8 = stablehlo.constant dense<0.0> : tensor<2050xf32>
  %y8 = stablehlo.multiply %o8, %z8 : tensor<2050xf32>
  %e8 = stablehlo.add %w8, %y8 : tensor<2050xf32>
  %b8 = stablehlo.compare EQ, %w8, %z8, FLOAT : (tensor<2050xf32>, tensor<2050xf32>) -> tensor<2050xi1>
  %a8 = stablehlo.select %b8, %y8, %w8 : tensor<2050xi1>, tensor<2050xf32>
  %c8 = stablehlo.constant dense<1.0> : tensor<2050xf32>
  %f8 = stablehlo.compare EQ, %w8, %c8, FLOAT : (tensor<2050xf32>, tensor<2050xf32>) -> tensor<2050xi1>
  %N8 = stablehlo.divide %z8, %y8 : tensor<2050xf32>
  %j8 = stablehlo.select %f8, %N8, %a8 : tensor<2050xi1>, tensor<2050xf32>
  %v8 = sdy.sharding_constraint %j8 <@mesh, [{"x"}]> : tensor<2050xf32>
  %u8 = "stablehlo.sort"(%v8) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %n, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %n, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<2050xf32>) -> tensor<2050xf32>
  %x8 = stablehlo.bitcast_convert %u8 : (tensor<2050xf32>) -> tensor<2050xui32>
  %i9 = stablehlo.iota dim = 0 : tensor<2302xi32>
  %m9 = stablehlo.constant dense<1007318099> : tensor<2302xi32>
  %h9 = stablehlo.multiply %i9, %m9 : tensor<2302xi32>
  %d9 = stablehlo.constant dense<5> : tensor<2302xi32>
  %s9 = stablehlo.constant dense<16> : tensor<2302xi32>
  %g9 = stablehlo.shift_right_arithmetic %h9, %s9 : tensor<2302xi32>
  %r9 = stablehlo.remainder %g9, %d9 : tensor<2302xi32>
  %w9 = stablehlo.convert %r9 : (tensor<2302xi32>) -> tensor<2302xf32>
  %q9 = stablehlo.iota dim = 0 : tensor<2302xi32>
  %p9 = stablehlo.convert %q9 : (tensor<2302xi32>) -> tensor<2302xf32>
  %o9 = stablehlo.sine %p9 : tensor<2302xf32>
  %z9 = stablehlo.constant dense<0.0> : tensor<2302xf32>
  %y9 = stablehlo.multiply %o9, %z9 : tensor<2302xf32>
  %e9 = stablehlo.add %w9, %y9 : tensor<2302xf32>
  %b9 = stablehlo.compare EQ, %w9, %z9, FLOAT : (tensor<2302xf32>, tensor<2302xf32>) -> tensor<2302xi1>
  %a9 = stablehlo.select %b9, %y9, %w9 : tensor<2302xi1>, tensor<2302xf32>
  %c9 = stablehlo.constant dense<1.0> : tensor<2302xf32>
  %f9 = stablehlo.compare EQ, %w9, %c9, FLOAT : (tensor<2302xf32>, tensor<2302xf32>) -> tensor<2302xi1>
  %N9 = stablehlo.divide %z9, %y9 : tensor<2302xf32>
  %j9 = stablehlo.select %f9, %N9, %a9 : tensor<2302xi1>, tensor<2302xf32>
  %v9 = sdy.sharding_constraint %j9 <@mesh, [{"x"}]> : tensor<2302xf32>
  %u9 = "stablehlo.sort"(%v9) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %n, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %n, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<2302xf32>) -> tensor<2302xf32>
  %x9 = stablehlo.bitcast_convert %u9 : (tensor<2302xf32>) -> tensor<2302xui32>
  return %u0, %u1, %u2, %u3, %x4, %x5, %x6, %x7, %x8, %x9 : tensor<2050xi32>, tensor<2302xi32>, tensor<2050xui64>, tensor<2302xui64>, tensor<2050xui64>, tensor<2302xui64>, tensor<2050xui32>, tensor<2302xui32>, tensor<2050xui32>, tensor<2302xui32>
}
