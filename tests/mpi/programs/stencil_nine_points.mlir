// Stencil loops of nine points on an array with sharded rows, whose borders stay, in two spellings: concatenates, and a mask with a pad.
sdy.mesh @mesh = <["x"=2]>
func.func private @nine_points(%u: tensor<196x280xf32>) -> tensor<194x278xf32> {
  %s00 = stablehlo.slice %u [0:194, 0:278] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %s01 = stablehlo.slice %u [0:194, 1:279] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %s02 = stablehlo.slice %u [0:194, 2:280] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %s10 = stablehlo.slice %u [1:195, 0:278] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %s11 = stablehlo.slice %u [1:195, 1:279] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %s12 = stablehlo.slice %u [1:195, 2:280] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %s20 = stablehlo.slice %u [2:196, 0:278] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %s21 = stablehlo.slice %u [2:196, 1:279] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %s22 = stablehlo.slice %u [2:196, 2:280] : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %a0 = stablehlo.add %s00, %s01 : tensor<194x278xf32>
  %a1 = stablehlo.add %a0, %s02 : tensor<194x278xf32>
  %a2 = stablehlo.add %a1, %s10 : tensor<194x278xf32>
  %a3 = stablehlo.add %a2, %s11 : tensor<194x278xf32>
  %a4 = stablehlo.add %a3, %s12 : tensor<194x278xf32>
  %a5 = stablehlo.add %a4, %s20 : tensor<194x278xf32>
  %a6 = stablehlo.add %a5, %s21 : tensor<194x278xf32>
  %a7 = stablehlo.add %a6, %s22 : tensor<194x278xf32>
  %ninth = stablehlo.constant dense<0.11> : tensor<194x278xf32>
  %r = stablehlo.multiply %a7, %ninth : tensor<194x278xf32>
  return %r : tensor<194x278xf32>
}
func.func private @concatenated(%u: tensor<196x280xf32>) -> tensor<196x280xf32> {
  %new = call @nine_points(%u) : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %n = stablehlo.slice %u [0:1, 1:279] : (tensor<196x280xf32>) -> tensor<1x278xf32>
  %s = stablehlo.slice %u [195:196, 1:279] : (tensor<196x280xf32>) -> tensor<1x278xf32>
  %w = stablehlo.slice %u [0:196, 0:1] : (tensor<196x280xf32>) -> tensor<196x1xf32>
  %e = stablehlo.slice %u [0:196, 279:280] : (tensor<196x280xf32>) -> tensor<196x1xf32>
  %rows = stablehlo.concatenate %n, %new, %s, dim = 0 : (tensor<1x278xf32>, tensor<194x278xf32>, tensor<1x278xf32>) -> tensor<196x278xf32>
  %r = stablehlo.concatenate %w, %rows, %e, dim = 1 : (tensor<196x1xf32>, tensor<196x278xf32>, tensor<196x1xf32>) -> tensor<196x280xf32>
  return %r : tensor<196x280xf32>
}
func.func private @masked(%u: tensor<196x280xf32>) -> tensor<196x280xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %new = call @nine_points(%u) : (tensor<196x280xf32>) -> tensor<194x278xf32>
  %p = stablehlo.pad %new, %zero, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<194x278xf32>, tensor<f32>) -> tensor<196x280xf32>
  %i = stablehlo.iota dim = 0 : tensor<196x280xi32>
  %j = stablehlo.iota dim = 1 : tensor<196x280xi32>
  %first = stablehlo.constant dense<0> : tensor<196x280xi32>
  %last_row = stablehlo.constant dense<195> : tensor<196x280xi32>
  %last_column = stablehlo.constant dense<279> : tensor<196x280xi32>
  %0 = stablehlo.compare GT, %i, %first : (tensor<196x280xi32>, tensor<196x280xi32>) -> tensor<196x280xi1>
  %1 = stablehlo.compare LT, %i, %last_row : (tensor<196x280xi32>, tensor<196x280xi32>) -> tensor<196x280xi1>
  %2 = stablehlo.compare GT, %j, %first : (tensor<196x280xi32>, tensor<196x280xi32>) -> tensor<196x280xi1>
  %3 = stablehlo.compare LT, %j, %last_column : (tensor<196x280xi32>, tensor<196x280xi32>) -> tensor<196x280xi1>
  %4 = stablehlo.and %0, %1 : tensor<196x280xi1>
  %5 = stablehlo.and %2, %3 : tensor<196x280xi1>
  %6 = stablehlo.and %4, %5 : tensor<196x280xi1>
  %r = stablehlo.select %6, %p, %u : tensor<196x280xi1>, tensor<196x280xf32>
  return %r : tensor<196x280xf32>
}
func.func @main(%u: tensor<196x280xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<196x280xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<196x280xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %first = stablehlo.constant dense<0> : tensor<i32>
  %steps = stablehlo.constant dense<12> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %w1:2 = stablehlo.while(%i = %first, %v = %u) : tensor<i32>, tensor<196x280xf32>
  cond {
    %c = stablehlo.compare LT, %i, %steps : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %i, %one : tensor<i32>
    %x = func.call @concatenated(%v) : (tensor<196x280xf32>) -> tensor<196x280xf32>
    stablehlo.return %n, %x : tensor<i32>, tensor<196x280xf32>
  }
  %w2:2 = stablehlo.while(%i = %first, %v = %u) : tensor<i32>, tensor<196x280xf32>
  cond {
    %c = stablehlo.compare LT, %i, %steps : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %i, %one : tensor<i32>
    %x = func.call @masked(%v) : (tensor<196x280xf32>) -> tensor<196x280xf32>
    stablehlo.return %n, %x : tensor<i32>, tensor<196x280xf32>
  }
  return %w1#1, %w2#1 : tensor<196x280xf32>, tensor<196x280xf32>
}
