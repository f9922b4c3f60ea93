// A permute by axes whose sizes do not divide each other, from 3 x 4 to 2 x 2 x 3, where the target has more axes than the source
// RUN: shardopt %s -shardrun-global-to-local=max-listed-devices=1
sdy.mesh @mesh = <["p"=3, "q"=4, "r"=2, "s"=2, "t"=3]>
func.func @permute(%arg0: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"p", "q"}]>}) -> (tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"r", "s", "t"}]>}) {
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"r", "s", "t"}]> : tensor<12xf32>
  return %0 : tensor<12xf32>
}
