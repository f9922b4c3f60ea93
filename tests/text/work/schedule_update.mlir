// An in-place update stays after all readers of the old value: an earlier update would free more memory, but need a copy first
// RUN: shardopt %s -shardrun-schedule
func.func @update(%arg0: tensor<64xf32>, %arg1: tensor<16xf32>, %arg2: tensor<i32>, %arg3: tensor<64xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0 = stablehlo.negate %arg0 : tensor<64xf32>
  %1 = stablehlo.cosine %arg3 : tensor<64xf32>
  %2 = stablehlo.slice %0 [0:16] : (tensor<64xf32>) -> tensor<16xf32>
  %3 = stablehlo.cosine %arg1 : tensor<16xf32>
  %4 = stablehlo.slice %1 [16:32] : (tensor<64xf32>) -> tensor<16xf32>
  %5 = stablehlo.multiply %2, %4 : tensor<16xf32>
  %6 = stablehlo.dynamic_update_slice %0, %3, %arg2 : (tensor<64xf32>, tensor<16xf32>, tensor<i32>) -> tensor<64xf32>
  %7 = stablehlo.slice %6 [16:32] : (tensor<64xf32>) -> tensor<16xf32>
  return %7, %5 : tensor<16xf32>, tensor<16xf32>
}

// A donated argument is updated after its last reader
func.func @donated(%arg0: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = stablehlo.negate %arg1 : tensor<64xf32>
  %1 = stablehlo.cosine %arg0 : tensor<64xf32>
  %2 = stablehlo.sine %1 : tensor<64xf32>
  %3 = stablehlo.add %arg0, %0 : tensor<64xf32>
  return %3, %2 : tensor<64xf32>, tensor<64xf32>
}
