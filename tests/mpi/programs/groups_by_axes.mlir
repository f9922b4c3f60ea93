// Permutes and reductions with listed groups and with groups given by mesh axes, on a mesh with its own device order: the results are the differences.
sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @back = <["x"=2, "y"=4], device_ids=[3, 1, 2, 0, 7, 6, 5, 4]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>] manual_axes={"x", "y"} (%arg1: tensor<1xf32>) {
    %step_listed = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[2, 1], [0, 2], [1, 3], [4, 5], [5, 6], [6, 7]]> : tensor<6x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
    %step = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = #shardrun.permute_along<mesh = @back, axes = [#stablehlo.axis_ref<name = "y">], step = 1>}> : (tensor<1xf32>) -> tensor<1xf32>
    %step_differs = stablehlo.subtract %step, %step_listed : tensor<1xf32>
    %list_listed = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [3, 2], [2, 3], [6, 4], [7, 5], [5, 7]]> : tensor<6x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
    %list = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = #shardrun.permute_along<mesh = @back, axes = [#stablehlo.axis_ref<name = "y">], sources = [2, -1, 0, 1]>}> : (tensor<1xf32>) -> tensor<1xf32>
    %list_differs = stablehlo.subtract %list, %list_listed : tensor<1xf32>
    %between_listed = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[3, 0], [2, 1], [7, 2], [5, 3], [1, 4], [0, 5], [6, 6], [4, 7]]> : tensor<8x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
    %between = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = #shardrun.permute_between<source_mesh = @back, source_axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "y">], mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">, #stablehlo.axis_ref<name = "x">]>}> : (tensor<1xf32>) -> tensor<1xf32>
    %between_differs = stablehlo.subtract %between, %between_listed : tensor<1xf32>
    %whole_listed = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[3, 1, 2, 0], [7, 6, 5, 4]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
    %whole = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @back, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
    %whole_each = stablehlo.subtract %whole, %whole_listed : tensor<4xf32>
    %whole_abs = stablehlo.abs %whole_each : tensor<4xf32>
    %whole_zero = stablehlo.constant dense<0.0> : tensor<f32>
    %whole_sum = stablehlo.reduce(%whole_abs init: %whole_zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %whole_differs = stablehlo.reshape %whole_sum : (tensor<f32>) -> tensor<1xf32>
    %part_listed = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[3, 1], [2, 0], [7, 6], [5, 4]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
    %part = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @back, axes = [#stablehlo.axis_ref<name = "y", sub_axis_info = (2)2>]>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
    %part_each = stablehlo.subtract %part, %part_listed : tensor<2xf32>
    %part_abs = stablehlo.abs %part_each : tensor<2xf32>
    %part_zero = stablehlo.constant dense<0.0> : tensor<f32>
    %part_sum = stablehlo.reduce(%part_abs init: %part_zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %part_differs = stablehlo.reshape %part_sum : (tensor<f32>) -> tensor<1xf32>
    %all = stablehlo.concatenate %step_differs, %list_differs, %between_differs, %whole_differs, %part_differs, dim = 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<5xf32>
    %row = stablehlo.reshape %all : (tensor<5xf32>) -> tensor<1x5xf32>
    sdy.return %row : tensor<1x5xf32>
  } : (tensor<8xf32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
