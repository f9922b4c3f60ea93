// Ops with side effects keep their order, even if another order would need less memory; pure ops move between them
// RUN: shardopt %s -shardrun-schedule
func.func @effects(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>) -> tensor<16xf32> {
  %0 = stablehlo.negate %arg0 : tensor<64xf32>
  %1 = stablehlo.negate %arg1 : tensor<64xf32>
  stablehlo.custom_call @first(%1) {has_side_effect = true} : (tensor<64xf32>) -> ()
  stablehlo.custom_call @second(%0) {has_side_effect = true} : (tensor<64xf32>) -> ()
  %2 = stablehlo.slice %0 [0:16] : (tensor<64xf32>) -> tensor<16xf32>
  %3 = stablehlo.slice %1 [0:16] : (tensor<64xf32>) -> tensor<16xf32>
  %4 = stablehlo.add %2, %3 : tensor<16xf32>
  return %4 : tensor<16xf32>
}
