// A manual computation over y within one over x: the sum of the columns' two halves, plus 10 in the second half of the rows
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<2x4xi32>) -> tensor<2x2xi32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<1x4xi32>) {
    %1 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"y"} (%c: tensor<1x2xi32>) {
      %2 = "stablehlo.all_reduce"(%c) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %s = stablehlo.add %p, %q : tensor<i32>
        stablehlo.return %s : tensor<i32>
      }) : (tensor<1x2xi32>) -> tensor<1x2xi32>
      sdy.return %2 : tensor<1x2xi32>
    } : (tensor<1x4xi32>) -> tensor<1x2xi32>
    %i = stablehlo.partition_id : tensor<ui32>
    %j = stablehlo.convert %i : (tensor<ui32>) -> tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %half = stablehlo.divide %j, %two : tensor<i32>
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %k = stablehlo.multiply %half, %ten : tensor<i32>
    %l = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
    %sum = stablehlo.add %1, %l : tensor<1x2xi32>
    sdy.return %sum : tensor<1x2xi32>
  } : (tensor<2x4xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
