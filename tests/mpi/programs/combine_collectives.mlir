// Small all_reduces and all_gathers: consecutive ones, in a loop, of several types and groups, and before a large one
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %a1: tensor<8x3xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %a2: tensor<f32>, %a3: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %a4: tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %a5: tensor<20x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %a6: tensor<12x2xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4xf32>, tensor<2x3xbf16>, tensor<256x256xf32>, tensor<4xi32>, tensor<5x3xf32>, tensor<3x2xbf16>, tensor<20x6xf32>, tensor<32xf32>, tensor<40x3xf32>) {
    %r:9 = sdy.manual_computation(%a0, %a1, %a2, %a3, %a4, %a5, %a6) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}, {}]>, <@mesh, []>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}, {}]>] manual_axes={"x"} (%x: tensor<4xf32>, %y: tensor<2x3xbf16>, %z: tensor<f32>, %w: tensor<256x256xf32>, %i: tensor<4xi32>, %u: tensor<5x3xf32>, %v: tensor<3x2xbf16>) {
      %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %r = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %r : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      %1 = "stablehlo.all_reduce"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
        %r = stablehlo.add %p, %q : tensor<bf16>
        stablehlo.return %r : tensor<bf16>
      }) : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
      %2 = "stablehlo.all_reduce"(%z) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %r = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %r : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %3 = stablehlo.exponential %w : tensor<256x256xf32>
      %4 = "stablehlo.all_reduce"(%w) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %r = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %r : tensor<f32>
      }) : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %5 = "stablehlo.all_reduce"(%u) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %r = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %r : tensor<f32>
      }) : (tensor<5x3xf32>) -> tensor<5x3xf32>
      %6 = "stablehlo.all_reduce"(%v) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
        %r = stablehlo.add %p, %q : tensor<bf16>
        stablehlo.return %r : tensor<bf16>
      }) : (tensor<3x2xbf16>) -> tensor<3x2xbf16>
      %7 = "stablehlo.all_reduce"(%i) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %r = stablehlo.add %p, %q : tensor<i32>
        stablehlo.return %r : tensor<i32>
      }) : (tensor<4xi32>) -> tensor<4xi32>
      %8 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
      %9 = stablehlo.multiply %4, %8 : tensor<256x256xf32>
      %10 = stablehlo.add %9, %3 : tensor<256x256xf32>
      %11 = "stablehlo.all_gather"(%u) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 8, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<5x3xf32>) -> tensor<5x6xf32>
      %12 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 9, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
      %13 = "stablehlo.all_gather"(%u) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 10, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<5x3xf32>) -> tensor<10x3xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %14:3 = stablehlo.while(%k = %c, %a = %0, %b = %5) : tensor<i32>, tensor<4xf32>, tensor<5x3xf32>
       cond {
        %n = stablehlo.constant dense<3> : tensor<i32>
        %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %l = stablehlo.add %k, %one : tensor<i32>
        %third = stablehlo.constant dense<0.3> : tensor<4xf32>
        %fifth = stablehlo.constant dense<0.2> : tensor<5x3xf32>
      %15 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 11, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %r = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %r : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      %16 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 12, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %r = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %r : tensor<f32>
      }) : (tensor<5x3xf32>) -> tensor<5x3xf32>
        %17 = stablehlo.multiply %15, %third : tensor<4xf32>
        %18 = stablehlo.multiply %16, %fifth : tensor<5x3xf32>
        stablehlo.return %l, %17, %18 : tensor<i32>, tensor<4xf32>, tensor<5x3xf32>
      }
      sdy.return %14#1, %1, %10, %7, %14#2, %6, %11, %12, %13 : tensor<4xf32>, tensor<2x3xbf16>, tensor<256x256xf32>, tensor<4xi32>, tensor<5x3xf32>, tensor<3x2xbf16>, tensor<5x6xf32>, tensor<8xf32>, tensor<10x3xf32>
    } : (tensor<16xf32>, tensor<8x3xbf16>, tensor<f32>, tensor<1024x256xf32>, tensor<16xi32>, tensor<20x3xf32>, tensor<12x2xbf16>) -> (tensor<4xf32>, tensor<2x3xbf16>, tensor<256x256xf32>, tensor<4xi32>, tensor<5x3xf32>, tensor<3x2xbf16>, tensor<20x6xf32>, tensor<32xf32>, tensor<40x3xf32>)
    return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8 : tensor<4xf32>, tensor<2x3xbf16>, tensor<256x256xf32>, tensor<4xi32>, tensor<5x3xf32>, tensor<3x2xbf16>, tensor<20x6xf32>, tensor<32xf32>, tensor<40x3xf32>
  }
}
