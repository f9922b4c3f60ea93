// sdy collectives in the module: of shardings that the devices do not divide, and of a value that propagation shards.
sdy.mesh @mesh = <["a"=4, "b"=2]>
func.func @main(%arg0: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, %arg1: tensor<8x4xf32>, %arg2: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> (tensor<6x8xf32>, tensor<8x4xf32>, tensor<10xf32>) {
  %0 = sdy.all_gather [{"a"}, {"b"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<6x8xf32>
  %1 = sdy.reduce_scatter [{"a"}, {"b"}] %0 out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<6x8xf32>
  %2 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%b: tensor<2x4xf32>) {
    sdy.return %b : tensor<2x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %p = sdy.propagation_barrier %2 allowed_direction=FORWARD : tensor<8x4xf32>
  %3 = sdy.all_slice [{"a"}, {"b"}] %p out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<8x4xf32>
  %4 = sdy.all_to_all [{"b"}: 1->0] %3 out_sharding=<@mesh, [{"a", "b"}, {}]> : tensor<8x4xf32>
  %5 = sdy.sharded_to_unreduced [{"a"}] %arg2 out_sharding=<@mesh, [{}], unreduced={"a"}> : tensor<10xf32>
  %6 = sdy.all_reduce {"a"} %5 out_sharding=<@mesh, [{}]> : tensor<10xf32>
  return %1, %4, %6 : tensor<6x8xf32>, tensor<8x4xf32>, tensor<10xf32>
}
