// An iota of short floats is computed in integers first: 771 + 3 in bf16 is not 774 in bf16
// RUN: shardopt %s -shardrun-global-to-local
sdy.mesh @mesh = <["x"=4]>
func.func @main() -> (tensor<1028xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<1028xbf16>
  return %0 : tensor<1028xbf16>
}
