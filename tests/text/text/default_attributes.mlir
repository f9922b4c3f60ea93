// Attributes with their default value are omitted, except the configuration of infeed and outfeed.
// RUN: shardopt %s
func.func @f(%a: tensor<f32>, %t: !stablehlo.token) {
  %0 = stablehlo.custom_call @foo(%a) {api_version = 1 : i32, has_side_effect = false, backend_config = ""} : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.custom_call @foo(%a) {api_version = 2 : i32} : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.exponential %a {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<f32>
  %3 = stablehlo.exponential %a {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<f32>
  %4:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %5 = "stablehlo.outfeed"(%a, %t) : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return
}
