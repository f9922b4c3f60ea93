// Stencil loops of nine points with borders of periodic and repeated elements and with rolls, as JAX prints them.
module @jit_main {
  sdy.mesh @mesh = <["y"=2]> {stablehlo.mesh = {axes = [{name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<12x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %arg1: tensor<12x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %arg2: tensor<12x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<12x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<12x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<12x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %arg2) : tensor<i32>, tensor<12x10xf32>, tensor<12x10xf32>, tensor<12x10xf32>
    cond {
      %c_3 = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:3 = func.call @closed_call(%iterArg_0, %iterArg_1, %iterArg_2) : (tensor<12x10xf32>, tensor<12x10xf32>, tensor<12x10xf32>) -> (tensor<12x10xf32>, tensor<12x10xf32>, tensor<12x10xf32>)
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1, %1#2 : tensor<i32>, tensor<12x10xf32>, tensor<12x10xf32>, tensor<12x10xf32>
    }
    return %0#1, %0#2, %0#3 : tensor<12x10xf32>, tensor<12x10xf32>, tensor<12x10xf32>
  }
  func.func private @closed_call(%arg0: tensor<12x10xf32>, %arg1: tensor<12x10xf32>, %arg2: tensor<12x10xf32>) -> (tensor<12x10xf32>, tensor<12x10xf32>, tensor<12x10xf32>) {
    %0 = call @_pad(%arg0) : (tensor<12x10xf32>) -> tensor<14x12xf32>
    %1 = stablehlo.slice %0 [0:12, 0:10] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<12x10xf32>
    %4 = stablehlo.slice %0 [0:12, 1:11] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_0 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<12x10xf32>
    %7 = stablehlo.add %3, %6 : tensor<12x10xf32>
    %8 = stablehlo.slice %0 [0:12, 2:12] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_1 = stablehlo.constant dense<7.000000e-02> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<12x10xf32>
    %11 = stablehlo.add %7, %10 : tensor<12x10xf32>
    %12 = stablehlo.slice %0 [1:13, 0:10] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_2 = stablehlo.constant dense<1.200000e-01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<12x10xf32>
    %15 = stablehlo.add %11, %14 : tensor<12x10xf32>
    %16 = stablehlo.slice %0 [1:13, 1:11] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_3 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<12x10xf32>
    %19 = stablehlo.add %15, %18 : tensor<12x10xf32>
    %20 = stablehlo.slice %0 [1:13, 2:12] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_4 = stablehlo.constant dense<9.000000e-02> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<12x10xf32>
    %23 = stablehlo.add %19, %22 : tensor<12x10xf32>
    %24 = stablehlo.slice %0 [2:14, 0:10] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_5 = stablehlo.constant dense<6.000000e-02> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %26 = stablehlo.multiply %25, %24 : tensor<12x10xf32>
    %27 = stablehlo.add %23, %26 : tensor<12x10xf32>
    %28 = stablehlo.slice %0 [2:14, 1:11] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_6 = stablehlo.constant dense<1.100000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<12x10xf32>
    %31 = stablehlo.add %27, %30 : tensor<12x10xf32>
    %32 = stablehlo.slice %0 [2:14, 2:12] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_7 = stablehlo.constant dense<8.000000e-02> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %34 = stablehlo.multiply %33, %32 : tensor<12x10xf32>
    %35 = stablehlo.add %31, %34 : tensor<12x10xf32>
    %36 = call @_pad_0(%arg1) : (tensor<12x10xf32>) -> tensor<14x12xf32>
    %37 = stablehlo.slice %36 [0:12, 0:10] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_8 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %39 = stablehlo.multiply %38, %37 : tensor<12x10xf32>
    %40 = stablehlo.slice %36 [0:12, 1:11] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %42 = stablehlo.multiply %41, %40 : tensor<12x10xf32>
    %43 = stablehlo.add %39, %42 : tensor<12x10xf32>
    %44 = stablehlo.slice %36 [0:12, 2:12] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_10 = stablehlo.constant dense<7.000000e-02> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %46 = stablehlo.multiply %45, %44 : tensor<12x10xf32>
    %47 = stablehlo.add %43, %46 : tensor<12x10xf32>
    %48 = stablehlo.slice %36 [1:13, 0:10] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_11 = stablehlo.constant dense<1.200000e-01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %50 = stablehlo.multiply %49, %48 : tensor<12x10xf32>
    %51 = stablehlo.add %47, %50 : tensor<12x10xf32>
    %52 = stablehlo.slice %36 [1:13, 1:11] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_12 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %54 = stablehlo.multiply %53, %52 : tensor<12x10xf32>
    %55 = stablehlo.add %51, %54 : tensor<12x10xf32>
    %56 = stablehlo.slice %36 [1:13, 2:12] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_13 = stablehlo.constant dense<9.000000e-02> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %58 = stablehlo.multiply %57, %56 : tensor<12x10xf32>
    %59 = stablehlo.add %55, %58 : tensor<12x10xf32>
    %60 = stablehlo.slice %36 [2:14, 0:10] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_14 = stablehlo.constant dense<6.000000e-02> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %62 = stablehlo.multiply %61, %60 : tensor<12x10xf32>
    %63 = stablehlo.add %59, %62 : tensor<12x10xf32>
    %64 = stablehlo.slice %36 [2:14, 1:11] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_15 = stablehlo.constant dense<1.100000e-01> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %66 = stablehlo.multiply %65, %64 : tensor<12x10xf32>
    %67 = stablehlo.add %63, %66 : tensor<12x10xf32>
    %68 = stablehlo.slice %36 [2:14, 2:12] : (tensor<14x12xf32>) -> tensor<12x10xf32>
    %cst_16 = stablehlo.constant dense<8.000000e-02> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %70 = stablehlo.multiply %69, %68 : tensor<12x10xf32>
    %71 = stablehlo.add %67, %70 : tensor<12x10xf32>
    %72 = call @_roll_static(%arg2) : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %cst_17 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<12x10xf32>
    %75 = call @_roll_static_1(%arg2) : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %77 = stablehlo.multiply %76, %75 : tensor<12x10xf32>
    %78 = stablehlo.add %74, %77 : tensor<12x10xf32>
    %79 = call @_roll_static_2(%arg2) : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %cst_19 = stablehlo.constant dense<7.000000e-02> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %81 = stablehlo.multiply %80, %79 : tensor<12x10xf32>
    %82 = stablehlo.add %78, %81 : tensor<12x10xf32>
    %83 = call @_roll_static_3(%arg2) : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %cst_20 = stablehlo.constant dense<1.200000e-01> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %85 = stablehlo.multiply %84, %83 : tensor<12x10xf32>
    %86 = stablehlo.add %82, %85 : tensor<12x10xf32>
    %87 = call @_roll_static_4(%arg2) : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %cst_21 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %89 = stablehlo.multiply %88, %87 : tensor<12x10xf32>
    %90 = stablehlo.add %86, %89 : tensor<12x10xf32>
    %91 = call @_roll_static_5(%arg2) : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %cst_22 = stablehlo.constant dense<9.000000e-02> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %93 = stablehlo.multiply %92, %91 : tensor<12x10xf32>
    %94 = stablehlo.add %90, %93 : tensor<12x10xf32>
    %95 = call @_roll_static_6(%arg2) : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %cst_23 = stablehlo.constant dense<6.000000e-02> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %97 = stablehlo.multiply %96, %95 : tensor<12x10xf32>
    %98 = stablehlo.add %94, %97 : tensor<12x10xf32>
    %99 = call @_roll_static_7(%arg2) : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %cst_24 = stablehlo.constant dense<1.100000e-01> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %101 = stablehlo.multiply %100, %99 : tensor<12x10xf32>
    %102 = stablehlo.add %98, %101 : tensor<12x10xf32>
    %103 = call @_roll_static_8(%arg2) : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %cst_25 = stablehlo.constant dense<8.000000e-02> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<12x10xf32>
    %105 = stablehlo.multiply %104, %103 : tensor<12x10xf32>
    %106 = stablehlo.add %102, %105 : tensor<12x10xf32>
    return %35, %71, %106 : tensor<12x10xf32>, tensor<12x10xf32>, tensor<12x10xf32>
  }
  func.func private @_pad(%arg0: tensor<12x10xf32>) -> tensor<14x12xf32> {
    %0 = stablehlo.slice %arg0 [11:12, 0:10] : (tensor<12x10xf32>) -> tensor<1x10xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:10] : (tensor<12x10xf32>) -> tensor<1x10xf32>
    %2 = stablehlo.concatenate %0, %arg0, %1, dim = 0 : (tensor<1x10xf32>, tensor<12x10xf32>, tensor<1x10xf32>) -> tensor<14x10xf32>
    %3 = stablehlo.slice %2 [0:14, 9:10] : (tensor<14x10xf32>) -> tensor<14x1xf32>
    %4 = stablehlo.slice %2 [0:14, 0:1] : (tensor<14x10xf32>) -> tensor<14x1xf32>
    %5 = stablehlo.concatenate %3, %2, %4, dim = 1 : (tensor<14x1xf32>, tensor<14x10xf32>, tensor<14x1xf32>) -> tensor<14x12xf32>
    return %5 : tensor<14x12xf32>
  }
  func.func private @_pad_0(%arg0: tensor<12x10xf32>) -> tensor<14x12xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:10] : (tensor<12x10xf32>) -> tensor<1x10xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<1x10xf32>) -> tensor<1x1x10xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x1x10xf32>) -> tensor<1x10xf32>
    %3 = stablehlo.slice %arg0 [11:12, 0:10] : (tensor<12x10xf32>) -> tensor<1x10xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<1x10xf32>) -> tensor<1x1x10xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x1x10xf32>) -> tensor<1x10xf32>
    %6 = stablehlo.concatenate %2, %arg0, %5, dim = 0 : (tensor<1x10xf32>, tensor<12x10xf32>, tensor<1x10xf32>) -> tensor<14x10xf32>
    %7 = stablehlo.slice %6 [0:14, 0:1] : (tensor<14x10xf32>) -> tensor<14x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<14x1xf32>) -> tensor<14x1x1xf32>
    %9 = stablehlo.reshape %8 : (tensor<14x1x1xf32>) -> tensor<14x1xf32>
    %10 = stablehlo.slice %6 [0:14, 9:10] : (tensor<14x10xf32>) -> tensor<14x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<14x1xf32>) -> tensor<14x1x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<14x1x1xf32>) -> tensor<14x1xf32>
    %13 = stablehlo.concatenate %9, %6, %12, dim = 1 : (tensor<14x1xf32>, tensor<14x10xf32>, tensor<14x1xf32>) -> tensor<14x12xf32>
    return %13 : tensor<14x12xf32>
  }
  func.func private @_roll_static(%arg0: tensor<12x10xf32>) -> tensor<12x10xf32> {
    %0 = stablehlo.slice %arg0 [11:12, 0:10] : (tensor<12x10xf32>) -> tensor<1x10xf32>
    %1 = stablehlo.slice %arg0 [0:11, 0:10] : (tensor<12x10xf32>) -> tensor<11x10xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x10xf32>, tensor<11x10xf32>) -> tensor<12x10xf32>
    %3 = stablehlo.slice %2 [0:12, 9:10] : (tensor<12x10xf32>) -> tensor<12x1xf32>
    %4 = stablehlo.slice %2 [0:12, 0:9] : (tensor<12x10xf32>) -> tensor<12x9xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<12x1xf32>, tensor<12x9xf32>) -> tensor<12x10xf32>
    return %5 : tensor<12x10xf32>
  }
  func.func private @_roll_static_1(%arg0: tensor<12x10xf32>) -> tensor<12x10xf32> {
    %0 = stablehlo.slice %arg0 [11:12, 0:10] : (tensor<12x10xf32>) -> tensor<1x10xf32>
    %1 = stablehlo.slice %arg0 [0:11, 0:10] : (tensor<12x10xf32>) -> tensor<11x10xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x10xf32>, tensor<11x10xf32>) -> tensor<12x10xf32>
    %3 = stablehlo.slice %2 [0:12, 0:10] : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %4 = stablehlo.slice %2 [0:12, 0:0] : (tensor<12x10xf32>) -> tensor<12x0xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<12x10xf32>, tensor<12x0xf32>) -> tensor<12x10xf32>
    return %5 : tensor<12x10xf32>
  }
  func.func private @_roll_static_2(%arg0: tensor<12x10xf32>) -> tensor<12x10xf32> {
    %0 = stablehlo.slice %arg0 [11:12, 0:10] : (tensor<12x10xf32>) -> tensor<1x10xf32>
    %1 = stablehlo.slice %arg0 [0:11, 0:10] : (tensor<12x10xf32>) -> tensor<11x10xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x10xf32>, tensor<11x10xf32>) -> tensor<12x10xf32>
    %3 = stablehlo.slice %2 [0:12, 1:10] : (tensor<12x10xf32>) -> tensor<12x9xf32>
    %4 = stablehlo.slice %2 [0:12, 0:1] : (tensor<12x10xf32>) -> tensor<12x1xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<12x9xf32>, tensor<12x1xf32>) -> tensor<12x10xf32>
    return %5 : tensor<12x10xf32>
  }
  func.func private @_roll_static_3(%arg0: tensor<12x10xf32>) -> tensor<12x10xf32> {
    %0 = stablehlo.slice %arg0 [0:12, 0:10] : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %1 = stablehlo.slice %arg0 [0:0, 0:10] : (tensor<12x10xf32>) -> tensor<0x10xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<12x10xf32>, tensor<0x10xf32>) -> tensor<12x10xf32>
    %3 = stablehlo.slice %2 [0:12, 9:10] : (tensor<12x10xf32>) -> tensor<12x1xf32>
    %4 = stablehlo.slice %2 [0:12, 0:9] : (tensor<12x10xf32>) -> tensor<12x9xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<12x1xf32>, tensor<12x9xf32>) -> tensor<12x10xf32>
    return %5 : tensor<12x10xf32>
  }
  func.func private @_roll_static_4(%arg0: tensor<12x10xf32>) -> tensor<12x10xf32> {
    %0 = stablehlo.slice %arg0 [0:12, 0:10] : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %1 = stablehlo.slice %arg0 [0:0, 0:10] : (tensor<12x10xf32>) -> tensor<0x10xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<12x10xf32>, tensor<0x10xf32>) -> tensor<12x10xf32>
    %3 = stablehlo.slice %2 [0:12, 0:10] : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %4 = stablehlo.slice %2 [0:12, 0:0] : (tensor<12x10xf32>) -> tensor<12x0xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<12x10xf32>, tensor<12x0xf32>) -> tensor<12x10xf32>
    return %5 : tensor<12x10xf32>
  }
  func.func private @_roll_static_5(%arg0: tensor<12x10xf32>) -> tensor<12x10xf32> {
    %0 = stablehlo.slice %arg0 [0:12, 0:10] : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %1 = stablehlo.slice %arg0 [0:0, 0:10] : (tensor<12x10xf32>) -> tensor<0x10xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<12x10xf32>, tensor<0x10xf32>) -> tensor<12x10xf32>
    %3 = stablehlo.slice %2 [0:12, 1:10] : (tensor<12x10xf32>) -> tensor<12x9xf32>
    %4 = stablehlo.slice %2 [0:12, 0:1] : (tensor<12x10xf32>) -> tensor<12x1xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<12x9xf32>, tensor<12x1xf32>) -> tensor<12x10xf32>
    return %5 : tensor<12x10xf32>
  }
  func.func private @_roll_static_6(%arg0: tensor<12x10xf32>) -> tensor<12x10xf32> {
    %0 = stablehlo.slice %arg0 [1:12, 0:10] : (tensor<12x10xf32>) -> tensor<11x10xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:10] : (tensor<12x10xf32>) -> tensor<1x10xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<11x10xf32>, tensor<1x10xf32>) -> tensor<12x10xf32>
    %3 = stablehlo.slice %2 [0:12, 9:10] : (tensor<12x10xf32>) -> tensor<12x1xf32>
    %4 = stablehlo.slice %2 [0:12, 0:9] : (tensor<12x10xf32>) -> tensor<12x9xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<12x1xf32>, tensor<12x9xf32>) -> tensor<12x10xf32>
    return %5 : tensor<12x10xf32>
  }
  func.func private @_roll_static_7(%arg0: tensor<12x10xf32>) -> tensor<12x10xf32> {
    %0 = stablehlo.slice %arg0 [1:12, 0:10] : (tensor<12x10xf32>) -> tensor<11x10xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:10] : (tensor<12x10xf32>) -> tensor<1x10xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<11x10xf32>, tensor<1x10xf32>) -> tensor<12x10xf32>
    %3 = stablehlo.slice %2 [0:12, 0:10] : (tensor<12x10xf32>) -> tensor<12x10xf32>
    %4 = stablehlo.slice %2 [0:12, 0:0] : (tensor<12x10xf32>) -> tensor<12x0xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<12x10xf32>, tensor<12x0xf32>) -> tensor<12x10xf32>
    return %5 : tensor<12x10xf32>
  }
  func.func private @_roll_static_8(%arg0: tensor<12x10xf32>) -> tensor<12x10xf32> {
    %0 = stablehlo.slice %arg0 [1:12, 0:10] : (tensor<12x10xf32>) -> tensor<11x10xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:10] : (tensor<12x10xf32>) -> tensor<1x10xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<11x10xf32>, tensor<1x10xf32>) -> tensor<12x10xf32>
    %3 = stablehlo.slice %2 [0:12, 1:10] : (tensor<12x10xf32>) -> tensor<12x9xf32>
    %4 = stablehlo.slice %2 [0:12, 0:1] : (tensor<12x10xf32>) -> tensor<12x1xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<12x9xf32>, tensor<12x1xf32>) -> tensor<12x10xf32>
    return %5 : tensor<12x10xf32>
  }
}

