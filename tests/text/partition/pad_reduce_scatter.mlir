// A reduce_scatter along an axis that does not divide the dimension: padded first where the value is replicated, then scattered once
// RUN: shardopt %s -shardrun-pad
sdy.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(%arg0: tensor<5x7xf32>) -> (tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %0 = sdy.reduce_scatter [{"y"}, {"x"}] %arg0 out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
