// A LAPACK call without the routine's operands is planned, and fails when it is executed
// RUN: shardrun --run=false %s 2>%t/plan && shardrun %s
// EXIT: 4

func.func @main() -> tensor<f32> {
  stablehlo.custom_call @lapack_sgetrf_ffi() {api_version = 4 : i32, has_side_effect = true} : () -> ()
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
