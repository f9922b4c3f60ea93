module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%q: tensor<4x21x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %k: tensor<4x21x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %v: tensor<4x21x5xf32>, %bias: tensor<21x21xf32>, %h: tensor<4x21x3xbf16>, %w: tensor<1x21x3xbf16>) -> (tensor<4x21x5xf32>, tensor<4x5x21xf32>, tensor<1x21x4x3xbf16>) {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4x21x3xf32>, tensor<4x21x3xf32>) -> tensor<4x21x21xf32>
    %row = stablehlo.iota dim = 0 : tensor<21x21xi32>
    %column = stablehlo.iota dim = 1 : tensor<21x21xi32>
    %below = stablehlo.compare GE, %row, %column, SIGNED : (tensor<21x21xi32>, tensor<21x21xi32>) -> tensor<21x21xi1>
    %mask = stablehlo.broadcast_in_dim %below, dims = [1, 2] : (tensor<21x21xi1>) -> tensor<4x21x21xi1>
    %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<4x21x21xf32>
    %m = stablehlo.select %mask, %s, %lows : tensor<4x21x21xi1>, tensor<4x21x21xf32>
    %max = stablehlo.reduce(%m init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<4x21x21xf32>, tensor<f32>) -> tensor<4x21xf32>
    %maxs = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<4x21xf32>) -> tensor<4x21x21xf32>
    %d = stablehlo.subtract %m, %maxs : tensor<4x21x21xf32>
    %e = stablehlo.exponential %d : tensor<4x21x21xf32>
    %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x21x21xf32>, tensor<f32>) -> tensor<4x21xf32>
    %sums = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<4x21xf32>) -> tensor<4x21x21xf32>
    %p = stablehlo.divide %e, %sums : tensor<4x21x21xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x21x21xf32>, tensor<4x21x5xf32>) -> tensor<4x21x5xf32>

    %s1 = stablehlo.dot_general %k, %q, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4x21x3xf32>, tensor<4x21x3xf32>) -> tensor<4x21x21xf32>
    %biases = stablehlo.broadcast_in_dim %bias, dims = [1, 2] : (tensor<21x21xf32>) -> tensor<4x21x21xf32>
    %b1 = stablehlo.add %s1, %biases : tensor<4x21x21xf32>
    %e1 = stablehlo.exponential %b1 : tensor<4x21x21xf32>
    %sum1 = stablehlo.reduce(%e1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x21x21xf32>, tensor<f32>) -> tensor<4x21xf32>
    %sums1 = stablehlo.broadcast_in_dim %sum1, dims = [0, 2] : (tensor<4x21xf32>) -> tensor<4x21x21xf32>
    %p1 = stablehlo.divide %e1, %sums1 : tensor<4x21x21xf32>
    %o1 = stablehlo.dot_general %v, %p1, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x21x5xf32>, tensor<4x21x21xf32>) -> tensor<4x5x21xf32>

    %g = stablehlo.reshape %h : (tensor<4x21x3xbf16>) -> tensor<1x4x21x3xbf16>
    %s2 = stablehlo.dot_general %g, %w, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<1x4x21x3xbf16>, tensor<1x21x3xbf16>) -> tensor<1x4x21x21xbf16>
    %t2 = stablehlo.transpose %s2, dims = [0, 2, 1, 3] : (tensor<1x4x21x21xbf16>) -> tensor<1x21x4x21xbf16>
    %c2 = stablehlo.convert %t2 : (tensor<1x21x4x21xbf16>) -> tensor<1x21x4x21xf32>
    %e2 = stablehlo.exponential %c2 : tensor<1x21x4x21xf32>
    %sum2 = stablehlo.reduce(%e2 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<1x21x4x21xf32>, tensor<f32>) -> tensor<1x21x4xf32>
    %sums2 = stablehlo.broadcast_in_dim %sum2, dims = [0, 1, 2] : (tensor<1x21x4xf32>) -> tensor<1x21x4x21xf32>
    %q2 = stablehlo.divide %e2, %sums2 : tensor<1x21x4x21xf32>
    %p2 = stablehlo.convert %q2 : (tensor<1x21x4x21xf32>) -> tensor<1x21x4x21xbf16>
    %o2 = stablehlo.dot_general %p2, %w, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<1x21x4x21xbf16>, tensor<1x21x3xbf16>) -> tensor<1x21x4x3xbf16>
    return %o, %o1, %o2 : tensor<4x21x5xf32>, tensor<4x5x21xf32>, tensor<1x21x4x3xbf16>
  }
}
