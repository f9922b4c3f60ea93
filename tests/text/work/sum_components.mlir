// Sums of vectors that are computed in pairs of few values, with a function of their length, are sums of each component: one nest
// computes them, and no value of all pairs is stored. So are the positions of a loop, with constants from before the loop, and
// differences that are larger than the caches, two of which read the distance. Sums of vectors from memory and without a reduction
// of components stay. Distances whose minimum is computed are sums of components.
// RUN: shardopt %s -shardrun-lower-to-work -shardrun-fuse
module {
  func.func @forces(%x: tensor<100x3xf32>, %mass: tensor<100xf32>) -> tensor<100x3xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<100x3xf32>) -> tensor<100x100x3xf32>
    %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<100x3xf32>) -> tensor<100x100x3xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<100x100x3xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<100x100x3xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<100x100x3xf32>, tensor<f32>) -> tensor<100x100xf32>
    %5 = stablehlo.rsqrt %4 : tensor<100x100xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<100x100xf32>) -> tensor<100x100x3xf32>
    %7 = stablehlo.broadcast_in_dim %mass, dims = [1] : (tensor<100xf32>) -> tensor<100x100x3xf32>
    %8 = stablehlo.multiply %7, %2 : tensor<100x100x3xf32>
    %9 = stablehlo.multiply %8, %6 : tensor<100x100x3xf32>
    %10 = stablehlo.reduce(%9 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<100x100x3xf32>, tensor<f32>) -> tensor<100x3xf32>
    return %10 : tensor<100x3xf32>
  }
  func.func @components_first(%x: tensor<2x100xf64>) -> tensor<2x100xf64> {
    %zero = stablehlo.constant dense<0.0> : tensor<f64>
    %low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x100xf64>) -> tensor<2x100x100xf64>
    %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x100xf64>) -> tensor<2x100x100xf64>
    %2 = stablehlo.subtract %0, %1 : tensor<2x100x100xf64>
    %3 = stablehlo.abs %2 : tensor<2x100x100xf64>
    %4 = stablehlo.reduce(%3 init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<2x100x100xf64>, tensor<f64>) -> tensor<100x100xf64>
    %5 = stablehlo.exponential %4 : tensor<100x100xf64>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<100x100xf64>) -> tensor<2x100x100xf64>
    %7 = stablehlo.multiply %2, %6 : tensor<2x100x100xf64>
    %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x100x100xf64>, tensor<f64>) -> tensor<2x100xf64>
    return %8 : tensor<2x100xf64>
  }
  func.func @loop(%x: tensor<100x3xf32>) -> tensor<100x3xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %few = stablehlo.constant dense<5> : tensor<i32>
    %i0 = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %small = stablehlo.constant dense<0.01> : tensor<f32>
    %softening = stablehlo.broadcast_in_dim %small, dims = [] : (tensor<f32>) -> tensor<100x100xf32>
    %r:2 = stablehlo.while(%i = %i0, %y = %x) : tensor<i32>, tensor<100x3xf32>
    cond {
      %p = stablehlo.compare LT, %i, %few : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %0 = stablehlo.broadcast_in_dim %y, dims = [1, 2] : (tensor<100x3xf32>) -> tensor<100x100x3xf32>
      %1 = stablehlo.broadcast_in_dim %y, dims = [0, 2] : (tensor<100x3xf32>) -> tensor<100x100x3xf32>
      %2 = stablehlo.subtract %0, %1 : tensor<100x100x3xf32>
      %3 = stablehlo.multiply %2, %2 : tensor<100x100x3xf32>
      %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<100x100x3xf32>, tensor<f32>) -> tensor<100x100xf32>
      %5 = stablehlo.add %4, %softening : tensor<100x100xf32>
      %6 = stablehlo.rsqrt %5 : tensor<100x100xf32>
      %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<100x100xf32>) -> tensor<100x100x3xf32>
      %8 = stablehlo.multiply %2, %7 : tensor<100x100x3xf32>
      %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<100x100x3xf32>, tensor<f32>) -> tensor<100x3xf32>
      %10 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %10, %9 : tensor<i32>, tensor<100x3xf32>
    }
    return %r#1 : tensor<100x3xf32>
  }
  func.func @large(%x: tensor<5000x3xf32>) -> tensor<5000x3xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<5000x3xf32>) -> tensor<5000x5000x3xf32>
    %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<5000x3xf32>) -> tensor<5000x5000x3xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<5000x5000x3xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<5000x5000x3xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<5000x5000x3xf32>, tensor<f32>) -> tensor<5000x5000xf32>
    %5 = stablehlo.sqrt %4 : tensor<5000x5000xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<5000x5000xf32>) -> tensor<5000x5000x3xf32>
    %7 = stablehlo.exponential %5 : tensor<5000x5000xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<5000x5000xf32>) -> tensor<5000x5000x3xf32>
    %9 = stablehlo.divide %2, %6 : tensor<5000x5000x3xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<5000x5000x3xf32>
    %11 = stablehlo.reduce(%10 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<5000x5000x3xf32>, tensor<f32>) -> tensor<5000x3xf32>
    return %11 : tensor<5000x3xf32>
  }
  func.func @from_memory(%d: tensor<100x100x3xf32>) -> tensor<100x3xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.multiply %d, %d : tensor<100x100x3xf32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<100x100x3xf32>, tensor<f32>) -> tensor<100x100xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<100x100xf32>) -> tensor<100x100x3xf32>
    %3 = stablehlo.multiply %d, %2 : tensor<100x100x3xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<100x100x3xf32>, tensor<f32>) -> tensor<100x3xf32>
    return %4 : tensor<100x3xf32>
  }
  func.func @no_norm(%x: tensor<100x3xf32>) -> tensor<100x3xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<100x3xf32>) -> tensor<100x100x3xf32>
    %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<100x3xf32>) -> tensor<100x100x3xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<100x100x3xf32>
    %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<100x100x3xf32>, tensor<f32>) -> tensor<100x3xf32>
    return %3 : tensor<100x3xf32>
  }
  // One reduction of components reads another.
  func.func @two_norms(%x: tensor<100x3xf32>) -> tensor<100x3xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<100x3xf32>) -> tensor<100x100x3xf32>
    %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<100x3xf32>) -> tensor<100x100x3xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<100x100x3xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<100x100x3xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<100x100x3xf32>, tensor<f32>) -> tensor<100x100xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<100x100xf32>) -> tensor<100x100x3xf32>
    %6 = stablehlo.multiply %2, %5 : tensor<100x100x3xf32>
    %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<100x100x3xf32>, tensor<f32>) -> tensor<100x100xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<100x100xf32>) -> tensor<100x100x3xf32>
    %9 = stablehlo.multiply %2, %8 : tensor<100x100x3xf32>
    %10 = stablehlo.reduce(%9 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<100x100x3xf32>, tensor<f32>) -> tensor<100x3xf32>
    return %10 : tensor<100x3xf32>
  }
  // A reduction of another extent than the components' is none of components: the sum stays.
  func.func @other_extent(%x: tensor<100x3xf32>, %q: tensor<100x5xf32>) -> tensor<100x3xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<100x3xf32>) -> tensor<100x100x3xf32>
    %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<100x3xf32>) -> tensor<100x100x3xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<100x100x3xf32>
    %3 = stablehlo.broadcast_in_dim %q, dims = [1, 2] : (tensor<100x5xf32>) -> tensor<100x100x5xf32>
    %4 = stablehlo.broadcast_in_dim %q, dims = [0, 2] : (tensor<100x5xf32>) -> tensor<100x100x5xf32>
    %5 = stablehlo.maximum %3, %4 : tensor<100x100x5xf32>
    %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<100x100x5xf32>, tensor<f32>) -> tensor<100x100xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<100x100xf32>) -> tensor<100x100x3xf32>
    %8 = stablehlo.multiply %2, %7 : tensor<100x100x3xf32>
    %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<100x100x3xf32>, tensor<f32>) -> tensor<100x3xf32>
    return %9 : tensor<100x3xf32>
  }
  // The smallest distances of points to centres are one nest, which stores no distance.
  func.func @nearest(%x: tensor<200x4xf32>, %c: tensor<64x4xf32>) -> tensor<200xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %high = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<200x4xf32>) -> tensor<200x64x4xf32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [1, 2] : (tensor<64x4xf32>) -> tensor<200x64x4xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<200x64x4xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<200x64x4xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<200x64x4xf32>, tensor<f32>) -> tensor<200x64xf32>
    %5 = stablehlo.reduce(%4 init: %high) applies stablehlo.minimum across dimensions = [1] : (tensor<200x64xf32>, tensor<f32>) -> tensor<200xf32>
    return %5 : tensor<200xf32>
  }
}
