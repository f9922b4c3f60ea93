module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @main(%a: tensor<2xui32>) -> (tensor<2xui32>, tensor<ui32>) {
    %id = stablehlo.replica_id : tensor<ui32>
    %one = stablehlo.constant dense<1> : tensor<ui32>
    %n = stablehlo.add %id, %one : tensor<ui32>
    %b = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %0 = stablehlo.add %a, %b : tensor<2xui32>
    %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%x: tensor<ui32>, %y: tensor<ui32>):
      %s = stablehlo.add %x, %y : tensor<ui32>
      stablehlo.return %s : tensor<ui32>
    }) : (tensor<2xui32>) -> tensor<2xui32>
    %p = stablehlo.partition_id : tensor<ui32>
    return %1, %p : tensor<2xui32>, tensor<ui32>
  }
}
