// The cost of a sort of which 16 of 8192 elements are read counts what each device sorts and the 16 that
// it gets: each device sorts its shard, and the first 16 of each are gathered
// RUN: shardopt %s -shardrun-import-pipeline -sdy-propagation-pipeline -inline -shardrun-search-shardings | grep -o "name = .sort_[a-z]*"
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func public @main(%arg0: tensor<32x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<32x16xf32>, tensor<32x16xi32>) {
  %values, %indices = chlo.top_k(%arg0, k = 16) : tensor<32x8192xf32> -> (tensor<32x16xf32>, tensor<32x16xi32>)
  return %values, %indices : tensor<32x16xf32>, tensor<32x16xi32>
}
