// Upstream's pass inserts nothing where a value without a sharding is returned as unreduced
// RUN: shardopt %s -sdy-insert-explicit-reshards=enable-full-version=true
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
  return %arg0 : tensor<4xf32>
}
