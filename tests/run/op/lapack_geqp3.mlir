// LAPACK geqp3 gives the QR factors, the order of the pivoted columns and the reflectors
// RUN: shardrun --interpret --split-input-file %s
func.func @main() {
  %a = stablehlo.constant dense<[[[2.039999962e+00, -2.559999943e+00], [4.199999869e-01, -5.699999928e-01], [-4.499999881e-01, -2.199999988e-01]], [[-2.019999981e+00, -2.300000042e-01], [-8.700000048e-01, 3.319999933e+00], [2.300000042e-01, -3.499999940e-01]]]> : tensor<2x3x2xf32>
  %free = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi32>
  %f:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%a, %free) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<2x3x2xf32>, tensor<2x2xi32>) -> (tensor<2x3x2xf32>, tensor<2x2xi32>, tensor<2x2xf32>)
  check.expect_almost_eq_const %f#0, dense<[[[2.631900311e+00, -2.037615299e+00], [1.097863913e-01, 6.233978271e-01], [4.237369448e-02, 9.565620422e-01]], [[3.346311331e+00, -7.483762503e-01], [-9.283308387e-01, 2.080897331e+00], [9.786619991e-02, -8.579422534e-02]]]> : tensor<2x3x2xf32>, tolerance = 1.000000e-03
  check.expect_eq_const %f#1, dense<[[2, 1], [2, 1]]> : tensor<2x2xi32>
  check.expect_almost_eq_const %f#2, dense<[[1.972681165e+00, 1.044380426e+00], [1.068732381e+00, 1.985386252e+00]]> : tensor<2x2xf32>, tolerance = 1.000000e-03
  return
}

// -----

func.func @main() {
  %a = stablehlo.constant dense<[[[(-0.28, -0.18), (-0.67, 0.54)], [(-1.06, 1.94), (-0.39, -0.27)], [(0.48, -0.24), (-0.24, 1.0)]], [[(0.96, -0.89), (-0.2, -0.29)], [(0.02, 0.88), (1.55, 0.58)], [(0.55, 0.09), (-0.51, 0.67)]]]> : tensor<2x3x2xcomplex<f64>>
  %free = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xi32>
  %f:3 = stablehlo.custom_call @lapack_zgeqp3_ffi(%a, %free) {mhlo.backend_config = {}, api_version = 4 : i32} : (tensor<2x3x2xcomplex<f64>>, tensor<2x2xi32>) -> (tensor<2x3x2xcomplex<f64>>, tensor<2x2xi32>, tensor<2x2xcomplex<f64>>)
  check.expect_almost_eq_const %f#0, dense<[[[(2.29913027034137363e+00, 0.0), (-1.63192144803648187e-01, 5.19065846504993766e-01)], [(3.56757396594596488e-01, -7.77089995970521308e-01), (1.31416854735853406e+00, 0.0)], [(-1.78744253665621133e-01, 1.05529359563441852e-01), (-7.23602913200602493e-02, -6.55124938647022592e-01)]], [[(1.88997354478839208e+00, 0.0), (2.04923503330499357e-01, 7.37788104942030842e-01)], [(-7.65406683142857425e-01, -1.71309375078631365e-01), (-1.48753993895585945e+00, 0.0)], [(1.95770216189905505e-01, -3.47742852777908174e-01), (3.77330463435209151e-01, 3.21658727716722215e-01)]]]> : tensor<2x3x2xcomplex<f64>>, tolerance = 1.000000e-03
  check.expect_eq_const %f#1, dense<[[1, 2], [2, 1]]> : tensor<2x2xi32>
  check.expect_almost_eq_const %f#2, dense<[[(1.12178518268928951e+00, 7.82904745859718948e-02), (1.17156115226978441e+00, 5.10820114818959614e-01)], [(1.10582158705422140e+00, 1.53441301228620847e-01), (1.58942683614157243e+00, -1.59033183101030540e-01)]]> : tensor<2x2xcomplex<f64>>, tolerance = 1.000000e-03
  return
}
