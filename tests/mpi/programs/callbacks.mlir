// The form of jax.debug.print: custom calls on a mesh of one device, unordered, in a loop, and ordered by a token argument and result.
sdy.mesh @mesh = <["x"=2]>
sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]>
func.func public @main(%t: !stablehlo.token, %x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>} loc("x")) -> (!stablehlo.token, tensor<4xf32> {jax.result_info = "result"}) {
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {backend_config = "", has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}, result_layouts = [], operand_layouts = [dense<0> : tensor<1xindex>], sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<4xf32>) -> ()
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%t, %x) {backend_config = "", has_side_effect = true, mhlo.backend_config = {index = 1 : ui64}} : (!stablehlo.token, tensor<4xf32>) -> !stablehlo.token
  %1 = stablehlo.add %x, %x : tensor<4xf32>
  return %0, %1 : !stablehlo.token, tensor<4xf32>
}
