// The gradient of causal attention in f32 and bf16: the backward loop computes the scores and probabilities again, from the rows' maximum and sum, which
// the forward loop leaves; gradients of keys and values are sums over blocks, with a loop for the rows that blocks of 8 leave of 21.
// RUN: shardopt %s -shardrun-strip-mine=mode=on
module {
  func.func @main(%arg0: tensor<4x21x3xf32>, %arg1: tensor<4x21x3xf32>, %arg2: tensor<4x21x3xf32>, %arg3: tensor<4x21x3xbf16>, %arg4: tensor<4x21x3xbf16>, %arg5: tensor<4x21x3xbf16>) -> (tensor<4x21x3xf32>, tensor<4x21x3xf32>, tensor<4x21x3xf32>, tensor<4x21x3xbf16>, tensor<4x21x3xbf16>, tensor<4x21x3xbf16>) {
    %c = stablehlo.constant dense<false> : tensor<21x21xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<21x21xi1>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4x21x3xf32>, tensor<4x21x3xf32>) -> tensor<4x21x21xf32>
    %1 = stablehlo.iota dim = 0 : tensor<21x21xi32>
    %2 = stablehlo.iota dim = 1 : tensor<21x21xi32>
    %3 = stablehlo.compare GE, %1, %2, SIGNED : (tensor<21x21xi32>, tensor<21x21xi32>) -> tensor<21x21xi1>
    %4 = stablehlo.select %3, %c_0, %c : tensor<21x21xi1>, tensor<21x21xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<21x21xi1>) -> tensor<4x21x21xi1>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x21x21xf32>
    %7 = stablehlo.select %5, %0, %6 : tensor<4x21x21xi1>, tensor<4x21x21xf32>
    %8 = stablehlo.reduce(%7 init: %cst_3) applies stablehlo.maximum across dimensions = [2] : (tensor<4x21x21xf32>, tensor<f32>) -> tensor<4x21xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<4x21xf32>) -> tensor<4x21x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<4x21x1xf32>) -> tensor<4x21x21xf32>
    %11 = stablehlo.subtract %7, %10 : tensor<4x21x21xf32>
    %12 = stablehlo.exponential %11 : tensor<4x21x21xf32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x21x21xf32>, tensor<f32>) -> tensor<4x21xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<4x21xf32>) -> tensor<4x21x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<4x21x1xf32>) -> tensor<4x21x21xf32>
    %16 = stablehlo.divide %12, %15 : tensor<4x21x21xf32>
    %17 = stablehlo.multiply %14, %14 : tensor<4x21x1xf32>
    %18 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x21x1xf32>
    %19 = stablehlo.divide %18, %17 : tensor<4x21x1xf32>
    %20 = stablehlo.dot_general %16, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x21x21xf32>, tensor<4x21x3xf32>) -> tensor<4x21x3xf32>
    %21 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x21x3xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<4x21x3xf32>
    %23 = stablehlo.dot_general %22, %16, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x21x3xf32>, tensor<4x21x21xf32>) -> tensor<4x3x21xf32>
    %24 = stablehlo.transpose %23, dims = [0, 2, 1] : (tensor<4x3x21xf32>) -> tensor<4x21x3xf32>
    %25 = stablehlo.dot_general %22, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4x21x3xf32>, tensor<4x21x3xf32>) -> tensor<4x21x21xf32>
    %26 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<4x21x1xf32>) -> tensor<4x21x21xf32>
    %27 = stablehlo.multiply %25, %26 : tensor<4x21x21xf32>
    %28 = stablehlo.multiply %27, %12 : tensor<4x21x21xf32>
    %29 = stablehlo.reduce(%28 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x21x21xf32>, tensor<f32>) -> tensor<4x21xf32>
    %30 = stablehlo.reshape %29 : (tensor<4x21xf32>) -> tensor<4x21x1xf32>
    %31 = stablehlo.negate %30 : tensor<4x21x1xf32>
    %32 = stablehlo.divide %25, %15 : tensor<4x21x21xf32>
    %33 = stablehlo.reduce(%31 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x21x1xf32>, tensor<f32>) -> tensor<4x21xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<4x21xf32>) -> tensor<4x21x21xf32>
    %35 = stablehlo.add %32, %34 : tensor<4x21x21xf32>
    %36 = stablehlo.multiply %35, %12 : tensor<4x21x21xf32>
    %37 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x21x21xf32>
    %38 = stablehlo.select %5, %36, %37 : tensor<4x21x21xi1>, tensor<4x21x21xf32>
    %39 = stablehlo.dot_general %38, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x21x21xf32>, tensor<4x21x3xf32>) -> tensor<4x21x3xf32>
    %40 = stablehlo.dot_general %38, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x21x21xf32>, tensor<4x21x3xf32>) -> tensor<4x21x3xf32>
    %41 = stablehlo.dot_general %arg3, %arg4, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4x21x3xbf16>, tensor<4x21x3xbf16>) -> tensor<4x21x21xbf16>
    %42 = stablehlo.convert %41 : (tensor<4x21x21xbf16>) -> tensor<4x21x21xf32>
    %43 = stablehlo.select %5, %42, %6 : tensor<4x21x21xi1>, tensor<4x21x21xf32>
    %44 = stablehlo.reduce(%43 init: %cst_3) applies stablehlo.maximum across dimensions = [2] : (tensor<4x21x21xf32>, tensor<f32>) -> tensor<4x21xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1] : (tensor<4x21xf32>) -> tensor<4x21x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<4x21x1xf32>) -> tensor<4x21x21xf32>
    %47 = stablehlo.subtract %43, %46 : tensor<4x21x21xf32>
    %48 = stablehlo.exponential %47 : tensor<4x21x21xf32>
    %49 = stablehlo.reduce(%48 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x21x21xf32>, tensor<f32>) -> tensor<4x21xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1] : (tensor<4x21xf32>) -> tensor<4x21x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<4x21x1xf32>) -> tensor<4x21x21xf32>
    %52 = stablehlo.divide %48, %51 : tensor<4x21x21xf32>
    %53 = stablehlo.multiply %50, %50 : tensor<4x21x1xf32>
    %54 = stablehlo.divide %18, %53 : tensor<4x21x1xf32>
    %55 = stablehlo.convert %52 : (tensor<4x21x21xf32>) -> tensor<4x21x21xbf16>
    %56 = stablehlo.dot_general %55, %arg5, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x21x21xbf16>, tensor<4x21x3xbf16>) -> tensor<4x21x3xbf16>
    %57 = stablehlo.convert %56 : (tensor<4x21x3xbf16>) -> tensor<4x21x3xf32>
    %58 = stablehlo.multiply %21, %57 : tensor<4x21x3xf32>
    %59 = stablehlo.convert %58 : (tensor<4x21x3xf32>) -> tensor<4x21x3xbf16>
    %60 = stablehlo.dot_general %59, %55, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x21x3xbf16>, tensor<4x21x21xbf16>) -> tensor<4x3x21xbf16>
    %61 = stablehlo.transpose %60, dims = [0, 2, 1] : (tensor<4x3x21xbf16>) -> tensor<4x21x3xbf16>
    %62 = stablehlo.dot_general %59, %arg5, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4x21x3xbf16>, tensor<4x21x3xbf16>) -> tensor<4x21x21xbf16>
    %63 = stablehlo.convert %62 : (tensor<4x21x21xbf16>) -> tensor<4x21x21xf32>
    %64 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<4x21x1xf32>) -> tensor<4x21x21xf32>
    %65 = stablehlo.multiply %63, %64 : tensor<4x21x21xf32>
    %66 = stablehlo.multiply %65, %48 : tensor<4x21x21xf32>
    %67 = stablehlo.reduce(%66 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x21x21xf32>, tensor<f32>) -> tensor<4x21xf32>
    %68 = stablehlo.reshape %67 : (tensor<4x21xf32>) -> tensor<4x21x1xf32>
    %69 = stablehlo.negate %68 : tensor<4x21x1xf32>
    %70 = stablehlo.divide %63, %51 : tensor<4x21x21xf32>
    %71 = stablehlo.reduce(%69 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x21x1xf32>, tensor<f32>) -> tensor<4x21xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<4x21xf32>) -> tensor<4x21x21xf32>
    %73 = stablehlo.add %70, %72 : tensor<4x21x21xf32>
    %74 = stablehlo.multiply %73, %48 : tensor<4x21x21xf32>
    %75 = stablehlo.select %5, %74, %37 : tensor<4x21x21xi1>, tensor<4x21x21xf32>
    %76 = stablehlo.convert %75 : (tensor<4x21x21xf32>) -> tensor<4x21x21xbf16>
    %77 = stablehlo.dot_general %76, %arg3, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x21x21xbf16>, tensor<4x21x3xbf16>) -> tensor<4x21x3xbf16>
    %78 = stablehlo.dot_general %76, %arg4, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x21x21xbf16>, tensor<4x21x3xbf16>) -> tensor<4x21x3xbf16>
    return %40, %39, %24, %78, %77, %61 : tensor<4x21x3xf32>, tensor<4x21x3xf32>, tensor<4x21x3xf32>, tensor<4x21x3xbf16>, tensor<4x21x3xbf16>, tensor<4x21x3xbf16>
  }
}
