// every argument is wanted otherwise than it comes, and given back in a third way
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
                %arg1: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}, {"x"}, {"y":(2)2}]>},
                %arg2: tensor<10x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
                %arg3: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>},
                %arg4: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(2)2}, {"x"}]>},
        tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x"}, {}]>},
        tensor<10x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>},
        tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>},
        tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}) {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"y"}, {"x"}]> : tensor<16x16xf32>
  %1 = sdy.sharding_constraint %arg1 <@mesh, [{"x"}, {}, {"y"}]> : tensor<8x8x8xf32>
  %2 = sdy.sharding_constraint %arg2 <@mesh, [{"x"}, {"y"}]> : tensor<10x8xf32>
  %3 = sdy.sharding_constraint %arg3 <@mesh, [{"y", "x"}]> : tensor<7xf32>
  %4 = sdy.sharding_constraint %arg4 <@mesh, [{}, {"y"}]> : tensor<8x4xf32>
  return %0, %1, %2, %3, %4 : tensor<16x16xf32>, tensor<8x8x8xf32>, tensor<10x8xf32>, tensor<7xf32>, tensor<8x4xf32>
}
