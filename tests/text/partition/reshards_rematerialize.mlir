// Constants, iotas and broadcast scalars are rematerialized with the required sharding instead of resharded
// RUN: shardopt %s -shardrun-insert-reshards -symbol-dce -canonicalize

sdy.mesh @mesh = <["x"=4, "y"=2]>

func.func @main() -> (tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xi32>
  return %0, %0 : tensor<8xi32>, tensor<8xi32>
}
