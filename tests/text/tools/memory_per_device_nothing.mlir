// If no plan fits, the least peak is reported, which tests/unit/driver.c checks
// RUN: shardrun --cache=off --run=false -q --memory-per-device=100K %s 2>%t/log; status=$?; sed "s/takes [0-9]*, of which [0-9]*/takes ..., of which .../" %t/log >&2; exit $status
// EXIT: 5
module @step attributes {mhlo.num_partitions = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%w1: tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %w2: tensor<512x256xf32>, %x: tensor<1024x256xf32>) -> (tensor<256x512xf32>, tensor<512x256xf32>, tensor<1024x256xf32>) {
    %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<1024x256xf32>, tensor<256x512xf32>) -> tensor<1024x512xf32>
    %1 = stablehlo.tanh %0 : tensor<1024x512xf32>
    %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0] : (tensor<1024x512xf32>, tensor<512x256xf32>) -> tensor<1024x256xf32>
    %3 = stablehlo.dot_general %1, %2, contracting_dims = [0] x [0] : (tensor<1024x512xf32>, tensor<1024x256xf32>) -> tensor<512x256xf32>
    %4 = stablehlo.subtract %w2, %3 : tensor<512x256xf32>
    %5 = stablehlo.dot_general %2, %w2, contracting_dims = [1] x [1] : (tensor<1024x256xf32>, tensor<512x256xf32>) -> tensor<1024x512xf32>
    %6 = stablehlo.multiply %5, %1 : tensor<1024x512xf32>
    %7 = stablehlo.dot_general %x, %6, contracting_dims = [0] x [0] : (tensor<1024x256xf32>, tensor<1024x512xf32>) -> tensor<256x512xf32>
    %8 = stablehlo.subtract %w1, %7 : tensor<256x512xf32>
    return %8, %4, %2 : tensor<256x512xf32>, tensor<512x256xf32>, tensor<1024x256xf32>
  }
}
