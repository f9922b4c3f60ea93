// A user's FFI kernels: on replicated values, in place on each device's shard in a manual computation, and in a loop.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = stablehlo.custom_call @affine(%x) {api_version = 4 : i32, backend_config = {scale = 2.0 : f32, offsets = dense<[10, 20]> : tensor<2xi64>, inner = {more = 5 : i32}, word = "go"}} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<2x2xf32>) {
    %2 = stablehlo.custom_call @increment(%a) {mhlo.backend_config = {}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %3 = stablehlo.add %2, %a : tensor<2x2xf32>
    sdy.return %3 : tensor<2x2xf32>
  } : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}
