// Threads divide the rows of a single matrix: with two threads, a block has 64 rows for each of them.
// RUN: for n in 1 2 4; do shardopt %s -shardrun-strip-mine="min-bytes=0 threads=$n" | grep -o 'sizes = \[[0-9]*' | sort -u; done
func.func @attention(%q: tensor<16384x8xf32>, %k: tensor<32768x8xf32>) -> tensor<16384x8xf32> {
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<16384x8xf32>, tensor<32768x8xf32>) -> tensor<16384x32768xf32>
  %e = stablehlo.tanh %s : tensor<16384x32768xf32>
  %o = stablehlo.dot_general %e, %k, contracting_dims = [1] x [0] : (tensor<16384x32768xf32>, tensor<32768x8xf32>) -> tensor<16384x8xf32>
  return %o : tensor<16384x8xf32>
}
