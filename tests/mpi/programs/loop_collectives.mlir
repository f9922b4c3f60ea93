// A loop with collectives in its condition, its body, a branch and an inner loop
sdy.mesh @mesh = <["x"=6]>
func.func @main(%v: tensor<12xi32>, %numbers: tensor<12xi32>) -> (tensor<6xi32>, tensor<12xi32>) {
  %0:2 = sdy.manual_computation(%v, %numbers) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] manual_axes={"x"} (%own: tensor<2xi32>, %own_numbers: tensor<2xi32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.while(%i = %zero, %x = %own) : tensor<i32>, tensor<2xi32>
      cond {
        %bound = stablehlo.constant dense<100000> : tensor<i32>
        %sums = func.call @sum(%x) : (tensor<2xi32>) -> tensor<2xi32>
        %first = stablehlo.slice %sums [0:1] : (tensor<2xi32>) -> tensor<1xi32>
        %sum = stablehlo.reshape %first : (tensor<1xi32>) -> tensor<i32>
        %more = stablehlo.compare LT, %sum, %bound : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %two = stablehlo.constant dense<2> : tensor<i32>
        %three = stablehlo.constant dense<3> : tensor<i32>
        %max = func.call @max(%x) : (tensor<2xi32>) -> tensor<2xi32>
        %y = stablehlo.add %x, %max : tensor<2xi32>
        %which = stablehlo.remainder %i, %two : tensor<i32>
        %z = "stablehlo.case"(%which) ({
          %shifted = stablehlo.add %y, %own_numbers : tensor<2xi32>
          stablehlo.return %shifted : tensor<2xi32>
        }, {
          %min = func.call @min(%y) : (tensor<2xi32>) -> tensor<2xi32>
          %rest = stablehlo.subtract %y, %min : tensor<2xi32>
          stablehlo.return %rest : tensor<2xi32>
        }) : (tensor<i32>) -> tensor<2xi32>
        %2:2 = stablehlo.while(%j = %zero, %w = %z) : tensor<i32>, tensor<2xi32>
          cond {
            %more = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %more : tensor<i1>
          } do {
            %seven = stablehlo.constant dense<7> : tensor<2xi32>
            %sum = func.call @sum(%w) : (tensor<2xi32>) -> tensor<2xi32>
            %bits = stablehlo.and %sum, %seven : tensor<2xi32>
            %next = stablehlo.xor %w, %bits : tensor<2xi32>
            %k = stablehlo.add %j, %one : tensor<i32>
            stablehlo.return %k, %next : tensor<i32>, tensor<2xi32>
          }
        %n = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %n, %2#1 : tensor<i32>, tensor<2xi32>
      }
    %count = stablehlo.reshape %1#0 : (tensor<i32>) -> tensor<1xi32>
    sdy.return %count, %1#1 : tensor<1xi32>, tensor<2xi32>
  } : (tensor<12xi32>, tensor<12xi32>) -> (tensor<6xi32>, tensor<12xi32>)
  return %0#0, %0#1 : tensor<6xi32>, tensor<12xi32>
}
func.func private @sum(%x: tensor<2xi32>) -> tensor<2xi32> {
  %init = stablehlo.constant dense<0> : tensor<i32>
  %local = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %all = "stablehlo.all_reduce"(%local) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %result = stablehlo.broadcast_in_dim %all, dims = [] : (tensor<i32>) -> tensor<2xi32>
  return %result : tensor<2xi32>
}
func.func private @max(%x: tensor<2xi32>) -> tensor<2xi32> {
  %init = stablehlo.constant dense<-2147483648> : tensor<i32>
  %local = stablehlo.reduce(%x init: %init) applies stablehlo.maximum across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %all = "stablehlo.all_reduce"(%local) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %result = stablehlo.broadcast_in_dim %all, dims = [] : (tensor<i32>) -> tensor<2xi32>
  return %result : tensor<2xi32>
}
func.func private @min(%x: tensor<2xi32>) -> tensor<2xi32> {
  %init = stablehlo.constant dense<2147483647> : tensor<i32>
  %local = stablehlo.reduce(%x init: %init) applies stablehlo.minimum across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %all = "stablehlo.all_reduce"(%local) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.minimum %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %result = stablehlo.broadcast_in_dim %all, dims = [] : (tensor<i32>) -> tensor<2xi32>
  return %result : tensor<2xi32>
}
