// The module that JAX prints of a custom_partitioning function cannot be executed, since it lacks the function
// RUN: shardrun --interpret %s
// EXIT: 4
func.func @main() {
  %x = stablehlo.constant dense<[0.0, 0.5]> : tensor<2xf32>
  %y = stablehlo.custom_call @CustomSPMDPartitioning(%x) {api_version = 2 : i32, backend_config = "140511092216656"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
