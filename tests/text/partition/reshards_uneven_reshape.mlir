// A dimension that a reshape splits is sharded by divisors of its factors only: 10 over 4 cannot become 2 by 5
// RUN: shardopt %s -shardrun-insert-reshards

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%arg0: tensor<10x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<10x3xf32>) -> tensor<30xf32>
  return %0 : tensor<30xf32>
}
