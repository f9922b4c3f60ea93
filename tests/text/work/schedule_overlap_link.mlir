// Collectives share one link.
// Of two sums whose readers are adjacent, one starts first and is in flight while the other's operand is computed, whatever the order in the input. Of
// two gathers the second is complete after the time of both transfers: its reader is scheduled after a product
// RUN: echo "network_bytes_per_s = 4e10" >%t/m.txt; shardopt %s --machine=%t/m.txt -shardrun-lower-to-work -shardrun-schedule=overlap=true
func.func @sums(%x: tensor<128x64xf32>, %w0: tensor<64x128xf32>, %w1: tensor<64x128xf32>) -> tensor<128x128xf32> {
  %p1 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<128x64xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %p0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<128x64xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  %r0 = "stablehlo.all_reduce"(%p0) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %r1 = "stablehlo.all_reduce"(%p1) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %y = stablehlo.dot_general %r0, %r1, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  return %y : tensor<128x128xf32>
}
func.func @gathers(%a: tensor<8x1024xf32>, %b: tensor<8x1024xf32>, %c: tensor<64x2048xf32>, %d: tensor<2048x64xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %g0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<8x1024xf32>) -> tensor<32x1024xf32>
  %g1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<8x1024xf32>) -> tensor<32x1024xf32>
  %x0 = stablehlo.dot_general %g0, %g0, contracting_dims = [0, 1] x [0, 1] : (tensor<32x1024xf32>, tensor<32x1024xf32>) -> tensor<f32>
  %x1 = stablehlo.dot_general %g1, %g1, contracting_dims = [0, 1] x [0, 1] : (tensor<32x1024xf32>, tensor<32x1024xf32>) -> tensor<f32>
  %q0 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<64x2048xf32>, tensor<2048x64xf32>) -> tensor<64x64xf32>
  %q1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<64x2048xf32>, tensor<2048x64xf32>) -> tensor<64x64xf32>
  %z = stablehlo.dot_general %q0, %q1, contracting_dims = [0, 1] x [0, 1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<f32>
  return %x0, %x1, %z : tensor<f32>, tensor<f32>, tensor<f32>
}
