module {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<1xi32>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %id = stablehlo.partition_id : tensor<ui32>
      %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
      %first = stablehlo.compare EQ, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %n = stablehlo.select %first, %two, %one : tensor<i1>, tensor<i32>
      %w:2 = stablehlo.while(%k = %zero, %v = %b) : tensor<i32>, tensor<1xi32>
       cond {
        %t = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %t : tensor<i1>
      } do {
        %next = stablehlo.add %k, %one : tensor<i32>
        %s = "stablehlo.all_reduce"(%v) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
        ^bb0(%x: tensor<i32>, %y: tensor<i32>):
          %z = stablehlo.add %x, %y : tensor<i32>
          stablehlo.return %z : tensor<i32>
        }) : (tensor<1xi32>) -> tensor<1xi32>
        stablehlo.return %next, %s : tensor<i32>, tensor<1xi32>
      }
      sdy.return %w#1 : tensor<1xi32>
    } : (tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}
