// Stencil loops whose borders are concatenated with the interior, on an array with sharded rows: ghost cells of a periodic grid, then rows
// of zeros and repeated columns, then kept first and repeated last rows.
sdy.mesh @mesh = <["x"=2]>
func.func private @interior(%u: tensor<960x400xf32>) -> tensor<958x398xf32> {
  %n = stablehlo.slice %u [0:958, 1:399] : (tensor<960x400xf32>) -> tensor<958x398xf32>
  %s = stablehlo.slice %u [2:960, 1:399] : (tensor<960x400xf32>) -> tensor<958x398xf32>
  %w = stablehlo.slice %u [1:959, 0:398] : (tensor<960x400xf32>) -> tensor<958x398xf32>
  %e = stablehlo.slice %u [1:959, 2:400] : (tensor<960x400xf32>) -> tensor<958x398xf32>
  %0 = stablehlo.add %n, %s : tensor<958x398xf32>
  %1 = stablehlo.add %w, %e : tensor<958x398xf32>
  %2 = stablehlo.add %0, %1 : tensor<958x398xf32>
  %fourth = stablehlo.constant dense<0.25> : tensor<958x398xf32>
  %3 = stablehlo.multiply %2, %fourth : tensor<958x398xf32>
  return %3 : tensor<958x398xf32>
}
func.func private @periodic(%u: tensor<960x400xf32>) -> tensor<960x400xf32> {
  %v = call @interior(%u) : (tensor<960x400xf32>) -> tensor<958x398xf32>
  %0 = stablehlo.slice %v [957:958, 0:398] : (tensor<958x398xf32>) -> tensor<1x398xf32>
  %1 = stablehlo.slice %v [0:1, 0:398] : (tensor<958x398xf32>) -> tensor<1x398xf32>
  %2 = stablehlo.concatenate %0, %v, %1, dim = 0 : (tensor<1x398xf32>, tensor<958x398xf32>, tensor<1x398xf32>) -> tensor<960x398xf32>
  %3 = stablehlo.slice %2 [0:960, 397:398] : (tensor<960x398xf32>) -> tensor<960x1xf32>
  %4 = stablehlo.slice %2 [0:960, 0:1] : (tensor<960x398xf32>) -> tensor<960x1xf32>
  %5 = stablehlo.concatenate %3, %2, %4, dim = 1 : (tensor<960x1xf32>, tensor<960x398xf32>, tensor<960x1xf32>) -> tensor<960x400xf32>
  return %5 : tensor<960x400xf32>
}
func.func private @zero_and_edge(%u: tensor<960x400xf32>) -> tensor<960x400xf32> {
  %v = call @interior(%u) : (tensor<960x400xf32>) -> tensor<958x398xf32>
  %0 = stablehlo.slice %v [0:958, 0:1] : (tensor<958x398xf32>) -> tensor<958x1xf32>
  %1 = stablehlo.slice %v [0:958, 397:398] : (tensor<958x398xf32>) -> tensor<958x1xf32>
  %2 = stablehlo.concatenate %0, %v, %1, dim = 1 : (tensor<958x1xf32>, tensor<958x398xf32>, tensor<958x1xf32>) -> tensor<958x400xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<1x400xf32>
  %3 = stablehlo.concatenate %zero, %2, %zero, dim = 0 : (tensor<1x400xf32>, tensor<958x400xf32>, tensor<1x400xf32>) -> tensor<960x400xf32>
  return %3 : tensor<960x400xf32>
}
func.func private @kept_and_edge(%u: tensor<960x400xf32>) -> tensor<960x400xf32> {
  %v = call @interior(%u) : (tensor<960x400xf32>) -> tensor<958x398xf32>
  %first = stablehlo.slice %u [0:1, 1:399] : (tensor<960x400xf32>) -> tensor<1x398xf32>
  %last = stablehlo.slice %v [957:958, 0:398] : (tensor<958x398xf32>) -> tensor<1x398xf32>
  %0 = stablehlo.concatenate %first, %v, %last, dim = 0 : (tensor<1x398xf32>, tensor<958x398xf32>, tensor<1x398xf32>) -> tensor<960x398xf32>
  %1 = stablehlo.slice %0 [0:960, 396:397] : (tensor<960x398xf32>) -> tensor<960x1xf32>
  %2 = stablehlo.concatenate %1, %0, %1, dim = 1 : (tensor<960x1xf32>, tensor<960x398xf32>, tensor<960x1xf32>) -> tensor<960x400xf32>
  return %2 : tensor<960x400xf32>
}
func.func @main(%u: tensor<960x400xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<960x400xf32>, tensor<960x400xf32>, tensor<960x400xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<7> : tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %a = %u, %b = %u, %c = %u) : tensor<i32>, tensor<960x400xf32>, tensor<960x400xf32>, tensor<960x400xf32>
  cond {
    %0 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %0 = stablehlo.add %i, %one : tensor<i32>
    %1 = func.call @periodic(%a) : (tensor<960x400xf32>) -> tensor<960x400xf32>
    %2 = func.call @zero_and_edge(%b) : (tensor<960x400xf32>) -> tensor<960x400xf32>
    %3 = func.call @kept_and_edge(%c) : (tensor<960x400xf32>) -> tensor<960x400xf32>
    stablehlo.return %0, %1, %2, %3 : tensor<i32>, tensor<960x400xf32>, tensor<960x400xf32>, tensor<960x400xf32>
  }
  return %r#1, %r#2, %r#3 : tensor<960x400xf32>, tensor<960x400xf32>, tensor<960x400xf32>
}
