module {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>) {
    %0:4 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<4xi32>) {
      %turned = "stablehlo.all_to_all"(%b) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4xi32>) -> tensor<4xi32>
      %same = "stablehlo.collective_broadcast"(%b) <{replica_groups = dense<[[1, 0], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (tensor<4xi32>) -> tensor<4xi32>
      %started = "stablehlo.async_start"(%b) ({
      ^bb0(%c: tensor<4xi32>):
        %moved = "stablehlo.collective_permute"(%c) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> : (tensor<4xi32>) -> tensor<4xi32>
        stablehlo.return %moved : tensor<4xi32>
      }) : (tensor<4xi32>) -> !stablehlo.future<tensor<4xi32>>
      %done = "stablehlo.async_done"(%started) : (!stablehlo.future<tensor<4xi32>>) -> tensor<4xi32>
      %first = "stablehlo.collective_reduce"(%b) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>}> ({
      ^bb0(%x: tensor<i32>, %y: tensor<i32>):
        %s = stablehlo.add %x, %y : tensor<i32>
        stablehlo.return %s : tensor<i32>
      }) : (tensor<4xi32>) -> tensor<4xi32>
      sdy.return %turned, %same, %done, %first : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
    } : (tensor<16xi32>) -> (tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>
  }
}
