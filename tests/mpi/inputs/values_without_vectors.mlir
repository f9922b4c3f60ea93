// Singular values, eigenvalues and a Schur form without vectors: LAPACK leaves the vectors undefined
func.func @main(%a: tensor<6x6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %r:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8}, api_version = 4 : i32} : (tensor<6x6xf32>) -> (tensor<6x6xf32>, tensor<6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<i32>)
  %w:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 78 : ui8}, api_version = 4 : i32} : (tensor<6x6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6x6xcomplex<f32>>, tensor<6x6xcomplex<f32>>, tensor<i32>)
  %s:6 = stablehlo.custom_call @lapack_sgees_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8, sort = 78 : ui8}, api_version = 4 : i32} : (tensor<6x6xf32>) -> (tensor<6x6xf32>, tensor<6x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<i32>, tensor<i32>)
  return %r#1, %w#0, %s#2 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}
