// Forces between all pairs of 216 particles in a loop: computing everything on every device would send the fewest bytes.
// The search sends more to divide the computation over the devices by particle: 27 rows of pairs per device
// RUN: shardopt %s -shardrun-import-pipeline -sdy-propagation-pipeline -shardrun-partition-pipeline -shardrun-optimize-pipeline | grep -E "divide|all_gather|reduce_scatter" | sed "s/<{.*}>//"
module @forces attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=8]> {stablehlo.mesh = {axes = [{name = "x", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<216x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<216x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<216x3xf32> {jax.result_info = "result[0]"}, tensor<216x3xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0, %iterArg_1 = %arg1) : tensor<i32>, tensor<216x3xf32>, tensor<216x3xf32>
    cond {
      %c_2 = stablehlo.constant dense<20> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg_0, %iterArg_1) : (tensor<216x3xf32>, tensor<216x3xf32>) -> (tensor<216x3xf32>, tensor<216x3xf32>)
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_2 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1 : tensor<i32>, tensor<216x3xf32>, tensor<216x3xf32>
    }
    return %0#1, %0#2 : tensor<216x3xf32>, tensor<216x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<216x3xf32>, %arg1: tensor<216x3xf32>) -> (tensor<216x3xf32>, tensor<216x3xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<216x3xf32>) -> tensor<216x1x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<216x3xf32>) -> tensor<1x216x3xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<216x1x3xf32>) -> tensor<216x216x3xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x216x3xf32>) -> tensor<216x216x3xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<216x216x3xf32>
    %5 = stablehlo.iota dim = 0 : tensor<216x216xi32>
    %6 = stablehlo.iota dim = 1 : tensor<216x216xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<216x216xi32>
    %8 = stablehlo.add %5, %7 : tensor<216x216xi32>
    %9 = stablehlo.compare EQ, %8, %6, SIGNED : (tensor<216x216xi32>, tensor<216x216xi32>) -> tensor<216x216xi1>
    %10 = stablehlo.multiply %4, %4 : tensor<216x216x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<216x216x3xf32>, tensor<f32>) -> tensor<216x216xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<216x216xf32>
    %13 = stablehlo.add %11, %12 : tensor<216x216xf32>
    %14 = stablehlo.multiply %13, %13 : tensor<216x216xf32>
    %15 = stablehlo.multiply %14, %13 : tensor<216x216xf32>
    %16 = stablehlo.multiply %13, %13 : tensor<216x216xf32>
    %cst_1 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<216x216xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<216x216xf32>
    %19 = stablehlo.multiply %15, %15 : tensor<216x216xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<216x216xf32>
    %21 = stablehlo.divide %20, %19 : tensor<216x216xf32>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.multiply %cst_3, %cst_4 : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<f32>) -> tensor<216x216xf32>
    %24 = call @_where(%9, %23) : (tensor<216x216xi1>, tensor<216x216xf32>) -> tensor<216x216xf32>
    %25 = stablehlo.multiply %24, %21 : tensor<216x216xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<216x216xf32>
    %27 = stablehlo.multiply %25, %26 : tensor<216x216xf32>
    %28 = stablehlo.negate %27 : tensor<216x216xf32>
    %29 = stablehlo.multiply %28, %18 : tensor<216x216xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<216x216xf32>) -> tensor<216x216x3xf32>
    %31 = stablehlo.multiply %4, %30 : tensor<216x216x3xf32>
    %32 = stablehlo.multiply %30, %4 : tensor<216x216x3xf32>
    %33 = stablehlo.add %31, %32 : tensor<216x216x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<216x216x3xf32>, tensor<f32>) -> tensor<216x3xf32>
    %35 = stablehlo.reshape %34 : (tensor<216x3xf32>) -> tensor<216x1x3xf32>
    %36 = stablehlo.negate %33 : tensor<216x216x3xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<216x216x3xf32>, tensor<f32>) -> tensor<216x3xf32>
    %38 = stablehlo.reshape %37 : (tensor<216x3xf32>) -> tensor<1x216x3xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<1x216x3xf32>, tensor<f32>) -> tensor<216x3xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%35 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<216x1x3xf32>, tensor<f32>) -> tensor<216x3xf32>
    %41 = stablehlo.add %39, %40 : tensor<216x3xf32>
    %42 = stablehlo.negate %41 : tensor<216x3xf32>
    %43 = stablehlo.multiply %42, %42 : tensor<216x3xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<216x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %45 = stablehlo.add %44, %cst_11 : tensor<f32>
    %46 = stablehlo.sqrt %45 : tensor<f32>
    %47 = stablehlo.multiply %42, %arg1 : tensor<216x3xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<216x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<216x3xf32>
    %50 = stablehlo.multiply %49, %arg1 : tensor<216x3xf32>
    %51 = stablehlo.add %arg0, %50 : tensor<216x3xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.compare GT, %48, %cst_14, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_15 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<216x3xf32>
    %54 = stablehlo.multiply %arg1, %53 : tensor<216x3xf32>
    %cst_16 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<216x3xf32>
    %56 = stablehlo.multiply %42, %55 : tensor<216x3xf32>
    %57 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<f32>) -> tensor<216x3xf32>
    %58 = stablehlo.divide %56, %57 : tensor<216x3xf32>
    %59 = stablehlo.add %54, %58 : tensor<216x3xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %60 = call @_where_0(%52, %59, %c_17) : (tensor<i1>, tensor<216x3xf32>, tensor<i32>) -> tensor<216x3xf32>
    return %51, %60 : tensor<216x3xf32>, tensor<216x3xf32>
  }
  func.func private @_where(%arg0: tensor<216x216xi1>, %arg1: tensor<216x216xf32>) -> tensor<216x216xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<216x216xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<216x216xi1>, tensor<216x216xf32>
    return %1 : tensor<216x216xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<216x3xf32>, %arg2: tensor<i32>) -> tensor<216x3xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<216x3xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<216x3xf32>
    return %2 : tensor<216x3xf32>
  }
}
