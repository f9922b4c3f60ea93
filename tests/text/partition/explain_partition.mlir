// --explain-partition prints selected shardings, their alternatives with costs, annotated values, readers and their reshards
// RUN: for v in dot_general "result['h']" tokens f.py:6 %1; do shardopt %s -shardrun-import-pipeline -sdy-propagation-pipeline -inline -shardrun-search-shardings --explain-partition="$v"; echo; done

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} loc("tokens"), %arg1: tensor<32x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<64x128xf32> {jax.result_info = "result['h']", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<128xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x128xf32>) -> tensor<64x128xf32> loc("f.py":2:4)
  %1 = stablehlo.tanh %0 : tensor<64x128xf32> loc("f.py":3:4)
  %c = stablehlo.constant dense<2.0> : tensor<64x128xf32> loc("f.py":6:4)
  %2 = stablehlo.multiply %1, %c : tensor<64x128xf32> loc("f.py":5:4)
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64x128xf32>, tensor<f32>) -> tensor<128xf32> loc("f.py":7:4)
  return %2, %3 : tensor<64x128xf32>, tensor<128xf32>
}
