// A step of the acoustic wave equation with differences of order 8: 25 points, and four elements at each end of a row
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<20x16x40xf32>, %arg1: tensor<20x16x40xf32>, %arg2: tensor<20x16x40xf32>) -> (tensor<20x16x40xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<20x16x40xf32>, tensor<i32>) -> tensor<28x24x48xf32>
    %cst = stablehlo.constant dense<-8.54166698> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<20x16x40xf32>
    %3 = stablehlo.slice %0 [5:25, 4:20, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %4 = stablehlo.slice %0 [3:23, 4:20, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %5 = stablehlo.add %3, %4 : tensor<20x16x40xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<20x16x40xf32>
    %8 = stablehlo.add %2, %7 : tensor<20x16x40xf32>
    %9 = stablehlo.slice %0 [4:24, 5:21, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %10 = stablehlo.slice %0 [4:24, 3:19, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %11 = stablehlo.add %9, %10 : tensor<20x16x40xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<20x16x40xf32>
    %14 = stablehlo.add %8, %13 : tensor<20x16x40xf32>
    %15 = stablehlo.slice %0 [4:24, 4:20, 5:45] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %16 = stablehlo.slice %0 [4:24, 4:20, 3:43] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %17 = stablehlo.add %15, %16 : tensor<20x16x40xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %19 = stablehlo.multiply %18, %17 : tensor<20x16x40xf32>
    %20 = stablehlo.add %14, %19 : tensor<20x16x40xf32>
    %21 = stablehlo.slice %0 [6:26, 4:20, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %22 = stablehlo.slice %0 [2:22, 4:20, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %23 = stablehlo.add %21, %22 : tensor<20x16x40xf32>
    %cst_3 = stablehlo.constant dense<-2.000000e-01> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %25 = stablehlo.multiply %24, %23 : tensor<20x16x40xf32>
    %26 = stablehlo.add %20, %25 : tensor<20x16x40xf32>
    %27 = stablehlo.slice %0 [4:24, 6:22, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %28 = stablehlo.slice %0 [4:24, 2:18, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %29 = stablehlo.add %27, %28 : tensor<20x16x40xf32>
    %cst_4 = stablehlo.constant dense<-2.000000e-01> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %31 = stablehlo.multiply %30, %29 : tensor<20x16x40xf32>
    %32 = stablehlo.add %26, %31 : tensor<20x16x40xf32>
    %33 = stablehlo.slice %0 [4:24, 4:20, 6:46] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %34 = stablehlo.slice %0 [4:24, 4:20, 2:42] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %35 = stablehlo.add %33, %34 : tensor<20x16x40xf32>
    %cst_5 = stablehlo.constant dense<-2.000000e-01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %37 = stablehlo.multiply %36, %35 : tensor<20x16x40xf32>
    %38 = stablehlo.add %32, %37 : tensor<20x16x40xf32>
    %39 = stablehlo.slice %0 [7:27, 4:20, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %40 = stablehlo.slice %0 [1:21, 4:20, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %41 = stablehlo.add %39, %40 : tensor<20x16x40xf32>
    %cst_6 = stablehlo.constant dense<0.0253968257> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<20x16x40xf32>
    %44 = stablehlo.add %38, %43 : tensor<20x16x40xf32>
    %45 = stablehlo.slice %0 [4:24, 7:23, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %46 = stablehlo.slice %0 [4:24, 1:17, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %47 = stablehlo.add %45, %46 : tensor<20x16x40xf32>
    %cst_7 = stablehlo.constant dense<0.0253968257> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %49 = stablehlo.multiply %48, %47 : tensor<20x16x40xf32>
    %50 = stablehlo.add %44, %49 : tensor<20x16x40xf32>
    %51 = stablehlo.slice %0 [4:24, 4:20, 7:47] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %52 = stablehlo.slice %0 [4:24, 4:20, 1:41] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %53 = stablehlo.add %51, %52 : tensor<20x16x40xf32>
    %cst_8 = stablehlo.constant dense<0.0253968257> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %55 = stablehlo.multiply %54, %53 : tensor<20x16x40xf32>
    %56 = stablehlo.add %50, %55 : tensor<20x16x40xf32>
    %57 = stablehlo.slice %0 [8:28, 4:20, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %58 = stablehlo.slice %0 [0:20, 4:20, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %59 = stablehlo.add %57, %58 : tensor<20x16x40xf32>
    %cst_9 = stablehlo.constant dense<-0.0017857143> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %61 = stablehlo.multiply %60, %59 : tensor<20x16x40xf32>
    %62 = stablehlo.add %56, %61 : tensor<20x16x40xf32>
    %63 = stablehlo.slice %0 [4:24, 8:24, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %64 = stablehlo.slice %0 [4:24, 0:16, 4:44] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %65 = stablehlo.add %63, %64 : tensor<20x16x40xf32>
    %cst_10 = stablehlo.constant dense<-0.0017857143> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %67 = stablehlo.multiply %66, %65 : tensor<20x16x40xf32>
    %68 = stablehlo.add %62, %67 : tensor<20x16x40xf32>
    %69 = stablehlo.slice %0 [4:24, 4:20, 8:48] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %70 = stablehlo.slice %0 [4:24, 4:20, 0:40] : (tensor<28x24x48xf32>) -> tensor<20x16x40xf32>
    %71 = stablehlo.add %69, %70 : tensor<20x16x40xf32>
    %cst_11 = stablehlo.constant dense<-0.0017857143> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %73 = stablehlo.multiply %72, %71 : tensor<20x16x40xf32>
    %74 = stablehlo.add %68, %73 : tensor<20x16x40xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<20x16x40xf32>
    %76 = stablehlo.multiply %75, %arg0 : tensor<20x16x40xf32>
    %77 = stablehlo.subtract %76, %arg1 : tensor<20x16x40xf32>
    %78 = stablehlo.multiply %arg2, %74 : tensor<20x16x40xf32>
    %79 = stablehlo.add %77, %78 : tensor<20x16x40xf32>
    return %79 : tensor<20x16x40xf32>
  }
  func.func private @_pad(%arg0: tensor<20x16x40xf32>, %arg1: tensor<i32>) -> tensor<28x24x48xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [4, 4, 4], high = [4, 4, 4], interior = [0, 0, 0] : (tensor<20x16x40xf32>, tensor<f32>) -> tensor<28x24x48xf32>
    return %1 : tensor<28x24x48xf32>
  }
}
