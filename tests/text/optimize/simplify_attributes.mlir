// The replacement of an op gets its attributes; an xla_metadata_payload stays with its own op.
// RUN: shardopt %s --stablehlo-aggressive-simplification

func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2x1xf32>) {
  %0 = stablehlo.negate %x {mhlo.frontend_attributes = {a = "1", b = "1", xla_metadata_payload = "negate"}} : tensor<2xf32>
  %1 = stablehlo.convert %0 {mhlo.frontend_attributes = {b = "2", xla_metadata_payload = "convert"}, mhlo.sharding = "{replicated}"} : tensor<2xf32>
  %2 = stablehlo.broadcast_in_dim %x, dims = [0] {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2x1xf32>
  return %1, %2 : tensor<2xf32>, tensor<2x1xf32>
}
