// Callbacks into Python whose results are unused are dropped with one warning, also in loops and with tokens; others stay.
// RUN: shardopt %s -shardrun-drop-callbacks
func.func @main(%x: tensor<4xf32>, %t: !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token) {
  %c = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {backend_config = "", has_side_effect = true} : (tensor<4xf32>) -> ()
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%t, %x) {backend_config = "", has_side_effect = true} : (!stablehlo.token, tensor<4xf32>) -> !stablehlo.token
  %1 = stablehlo.while(%a = %x) : tensor<4xf32>
  cond {
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.custom_call @xla_python_cpu_callback(%a) {backend_config = "", has_side_effect = true} : (tensor<4xf32>) -> ()
    stablehlo.return %a : tensor<4xf32>
  }
  %2 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%1) {backend_config = ""} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.custom_call @somebody(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %0 : tensor<4xf32>, !stablehlo.token
}
