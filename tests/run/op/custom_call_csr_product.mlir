// Products of a sparse matrix in compressed rows, as JAX writes them for BCSR: an empty row, entries behind the last row, no entries
// RUN: shardrun --interpret %s
func.func @main() {
  %data = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 100.0]> : tensor<5xf32>
  %starts = stablehlo.constant dense<[0, 2, 2, 4]> : tensor<4xi32>
  %columns = stablehlo.constant dense<[0, 2, 1, 2, 0]> : tensor<5xi32>
  %x = stablehlo.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %y = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%data, %starts, %columns, %x) : (tensor<5xf32>, tensor<4xi32>, tensor<5xi32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %y, dense<[70.0, 0.0, 180.0]> : tensor<3xf32>
  %m = stablehlo.constant dense<[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]> : tensor<3x2xf32>
  %z = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%data, %starts, %columns, %m) : (tensor<5xf32>, tensor<4xi32>, tensor<5xi32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %z, dense<[[7.0, 70.0], [0.0, 0.0], [18.0, 180.0]]> : tensor<3x2xf32>
  %no_data = stablehlo.constant dense<> : tensor<0xf32>
  %no_columns = stablehlo.constant dense<> : tensor<0xi32>
  %no_starts = stablehlo.constant dense<0> : tensor<4xi32>
  %n = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%no_data, %no_starts, %no_columns, %x) : (tensor<0xf32>, tensor<4xi32>, tensor<0xi32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %n, dense<0.0> : tensor<3xf32>
  return
}
