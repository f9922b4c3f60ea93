// Hints on the order of ops are dropped without a warning, so that they do not keep values from being sharded
// RUN: shardopt %s -shardrun-drop-callbacks
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.sine %arg0 : tensor<8xf32>
  %1 = stablehlo.cosine %arg0 : tensor<8xf32>
  stablehlo.custom_call @control_dep(%1, %0) {has_side_effect = true} : (tensor<8xf32>, tensor<8xf32>) -> ()
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
