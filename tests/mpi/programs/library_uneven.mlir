sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<3x2x2xf32>) -> (tensor<3x2x2xf32>, tensor<3xi32>) {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}, {}]> : tensor<3x2x2xf32>
  %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0) {mhlo.backend_config = {uplo = 76 : ui8}, api_version = 4 : i32, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=3, j=2, k=2, l=2, m=2}, custom>} : (tensor<3x2x2xf32>) -> (tensor<3x2x2xf32>, tensor<3xi32>)
  return %1#0, %1#1 : tensor<3x2x2xf32>, tensor<3xi32>
}
