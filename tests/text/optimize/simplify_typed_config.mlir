// A backend_config dictionary in mhlo.backend_config selects api_version 4.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @f(%x) {api_version = 1 : i32, mhlo.backend_config = {n = 1 : i32}} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
