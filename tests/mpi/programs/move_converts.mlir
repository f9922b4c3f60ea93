// Rows gathered over y, then over x, whose readers need a narrower type and fewer columns; sums over y, then over x
module @narrow attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%w: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<4x1xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<1x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0:2 = sdy.manual_computation(%w) in_shardings=[<@mesh, [{"x", "y"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>] manual_axes={"x", "y"} (%c: tensor<1x2xf32>) {
      %g = "stablehlo.all_gather"(%c) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<1x2xf32>) -> tensor<2x2xf32>
      %h = "stablehlo.all_gather"(%g) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x2xf32>) -> tensor<4x2xf32>
      %s = "stablehlo.all_reduce"(%c) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %add = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %add : tensor<f32>
      }) : (tensor<1x2xf32>) -> tensor<1x2xf32>
      %t = "stablehlo.all_reduce"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %add = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %add : tensor<f32>
      }) : (tensor<1x2xf32>) -> tensor<1x2xf32>
      sdy.return %h, %t : tensor<4x2xf32>, tensor<1x2xf32>
    } : (tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<1x2xf32>)
    %1 = stablehlo.slice %0#0 [0:4, 1:2] : (tensor<4x2xf32>) -> tensor<4x1xf32>
    %2 = stablehlo.convert %1 : (tensor<4x1xf32>) -> tensor<4x1xbf16>
    return %2, %0#1 : tensor<4x1xbf16>, tensor<1x2xf32>
  }
}
