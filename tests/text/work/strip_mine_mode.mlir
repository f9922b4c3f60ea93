// shardrun-work-pipeline has one option strip-mine, the mode of shardrun-strip-mine: auto, on or off; others are an error
// RUN: for m in auto on off; do shardopt %s -shardrun-strip-mine=mode=$m | grep -c stablehlo.while; done; shardopt %s -shardrun-work-pipeline=strip-mine=true; [ $? = 1 ]
func.func @main(%q: tensor<2x32x8xf32>, %k: tensor<2x32x8xf32>) -> tensor<2x32x8xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x32x8xf32>, tensor<2x32x8xf32>) -> tensor<2x32x32xf32>
  %e = stablehlo.tanh %s : tensor<2x32x32xf32>
  %o = stablehlo.dot_general %e, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x32x32xf32>, tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
  return %o : tensor<2x32x8xf32>
}
