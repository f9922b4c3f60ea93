// The report has the bytes between nodes in a step, with loops counted as often as they run.
// The sums over "y" stay within a node with block placement, and cross nodes with cyclic placement; with "x" innermost the permute along it stays within a node
// RUN: shardrun --run=false --ranks-per-node=2 --report=- %s 2>%t/summary | sed -n '/"nodes": {/,$p'; sed -n 's/^ *between/between/p' %t/summary; shardrun --run=false --ranks-per-node=-1 %s 2>&1; [ $? = 2 ]
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<1> : tensor<i32>
  %c_1 = stablehlo.constant dense<10> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %1:2 = stablehlo.while(%iter = %c, %x = %arg0) : tensor<i32>, tensor<8x16xf32>
  cond {
    %2 = stablehlo.compare LT, %iter, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%p: tensor<4x8xf32>) {
      %4 = "stablehlo.collective_permute"(%p) <{source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
      sdy.return %4 : tensor<4x8xf32>
    } : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %3 = stablehlo.add %iter, %c_0 : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<8x16xf32>
  }
  return %0, %1#1 : tensor<8xf32>, tensor<8x16xf32>
}
