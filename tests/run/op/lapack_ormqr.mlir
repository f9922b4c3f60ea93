// LAPACK ormqr (unmqr if complex): a matrix times the orthogonal factor of another, from both sides, and times its adjoint
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %a = stablehlo.constant dense<[[[3.001482964e+00, -3.622876406e-01], [1.646236479e-01, 2.046472073e+00], [-4.801522940e-02, -1.943116486e-01]]]> : tensor<1x3x2xf32>
  %tau = stablehlo.constant dense<[[1.942867279e+00, 1.927233458e+00]]> : tensor<1x2xf32>
  %c = stablehlo.constant dense<[[[-4.399999976e-01, -1.080000043e+00], [2.999999933e-02, -5.000000075e-02], [1.409999967e+00, 0.75]]]> : tensor<1x3x2xf32>
  %d = stablehlo.constant dense<[[[1.899999976e-01, 1.110000014e+00, -2.099999934e-01], [-9.300000072e-01, 5.799999833e-01, 5.799999833e-01]]]> : tensor<1x2x3xf32>
  %r0 = stablehlo.custom_call @lapack_sormqr_ffi(%a, %tau, %c) {mhlo.backend_config = {left = true, transpose = false}, api_version = 4 : i32} : (tensor<1x3x2xf32>, tensor<1x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
  check.expect_almost_eq_const %r0, dense<[[[3.778867126e-01, 9.767640829e-01], [6.348487735e-01, 6.658166647e-01], [1.279362559e+00, 5.779448152e-01]]]> : tensor<1x3x2xf32>, tolerance = 1.000000e-03
  %r1 = stablehlo.custom_call @lapack_sormqr_ffi(%a, %tau, %c) {mhlo.backend_config = {left = true, transpose = true}, api_version = 4 : i32} : (tensor<1x3x2xf32>, tensor<1x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
  check.expect_almost_eq_const %r1, dense<[[[5.368012786e-01, 1.104254127e+00], [3.335381150e-01, -4.546481371e-02], [1.335363865e+00, 7.141118646e-01]]]> : tensor<1x3x2xf32>, tolerance = 1.000000e-03
  %r2 = stablehlo.custom_call @lapack_sormqr_ffi(%a, %tau, %d) {mhlo.backend_config = {left = false, transpose = false}, api_version = 4 : i32} : (tensor<1x3x2xf32>, tensor<1x2xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
  check.expect_almost_eq_const %r2, dense<[[[-5.537596345e-01, -9.809663892e-01, 2.082193196e-01], [7.454648614e-01, -6.064717770e-01, 7.836927176e-01]]]> : tensor<1x2x3xf32>, tolerance = 1.000000e-03
  %r3 = stablehlo.custom_call @lapack_sormqr_ffi(%a, %tau, %d) {mhlo.backend_config = {left = false, transpose = true}, api_version = 4 : i32} : (tensor<1x3x2xf32>, tensor<1x2xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
  check.expect_almost_eq_const %r3, dense<[[[1.958112717e-01, -1.106914043e+00, 2.206791341e-01], [1.049837589e+00, 5.333364010e-03, 6.599336863e-01]]]> : tensor<1x2x3xf32>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(2.88187439004547885e+00, 0.0), (3.29126072696399374e-01, -1.08977685177681827e+00)], [(7.04750303512670373e-02, 2.73109720415097901e-01), (2.67618430635912175e+00, 0.0)], [(9.76225511792136180e-02, 6.04778454806045529e-01), (-2.74505076951160332e-01, 1.71631322481423307e-02)]]]> : tensor<1x3x2xcomplex<f64>>
  %tau = stablehlo.constant dense<[[(1.07286924118739480e+00, 5.69074074034891964e-01), (1.78388437853476889e+00, -3.66896461786998196e-01)]]> : tensor<1x2xcomplex<f64>>
  %c = stablehlo.constant dense<[[[(0.71, 1.59), (1.16, -1.19)], [(-2.16, 0.35), (-0.5, -1.05)], [(0.33, 1.41), (-0.61, -0.02)]]]> : tensor<1x3x2xcomplex<f64>>
  %d = stablehlo.constant dense<[[[(-0.37, 0.35), (-1.72, -0.64), (1.68, -0.8)], [(0.75, -0.8), (0.75, 1.37), (1.14, -1.46)]]]> : tensor<1x2x3xcomplex<f64>>
  %r0 = stablehlo.custom_call @lapack_zunmqr_ffi(%a, %tau, %c) {mhlo.backend_config = {left = true, transpose = false}, api_version = 4 : i32} : (tensor<1x3x2xcomplex<f64>>, tensor<1x2xcomplex<f64>>, tensor<1x3x2xcomplex<f64>>) -> tensor<1x3x2xcomplex<f64>>
  check.expect_almost_eq_const %r0, dense<[[[(-1.30548510517708549e-01, -1.16850658075215708e+00), (-3.51621305585063437e-01, -9.33309166944810031e-01)], [(2.52142600705372200e+00, -8.14620800336936401e-01), (2.96595926375768759e-01, 2.77722258217463325e-01)], [(8.34409783769683111e-01, 9.04109292343282966e-01), (-1.20952959395359638e+00, -1.36526034933040519e+00)]]]> : tensor<1x3x2xcomplex<f64>>, tolerance = 1.000000e-03
  %r1 = stablehlo.custom_call @lapack_zunmqr_ffi(%a, %tau, %c) {mhlo.backend_config = {left = true, transpose = true}, api_version = 4 : i32} : (tensor<1x3x2xcomplex<f64>>, tensor<1x2xcomplex<f64>>, tensor<1x3x2xcomplex<f64>>) -> tensor<1x3x2xcomplex<f64>>
  check.expect_almost_eq_const %r1, dense<[[[(-2.15974020987839710e+00, 1.66627664848508994e-01), (7.70574875737368492e-01, 6.20082542866069453e-02)], [(1.85226920790189986e+00, 1.03778105679924471e+00), (-3.72149675963189541e-01, 9.07275630786351650e-01)], [(-1.66499584532072253e-01, -8.30328004525504593e-01), (-1.57560062643199350e+00, -6.67013906700224535e-01)]]]> : tensor<1x3x2xcomplex<f64>>, tolerance = 1.000000e-03
  %r2 = stablehlo.custom_call @lapack_zunmqr_ffi(%a, %tau, %d) {mhlo.backend_config = {left = false, transpose = false}, api_version = 4 : i32} : (tensor<1x3x2xcomplex<f64>>, tensor<1x2xcomplex<f64>>, tensor<1x2x3xcomplex<f64>>) -> tensor<1x2x3xcomplex<f64>>
  check.expect_almost_eq_const %r2, dense<[[[(-2.85612725815926727e-01, -6.68002743856445202e-01), (2.22480062669461454e+00, -7.55178562526098274e-01), (-8.53328787751090889e-02, -1.01719394169080601e+00)], [(-7.49165198683738653e-01, -1.66159219726590246e+00), (-8.06508535886095945e-01, -1.56739936311782735e+00), (7.49848684563849677e-01, 2.85469864197225420e-01)]]]> : tensor<1x2x3xcomplex<f64>>, tolerance = 1.000000e-03
  %r3 = stablehlo.custom_call @lapack_zunmqr_ffi(%a, %tau, %d) {mhlo.backend_config = {left = false, transpose = true}, api_version = 4 : i32} : (tensor<1x3x2xcomplex<f64>>, tensor<1x2xcomplex<f64>>, tensor<1x2x3xcomplex<f64>>) -> tensor<1x2x3xcomplex<f64>>
  check.expect_almost_eq_const %r3, dense<[[[(-1.48174104336844659e+00, -7.73590285079244766e-01), (1.61758275216271041e+00, 1.07816868233609631e+00), (-1.04343616263311123e-01, -7.11261058479129016e-01)], [(-1.06130794806053141e+00, 3.68571243386194070e-01), (7.73993931387372713e-01, -1.41627576032051872e+00), (1.65815737784728401e+00, 6.75641290276854489e-01)]]]> : tensor<1x2x3xcomplex<f64>>, tolerance = 1.000000e-03
  return
}
