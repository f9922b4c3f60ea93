module {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<256x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<128x128xf32>) -> (tensor<256x128xf32>, tensor<256x128xf32>) {
    %0:2 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] manual_axes={"x"} (%c: tensor<64x128xf32>, %d: tensor<128x128xf32>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %rounds = stablehlo.constant dense<20> : tensor<i32>
      %r:4 = stablehlo.while(%i = %zero, %u = %c, %v = %c, %w = %d) : tensor<i32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<128x128xf32>
      cond {
        %more = stablehlo.compare LT, %i, %rounds : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %n = stablehlo.tanh %u : tensor<64x128xf32>
        %sum = "stablehlo.all_reduce"(%n) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %s = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %s : tensor<f32>
        }) : (tensor<64x128xf32>) -> tensor<64x128xf32>
        %first = stablehlo.slice %v [0:8, 0:128] : (tensor<64x128xf32>) -> tensor<8x128xf32>
        %few = "stablehlo.all_reduce"(%first) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %s = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %s : tensor<f32>
        }) : (tensor<8x128xf32>) -> tensor<8x128xf32>
        %next = "stablehlo.collective_permute"(%v) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}> : (tensor<64x128xf32>) -> tensor<64x128xf32>
        %turned = "stablehlo.all_to_all"(%n) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>}> : (tensor<64x128xf32>) -> tensor<64x128xf32>
        %p = stablehlo.dot_general %w, %d, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
        %q = stablehlo.tanh %p : tensor<128x128xf32>
        %e = stablehlo.dot_general %sum, %q, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
        %f = stablehlo.add %next, %turned : tensor<64x128xf32>
        %g = stablehlo.dynamic_update_slice %f, %few, %zero, %zero : (tensor<64x128xf32>, tensor<8x128xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
        %h = stablehlo.tanh %g : tensor<64x128xf32>
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %e, %h, %q : tensor<i32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<128x128xf32>
      }
      sdy.return %r#1, %r#2 : tensor<64x128xf32>, tensor<64x128xf32>
    } : (tensor<256x128xf32>, tensor<128x128xf32>) -> (tensor<256x128xf32>, tensor<256x128xf32>)
    return %0#0, %0#1 : tensor<256x128xf32>, tensor<256x128xf32>
  }
}
