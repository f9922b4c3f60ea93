// An unused custom call stays if it has effects, else it is removed; a collective stays
// RUN: shardopt %s -canonicalize
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @keep(%arg0) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @drop(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %arg0 : tensor<4xf32>
}
