// A donated argument that is returned is its result; one that is returned twice is copied once
// RUN: shardrun --quiet --run=false --print-plan %s
func.func @main(%a: tensor<16xf32> {jax.buffer_donor = true}, %b: tensor<16xf32> {jax.buffer_donor = true}, %c: tensor<16xf32>)
    -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  return %b, %b, %c : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
