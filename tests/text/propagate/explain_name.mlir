// --explain prints the chain from a value's axes to the annotations: a constraint after it, an argument before it, both through a transpose.
// RUN: shardopt %s -sdy-propagation-pipeline --explain=%1

sdy.mesh @mesh = <["x"=2, "y"=4]>

func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>} loc("weights")) -> tensor<16x8xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<8x16xf32> loc("jit(f)/tanh"("f.py":3:7))
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32> loc("jit(f)/transpose"("f.py":4:7))
  %2 = stablehlo.negate %1 : tensor<16x8xf32> loc("jit(f)/neg"("f.py":5:7))
  %3 = sdy.sharding_constraint %2 <@mesh, [{"y":(1)2, ?}, {?}]> : tensor<16x8xf32> loc("jit(f)/sharding_constraint"("f.py":6:7))
  return %3 : tensor<16x8xf32>
}
