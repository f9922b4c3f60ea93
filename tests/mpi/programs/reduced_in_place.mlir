// Two all_reduces: the first one's operand has no other reader, the second one's operand is read together with its result
module @reduced_in_place {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<6x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<2x6xi32>) {
    %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<6x6xi32>
    %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%c: tensor<2x6xi32>) {
      %t = stablehlo.negate %c : tensor<2x6xi32>
      %r = "stablehlo.all_reduce"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%x: tensor<i32>, %y: tensor<i32>):
        %m = stablehlo.add %x, %y : tensor<i32>
        stablehlo.return %m : tensor<i32>
      }) : (tensor<2x6xi32>) -> tensor<2x6xi32>
      %s = stablehlo.subtract %r, %t : tensor<2x6xi32>
      %u = "stablehlo.all_reduce"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%x: tensor<i32>, %y: tensor<i32>):
        %m = stablehlo.add %x, %y : tensor<i32>
        stablehlo.return %m : tensor<i32>
      }) : (tensor<2x6xi32>) -> tensor<2x6xi32>
      sdy.return %u : tensor<2x6xi32>
    } : (tensor<8x6xi32>) -> tensor<2x6xi32>
    return %0, %1 : tensor<6x6xi32>, tensor<2x6xi32>
  }
}
