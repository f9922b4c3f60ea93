module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}]>}, %arg1: tensor<50x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg2: tensor<4x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {"data"}]>}, %arg3: tensor<3x32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}, {}]>}, %arg4: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg5: tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg6: tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<64x32xf32> {jax.result_info = "result[1]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}]>}, tensor<50x32xf32> {jax.result_info = "result[1]['embed']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<4x8x32xf32> {jax.result_info = "result[1]['out']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {"data"}]>}, tensor<3x32x4x8xf32> {jax.result_info = "result[1]['qkv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {"model"}, {}]>}, tensor<32x64xf32> {jax.result_info = "result[1]['up']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %1 = stablehlo.compare LT, %arg5, %0, SIGNED : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
    %c_0 = stablehlo.constant dense<50> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %3 = stablehlo.add %arg5, %2 : tensor<8x16xi32>
    %4 = stablehlo.select %1, %3, %arg5 : tensor<8x16xi1>, tensor<8x16xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    %6 = "stablehlo.gather"(%arg1, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<50x32xf32>, tensor<8x16x1xi32>) -> tensor<8x16x32xf32>
    %7 = stablehlo.multiply %6, %6 : tensor<8x16x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<8x16x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %13 = stablehlo.add %11, %12 : tensor<8x16x1xf32>
    %14 = stablehlo.rsqrt %13 : tensor<8x16x1xf32>
    %15 = stablehlo.divide %14, %13 : tensor<8x16x1xf32>
    %cst_3 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<8x16x1xf32>
    %18 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %19 = stablehlo.multiply %6, %18 : tensor<8x16x32xf32>
    %20 = stablehlo.dot_general %arg3, %19, contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<3x32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<3x4x8x8x16xf32>
    %21 = stablehlo.transpose %20, dims = [0, 3, 4, 1, 2] : (tensor<3x4x8x8x16xf32>) -> tensor<3x8x16x4x8xf32>
    %22 = stablehlo.slice %21 [0:1, 0:8, 0:16, 0:4, 0:8] : (tensor<3x8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x8xf32>
    %24 = stablehlo.slice %21 [1:2, 0:8, 0:16, 0:4, 0:8] : (tensor<3x8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x8xf32>
    %26 = stablehlo.slice %21 [2:3, 0:8, 0:16, 0:4, 0:8] : (tensor<3x8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %27 = stablehlo.reshape %26 : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x8xf32>
    %28 = stablehlo.dot_general %23, %25, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x16xf32>
    %cst_4 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %30 = stablehlo.divide %28, %29 : tensor<8x4x16x16xf32>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %31 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %32 = call @tril(%31) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_6 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %33:2 = call @_where(%32, %30, %cst_6) : (tensor<16x16xi1>, tensor<8x4x16x16xf32>, tensor<f32>) -> (tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>)
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %34 = stablehlo.reduce(%33#0 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %36 = stablehlo.maximum %35, %34 : tensor<8x4x16xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %39 = stablehlo.subtract %33#0, %38 : tensor<8x4x16x16xf32>
    %40 = stablehlo.exponential %39 : tensor<8x4x16x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %44 = stablehlo.divide %40, %43 : tensor<8x4x16x16xf32>
    %45 = stablehlo.multiply %42, %42 : tensor<8x4x16x1xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %47 = stablehlo.divide %46, %45 : tensor<8x4x16x1xf32>
    %48 = stablehlo.dot_general %27, %44, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %49 = stablehlo.dot_general %48, %arg2, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<4x8x32xf32>) -> tensor<8x16x32xf32>
    %50 = stablehlo.add %6, %49 : tensor<8x16x32xf32>
    %51 = stablehlo.multiply %50, %50 : tensor<8x16x32xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.reduce(%51 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_12 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %55 = stablehlo.divide %53, %54 : tensor<8x16x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %57 = stablehlo.add %55, %56 : tensor<8x16x1xf32>
    %58 = stablehlo.rsqrt %57 : tensor<8x16x1xf32>
    %59 = stablehlo.divide %58, %57 : tensor<8x16x1xf32>
    %cst_14 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %61 = stablehlo.multiply %60, %59 : tensor<8x16x1xf32>
    %62 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %63 = stablehlo.multiply %50, %62 : tensor<8x16x32xf32>
    %64 = stablehlo.dot_general %63, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x64xf32>) -> tensor<8x16x64xf32>
    %65 = stablehlo.multiply %64, %64 : tensor<8x16x64xf32>
    %66 = stablehlo.multiply %65, %64 : tensor<8x16x64xf32>
    %67 = stablehlo.multiply %64, %64 : tensor<8x16x64xf32>
    %cst_15 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %69 = stablehlo.multiply %68, %67 : tensor<8x16x64xf32>
    %cst_16 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %71 = stablehlo.multiply %70, %66 : tensor<8x16x64xf32>
    %72 = stablehlo.add %64, %71 : tensor<8x16x64xf32>
    %cst_17 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<8x16x64xf32>
    %75 = stablehlo.tanh %74 : tensor<8x16x64xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %77 = stablehlo.subtract %76, %75 : tensor<8x16x64xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %79 = stablehlo.add %78, %75 : tensor<8x16x64xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %81 = stablehlo.multiply %80, %79 : tensor<8x16x64xf32>
    %82 = stablehlo.multiply %64, %81 : tensor<8x16x64xf32>
    %83 = stablehlo.dot_general %82, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %84 = stablehlo.add %50, %83 : tensor<8x16x32xf32>
    %85 = stablehlo.multiply %84, %84 : tensor<8x16x32xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.reduce(%85 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_22 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %89 = stablehlo.divide %87, %88 : tensor<8x16x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %91 = stablehlo.add %89, %90 : tensor<8x16x1xf32>
    %92 = stablehlo.rsqrt %91 : tensor<8x16x1xf32>
    %93 = stablehlo.divide %92, %91 : tensor<8x16x1xf32>
    %cst_24 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %95 = stablehlo.multiply %94, %93 : tensor<8x16x1xf32>
    %96 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %97 = stablehlo.multiply %84, %96 : tensor<8x16x32xf32>
    %98 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<50x32xf32>) -> tensor<32x50xf32>
    %99 = stablehlo.dot_general %97, %98, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x50xf32>) -> tensor<8x16x50xf32>
    %100:3 = call @log_softmax(%99) : (tensor<8x16x50xf32>) -> (tensor<8x16x50xf32>, tensor<8x16x50xf32>, tensor<8x16x1xf32>)
    %101 = stablehlo.broadcast_in_dim %arg6, dims = [0, 1] : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    %102:2 = call @take_along_axis(%100#0, %101) : (tensor<8x16x50xf32>, tensor<8x16x1xi32>) -> (tensor<8x16x1xf32>, tensor<8x16x1x1xi32>)
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.reduce(%102#0 init: %cst_25) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_26 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %104 = stablehlo.divide %103, %cst_26 : tensor<f32>
    %105 = stablehlo.negate %104 : tensor<f32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %106 = stablehlo.negate %cst_27 : tensor<f32>
    %cst_28 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %107 = stablehlo.divide %106, %cst_28 : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %109 = call @take_along_axis_0(%102#1, %108) : (tensor<8x16x1x1xi32>, tensor<8x16x1xf32>) -> tensor<8x16x50xf32>
    %110 = call @log_softmax_1(%100#1, %100#2, %109) : (tensor<8x16x50xf32>, tensor<8x16x1xf32>, tensor<8x16x50xf32>) -> tensor<8x16x50xf32>
    %111 = stablehlo.dot_general %110, %97, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x50xf32>, tensor<8x16x32xf32>) -> tensor<50x32xf32>
    %112 = stablehlo.transpose %111, dims = [1, 0] : (tensor<50x32xf32>) -> tensor<32x50xf32>
    %113 = stablehlo.dot_general %110, %98, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x50xf32>, tensor<32x50xf32>) -> tensor<8x16x32xf32>
    %114 = stablehlo.transpose %112, dims = [1, 0] : (tensor<32x50xf32>) -> tensor<50x32xf32>
    %115 = stablehlo.multiply %84, %113 : tensor<8x16x32xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.reduce(%115 init: %cst_29) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %117 = stablehlo.reshape %116 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %118 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %119 = stablehlo.multiply %113, %118 : tensor<8x16x32xf32>
    %120 = stablehlo.multiply %117, %95 : tensor<8x16x1xf32>
    %cst_30 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %122 = stablehlo.divide %120, %121 : tensor<8x16x1xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %123 = stablehlo.reduce(%122 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %125 = stablehlo.multiply %84, %124 : tensor<8x16x32xf32>
    %126 = stablehlo.add %119, %125 : tensor<8x16x32xf32>
    %127 = stablehlo.multiply %124, %84 : tensor<8x16x32xf32>
    %128 = stablehlo.add %126, %127 : tensor<8x16x32xf32>
    %129 = stablehlo.dot_general %128, %82, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x64xf32>) -> tensor<32x64xf32>
    %130 = stablehlo.transpose %129, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %131 = stablehlo.dot_general %128, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %132 = stablehlo.multiply %64, %131 : tensor<8x16x64xf32>
    %133 = stablehlo.multiply %131, %81 : tensor<8x16x64xf32>
    %cst_32 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %135 = stablehlo.multiply %134, %132 : tensor<8x16x64xf32>
    %136 = stablehlo.multiply %135, %77 : tensor<8x16x64xf32>
    %137 = stablehlo.multiply %136, %75 : tensor<8x16x64xf32>
    %138 = stablehlo.add %136, %137 : tensor<8x16x64xf32>
    %cst_33 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %140 = stablehlo.multiply %139, %138 : tensor<8x16x64xf32>
    %141 = stablehlo.add %133, %140 : tensor<8x16x64xf32>
    %cst_34 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %143 = stablehlo.multiply %142, %140 : tensor<8x16x64xf32>
    %144 = stablehlo.multiply %143, %69 : tensor<8x16x64xf32>
    %145 = stablehlo.add %141, %144 : tensor<8x16x64xf32>
    %146 = stablehlo.dot_general %145, %63, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %147 = stablehlo.transpose %146, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %148 = stablehlo.dot_general %145, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %149 = stablehlo.multiply %50, %148 : tensor<8x16x32xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.reduce(%149 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %151 = stablehlo.reshape %150 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %152 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %153 = stablehlo.multiply %148, %152 : tensor<8x16x32xf32>
    %154 = stablehlo.add %128, %153 : tensor<8x16x32xf32>
    %155 = stablehlo.multiply %151, %61 : tensor<8x16x1xf32>
    %cst_36 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %157 = stablehlo.divide %155, %156 : tensor<8x16x1xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %158 = stablehlo.reduce(%157 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %160 = stablehlo.multiply %50, %159 : tensor<8x16x32xf32>
    %161 = stablehlo.add %154, %160 : tensor<8x16x32xf32>
    %162 = stablehlo.multiply %159, %50 : tensor<8x16x32xf32>
    %163 = stablehlo.add %161, %162 : tensor<8x16x32xf32>
    %164 = stablehlo.dot_general %163, %48, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x4x8x16xf32>) -> tensor<32x4x8xf32>
    %165 = stablehlo.transpose %164, dims = [1, 2, 0] : (tensor<32x4x8xf32>) -> tensor<4x8x32xf32>
    %166 = stablehlo.dot_general %163, %arg2, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<4x8x32xf32>) -> tensor<8x16x4x8xf32>
    %167 = stablehlo.transpose %166, dims = [0, 2, 3, 1] : (tensor<8x16x4x8xf32>) -> tensor<8x4x8x16xf32>
    %168 = stablehlo.dot_general %167, %27, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x16xf32>
    %169 = stablehlo.dot_general %167, %44, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %170 = stablehlo.transpose %169, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %171 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %172 = stablehlo.multiply %168, %171 : tensor<8x4x16x16xf32>
    %173 = stablehlo.multiply %172, %40 : tensor<8x4x16x16xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %174 = stablehlo.reduce(%173 init: %cst_38) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %175 = stablehlo.reshape %174 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %176 = stablehlo.negate %175 : tensor<8x4x16x1xf32>
    %177 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %178 = stablehlo.divide %168, %177 : tensor<8x4x16x16xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %179 = stablehlo.reduce(%176 init: %cst_39) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x16xf32>
    %181 = stablehlo.add %178, %180 : tensor<8x4x16x16xf32>
    %182 = stablehlo.multiply %181, %40 : tensor<8x4x16x16xf32>
    %183 = call @_where_2(%33#1, %182) : (tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %cst_40 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %185 = stablehlo.divide %183, %184 : tensor<8x4x16x16xf32>
    %186 = stablehlo.dot_general %185, %23, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %187 = stablehlo.transpose %186, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %188 = stablehlo.dot_general %185, %25, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %189 = stablehlo.transpose %188, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %190 = stablehlo.broadcast_in_dim %170, dims = [1, 2, 3, 4] : (tensor<8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %191 = stablehlo.pad %190, %cst_41, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x8x16x4x8xf32>, tensor<f32>) -> tensor<3x8x16x4x8xf32>
    %192 = stablehlo.broadcast_in_dim %187, dims = [1, 2, 3, 4] : (tensor<8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %193 = stablehlo.pad %192, %cst_42, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x8x16x4x8xf32>, tensor<f32>) -> tensor<3x8x16x4x8xf32>
    %194 = stablehlo.add %191, %193 : tensor<3x8x16x4x8xf32>
    %195 = stablehlo.broadcast_in_dim %189, dims = [1, 2, 3, 4] : (tensor<8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %196 = stablehlo.pad %195, %cst_43, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x8x16x4x8xf32>, tensor<f32>) -> tensor<3x8x16x4x8xf32>
    %197 = stablehlo.add %194, %196 : tensor<3x8x16x4x8xf32>
    %198 = stablehlo.transpose %197, dims = [0, 3, 4, 1, 2] : (tensor<3x8x16x4x8xf32>) -> tensor<3x4x8x8x16xf32>
    %199 = stablehlo.dot_general %198, %arg3, contracting_dims = [0, 1, 2] x [0, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<3x4x8x8x16xf32>, tensor<3x32x4x8xf32>) -> tensor<8x16x32xf32>
    %200 = stablehlo.dot_general %198, %19, contracting_dims = [3, 4] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<3x4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<3x4x8x32xf32>
    %201 = stablehlo.transpose %200, dims = [0, 3, 1, 2] : (tensor<3x4x8x32xf32>) -> tensor<3x32x4x8xf32>
    %202 = stablehlo.multiply %6, %199 : tensor<8x16x32xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %203 = stablehlo.reduce(%202 init: %cst_44) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %204 = stablehlo.reshape %203 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %205 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %206 = stablehlo.multiply %199, %205 : tensor<8x16x32xf32>
    %207 = stablehlo.add %163, %206 : tensor<8x16x32xf32>
    %208 = stablehlo.multiply %204, %17 : tensor<8x16x1xf32>
    %cst_45 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %210 = stablehlo.divide %208, %209 : tensor<8x16x1xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %211 = stablehlo.reduce(%210 init: %cst_46) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %212 = stablehlo.broadcast_in_dim %211, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %213 = stablehlo.multiply %6, %212 : tensor<8x16x32xf32>
    %214 = stablehlo.add %207, %213 : tensor<8x16x32xf32>
    %215 = stablehlo.multiply %212, %6 : tensor<8x16x32xf32>
    %216 = stablehlo.add %214, %215 : tensor<8x16x32xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<50x32xf32>
    %218 = "stablehlo.scatter"(%217, %5, %216) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %235 = stablehlo.add %arg7, %arg8 : tensor<f32>
      stablehlo.return %235 : tensor<f32>
    }) : (tensor<50x32xf32>, tensor<8x16x1xi32>, tensor<8x16x32xf32>) -> tensor<50x32xf32>
    %219 = stablehlo.add %114, %218 : tensor<50x32xf32>
    %cst_48 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %221 = stablehlo.multiply %220, %130 : tensor<64x32xf32>
    %222 = stablehlo.subtract %arg0, %221 : tensor<64x32xf32>
    %cst_49 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<50x32xf32>
    %224 = stablehlo.multiply %223, %219 : tensor<50x32xf32>
    %225 = stablehlo.subtract %arg1, %224 : tensor<50x32xf32>
    %cst_50 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %227 = stablehlo.multiply %226, %165 : tensor<4x8x32xf32>
    %228 = stablehlo.subtract %arg2, %227 : tensor<4x8x32xf32>
    %cst_51 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<3x32x4x8xf32>
    %230 = stablehlo.multiply %229, %201 : tensor<3x32x4x8xf32>
    %231 = stablehlo.subtract %arg3, %230 : tensor<3x32x4x8xf32>
    %cst_52 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %233 = stablehlo.multiply %232, %147 : tensor<32x64xf32>
    %234 = stablehlo.subtract %arg4, %233 : tensor<32x64xf32>
    return %105, %222, %225, %228, %231, %234 : tensor<f32>, tensor<64x32xf32>, tensor<50x32xf32>, tensor<4x8x32xf32>, tensor<3x32x4x8xf32>, tensor<32x64xf32>
  }
  func.func private @tril(%arg0: tensor<16x16xi1>) -> tensor<16x16xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %2 = stablehlo.add %0, %1 : tensor<16x16xi32>
    %3 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<16x16xi1>, tensor<16x16xi1>
    return %6 : tensor<16x16xi1>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<8x4x16x16xf32>, %arg2: tensor<f32>) -> (tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<8x4x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>
    return %3, %1 : tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>
  }
  func.func private @log_softmax(%arg0: tensor<8x16x50xf32>) -> (tensor<8x16x50xf32>, tensor<8x16x50xf32>, tensor<8x16x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<8x16x50xf32>, tensor<f32>) -> tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<8x16xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x50xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x16x50xf32>
    %6 = stablehlo.exponential %5 : tensor<8x16x50xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x16x50xf32>, tensor<f32>) -> tensor<8x16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %9 = stablehlo.log %8 : tensor<8x16x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x50xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<8x16x50xf32>
    return %11, %6, %8 : tensor<8x16x50xf32>, tensor<8x16x50xf32>, tensor<8x16x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<8x16x50xf32>, %arg1: tensor<8x16x1xi32>) -> (tensor<8x16x1xf32>, tensor<8x16x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x16x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x16x1xi32>, tensor<8x16x1xi32>) -> tensor<8x16x1xi1>
    %c_0 = stablehlo.constant dense<50> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x16x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x16x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<8x16x1xi1>, tensor<8x16x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<8x16x1xi32>) -> tensor<8x16x1x1xi32>
    %c_1 = stablehlo.constant dense<49> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x16x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x16x1x1xi32>, tensor<8x16x1x1xi32>) -> tensor<8x16x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<8x16x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x16x1x1xi32>, tensor<8x16x1x1xi32>) -> tensor<8x16x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x16x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<8x16x1x1xi1>, tensor<i1>) -> tensor<8x16x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x16x50xf32>, tensor<8x16x1x1xi32>) -> tensor<8x16x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<8x16x1xi1>, tensor<8x16x1xf32>
    return %15, %5 : tensor<8x16x1xf32>, tensor<8x16x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<8x16x1x1xi32>, %arg1: tensor<8x16x1xf32>) -> tensor<8x16x50xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x50xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x16x50xf32>, tensor<8x16x1x1xi32>, tensor<8x16x1xf32>) -> tensor<8x16x50xf32>
    return %1 : tensor<8x16x50xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<8x16x50xf32>, %arg1: tensor<8x16x1xf32>, %arg2: tensor<8x16x50xf32>) -> tensor<8x16x50xf32> {
    %0 = stablehlo.negate %arg2 : tensor<8x16x50xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x16x50xf32>, tensor<f32>) -> tensor<8x16xf32>
    %2 = stablehlo.reshape %1 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<8x16x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x50xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<8x16x50xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<8x16x50xf32>
    return %7 : tensor<8x16x50xf32>
  }
  func.func private @_where_2(%arg0: tensor<8x4x16x16xi1>, %arg1: tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>
    return %1 : tensor<8x4x16x16xf32>
  }
}
