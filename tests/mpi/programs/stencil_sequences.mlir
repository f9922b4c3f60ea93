// Stencil loops with several loop nests, of arrays sharded by rows: limited advection with a Runge-Kutta method of two stages, red-black Gauss-Seidel,
// the Cahn-Hilliard equation, and shallow water. Periodic borders, except for the second.
module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["y"=2]> {stablehlo.mesh = {axes = [{name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<192x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %arg1: tensor<192x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<192x128xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<192x128xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<192x128xf32> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<192x128xf32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<192x128xf32> {jax.result_info = "result[4]", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<192x128xf32> {jax.result_info = "result[5]", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_8 = %arg0) : tensor<i32>, tensor<192x128xf32>
    cond {
      %c_9 = stablehlo.constant dense<7> : tensor<i32>
      %18 = stablehlo.compare LT, %iterArg, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %18 : tensor<i1>
    } do {
      %18 = func.call @closed_call(%iterArg_8) : (tensor<192x128xf32>) -> tensor<192x128xf32>
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %19 = stablehlo.add %iterArg, %c_9 : tensor<i32>
      stablehlo.return %19, %18 : tensor<i32>, tensor<192x128xf32>
    }
    %1 = stablehlo.iota dim = 0 : tensor<192x128xi32>
    %2 = stablehlo.iota dim = 1 : tensor<192x128xi32>
    %3 = stablehlo.add %1, %2 : tensor<192x128xi32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %4 = call @remainder(%3, %c_0) : (tensor<192x128xi32>, tensor<i32>) -> tensor<192x128xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<192x128xi32>
    %6 = stablehlo.compare EQ, %4, %5, SIGNED : (tensor<192x128xi32>, tensor<192x128xi32>) -> tensor<192x128xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7:4 = stablehlo.while(%iterArg = %arg1, %iterArg_8 = %6, %iterArg_9 = %c_2, %iterArg_10 = %arg0) : tensor<192x128xf32>, tensor<192x128xi1>, tensor<i32>, tensor<192x128xf32>
    cond {
      %c_11 = stablehlo.constant dense<20> : tensor<i32>
      %18 = stablehlo.compare LT, %iterArg_9, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %18 : tensor<i1>
    } do {
      %18 = func.call @closed_call_5(%iterArg, %iterArg_8, %iterArg_10) : (tensor<192x128xf32>, tensor<192x128xi1>, tensor<192x128xf32>) -> tensor<192x128xf32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %19 = stablehlo.add %iterArg_9, %c_11 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_8, %19, %18 : tensor<192x128xf32>, tensor<192x128xi1>, tensor<i32>, tensor<192x128xf32>
    }
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %8:2 = stablehlo.while(%iterArg = %c_3, %iterArg_8 = %arg0) : tensor<i32>, tensor<192x128xf32>
    cond {
      %c_9 = stablehlo.constant dense<20> : tensor<i32>
      %18 = stablehlo.compare LT, %iterArg, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %18 : tensor<i1>
    } do {
      %18 = func.call @closed_call_6(%iterArg_8) : (tensor<192x128xf32>) -> tensor<192x128xf32>
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %19 = stablehlo.add %iterArg, %c_9 : tensor<i32>
      stablehlo.return %19, %18 : tensor<i32>, tensor<192x128xf32>
    }
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %10 = stablehlo.multiply %9, %arg0 : tensor<192x128xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %12 = stablehlo.add %11, %10 : tensor<192x128xf32>
    %cst_5 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %14 = stablehlo.multiply %13, %arg1 : tensor<192x128xf32>
    %cst_6 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %16 = stablehlo.multiply %15, %arg1 : tensor<192x128xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %17:4 = stablehlo.while(%iterArg = %c_7, %iterArg_8 = %12, %iterArg_9 = %14, %iterArg_10 = %16) : tensor<i32>, tensor<192x128xf32>, tensor<192x128xf32>, tensor<192x128xf32>
    cond {
      %c_11 = stablehlo.constant dense<20> : tensor<i32>
      %18 = stablehlo.compare LT, %iterArg, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %18 : tensor<i1>
    } do {
      %18:3 = func.call @closed_call_7(%iterArg_8, %iterArg_9, %iterArg_10) : (tensor<192x128xf32>, tensor<192x128xf32>, tensor<192x128xf32>) -> (tensor<192x128xf32>, tensor<192x128xf32>, tensor<192x128xf32>)
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %19 = stablehlo.add %iterArg, %c_11 : tensor<i32>
      stablehlo.return %19, %18#0, %18#1, %18#2 : tensor<i32>, tensor<192x128xf32>, tensor<192x128xf32>, tensor<192x128xf32>
    }
    return %0#1, %7#3, %8#1, %17#1, %17#2, %17#3 : tensor<192x128xf32>, tensor<192x128xf32>, tensor<192x128xf32>, tensor<192x128xf32>, tensor<192x128xf32>, tensor<192x128xf32>
  }
  func.func private @closed_call(%arg0: tensor<192x128xf32>) -> tensor<192x128xf32> {
    %0 = call @_roll_static(%arg0) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %1 = stablehlo.subtract %arg0, %0 : tensor<192x128xf32>
    %2 = call @_roll_static_0(%1) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<192x128xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %5 = stablehlo.compare GT, %3, %4, FLOAT : (tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xi1>
    %6 = stablehlo.abs %1 : tensor<192x128xf32>
    %7 = stablehlo.abs %2 : tensor<192x128xf32>
    %8 = stablehlo.compare LT, %6, %7, FLOAT : (tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xi1>
    %9 = call @_where(%8, %1, %2) : (tensor<192x128xi1>, tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = call @_where_1(%5, %9, %cst_0) : (tensor<192x128xi1>, tensor<192x128xf32>, tensor<f32>) -> tensor<192x128xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<192x128xf32>
    %13 = stablehlo.add %arg0, %12 : tensor<192x128xf32>
    %cst_2 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %15 = stablehlo.multiply %14, %13 : tensor<192x128xf32>
    %16 = call @_roll_static(%15) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %17 = stablehlo.subtract %16, %15 : tensor<192x128xf32>
    %18 = call @_roll_static_2(%arg0) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %19 = stablehlo.subtract %arg0, %18 : tensor<192x128xf32>
    %20 = call @_roll_static_3(%19) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<192x128xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %23 = stablehlo.compare GT, %21, %22, FLOAT : (tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xi1>
    %24 = stablehlo.abs %19 : tensor<192x128xf32>
    %25 = stablehlo.abs %20 : tensor<192x128xf32>
    %26 = stablehlo.compare LT, %24, %25, FLOAT : (tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xi1>
    %27 = call @_where(%26, %19, %20) : (tensor<192x128xi1>, tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = call @_where_1(%23, %27, %cst_4) : (tensor<192x128xi1>, tensor<192x128xf32>, tensor<f32>) -> tensor<192x128xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<192x128xf32>
    %31 = stablehlo.add %arg0, %30 : tensor<192x128xf32>
    %cst_6 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<192x128xf32>
    %34 = call @_roll_static_2(%33) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %35 = stablehlo.subtract %34, %33 : tensor<192x128xf32>
    %36 = stablehlo.add %17, %35 : tensor<192x128xf32>
    %37 = stablehlo.add %arg0, %36 : tensor<192x128xf32>
    %38 = stablehlo.add %arg0, %37 : tensor<192x128xf32>
    %39 = call @_roll_static(%37) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %40 = stablehlo.subtract %37, %39 : tensor<192x128xf32>
    %41 = call @_roll_static_0(%40) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %42 = stablehlo.multiply %40, %41 : tensor<192x128xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %44 = stablehlo.compare GT, %42, %43, FLOAT : (tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xi1>
    %45 = stablehlo.abs %40 : tensor<192x128xf32>
    %46 = stablehlo.abs %41 : tensor<192x128xf32>
    %47 = stablehlo.compare LT, %45, %46, FLOAT : (tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xi1>
    %48 = call @_where(%47, %40, %41) : (tensor<192x128xi1>, tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = call @_where_1(%44, %48, %cst_8) : (tensor<192x128xi1>, tensor<192x128xf32>, tensor<f32>) -> tensor<192x128xf32>
    %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<192x128xf32>
    %52 = stablehlo.add %37, %51 : tensor<192x128xf32>
    %cst_10 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %54 = stablehlo.multiply %53, %52 : tensor<192x128xf32>
    %55 = call @_roll_static(%54) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %56 = stablehlo.subtract %55, %54 : tensor<192x128xf32>
    %57 = call @_roll_static_2(%37) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %58 = stablehlo.subtract %37, %57 : tensor<192x128xf32>
    %59 = call @_roll_static_3(%58) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %60 = stablehlo.multiply %58, %59 : tensor<192x128xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %62 = stablehlo.compare GT, %60, %61, FLOAT : (tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xi1>
    %63 = stablehlo.abs %58 : tensor<192x128xf32>
    %64 = stablehlo.abs %59 : tensor<192x128xf32>
    %65 = stablehlo.compare LT, %63, %64, FLOAT : (tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xi1>
    %66 = call @_where(%65, %58, %59) : (tensor<192x128xi1>, tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = call @_where_1(%62, %66, %cst_12) : (tensor<192x128xi1>, tensor<192x128xf32>, tensor<f32>) -> tensor<192x128xf32>
    %cst_13 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %69 = stablehlo.multiply %68, %67 : tensor<192x128xf32>
    %70 = stablehlo.add %37, %69 : tensor<192x128xf32>
    %cst_14 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<192x128xf32>
    %73 = call @_roll_static_2(%72) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %74 = stablehlo.subtract %73, %72 : tensor<192x128xf32>
    %75 = stablehlo.add %56, %74 : tensor<192x128xf32>
    %76 = stablehlo.add %38, %75 : tensor<192x128xf32>
    %cst_15 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %78 = stablehlo.multiply %77, %76 : tensor<192x128xf32>
    return %78 : tensor<192x128xf32>
  }
  func.func private @_roll_static(%arg0: tensor<192x128xf32>) -> tensor<192x128xf32> {
    %0 = stablehlo.slice %arg0 [0:192, 127:128] : (tensor<192x128xf32>) -> tensor<192x1xf32>
    %1 = stablehlo.slice %arg0 [0:192, 0:127] : (tensor<192x128xf32>) -> tensor<192x127xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<192x1xf32>, tensor<192x127xf32>) -> tensor<192x128xf32>
    return %2 : tensor<192x128xf32>
  }
  func.func private @_roll_static_0(%arg0: tensor<192x128xf32>) -> tensor<192x128xf32> {
    %0 = stablehlo.slice %arg0 [0:192, 1:128] : (tensor<192x128xf32>) -> tensor<192x127xf32>
    %1 = stablehlo.slice %arg0 [0:192, 0:1] : (tensor<192x128xf32>) -> tensor<192x1xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<192x127xf32>, tensor<192x1xf32>) -> tensor<192x128xf32>
    return %2 : tensor<192x128xf32>
  }
  func.func private @_where(%arg0: tensor<192x128xi1>, %arg1: tensor<192x128xf32>, %arg2: tensor<192x128xf32>) -> tensor<192x128xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<192x128xi1>, tensor<192x128xf32>
    return %0 : tensor<192x128xf32>
  }
  func.func private @_where_1(%arg0: tensor<192x128xi1>, %arg1: tensor<192x128xf32>, %arg2: tensor<f32>) -> tensor<192x128xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<192x128xi1>, tensor<192x128xf32>
    return %2 : tensor<192x128xf32>
  }
  func.func private @_roll_static_2(%arg0: tensor<192x128xf32>) -> tensor<192x128xf32> {
    %0 = stablehlo.slice %arg0 [191:192, 0:128] : (tensor<192x128xf32>) -> tensor<1x128xf32>
    %1 = stablehlo.slice %arg0 [0:191, 0:128] : (tensor<192x128xf32>) -> tensor<191x128xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x128xf32>, tensor<191x128xf32>) -> tensor<192x128xf32>
    return %2 : tensor<192x128xf32>
  }
  func.func private @_roll_static_3(%arg0: tensor<192x128xf32>) -> tensor<192x128xf32> {
    %0 = stablehlo.slice %arg0 [1:192, 0:128] : (tensor<192x128xf32>) -> tensor<191x128xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:128] : (tensor<192x128xf32>) -> tensor<1x128xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<191x128xf32>, tensor<1x128xf32>) -> tensor<192x128xf32>
    return %2 : tensor<192x128xf32>
  }
  func.func private @remainder(%arg0: tensor<192x128xi32>, %arg1: tensor<i32>) -> tensor<192x128xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_4(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<192x128xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<192x128xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<192x128xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<192x128xi32>, tensor<192x128xi32>) -> tensor<192x128xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<192x128xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<192x128xi32>, tensor<192x128xi32>) -> tensor<192x128xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<192x128xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<192x128xi1>, tensor<192x128xi1>) -> tensor<192x128xi1>
    %12 = stablehlo.and %11, %6 : tensor<192x128xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<192x128xi32>
    %14 = stablehlo.add %4, %13 : tensor<192x128xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<192x128xi1>, tensor<192x128xi32>
    return %15 : tensor<192x128xi32>
  }
  func.func private @_where_4(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @closed_call_5(%arg0: tensor<192x128xf32>, %arg1: tensor<192x128xi1>, %arg2: tensor<192x128xf32>) -> tensor<192x128xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg2, %c) : (tensor<192x128xf32>, tensor<i32>) -> tensor<194x130xf32>
    %1 = stablehlo.slice %0 [0:192, 1:129] : (tensor<194x130xf32>) -> tensor<192x128xf32>
    %2 = stablehlo.add %arg0, %1 : tensor<192x128xf32>
    %3 = stablehlo.slice %0 [2:194, 1:129] : (tensor<194x130xf32>) -> tensor<192x128xf32>
    %4 = stablehlo.add %2, %3 : tensor<192x128xf32>
    %5 = stablehlo.slice %0 [1:193, 0:128] : (tensor<194x130xf32>) -> tensor<192x128xf32>
    %6 = stablehlo.add %4, %5 : tensor<192x128xf32>
    %7 = stablehlo.slice %0 [1:193, 2:130] : (tensor<194x130xf32>) -> tensor<192x128xf32>
    %8 = stablehlo.add %6, %7 : tensor<192x128xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<192x128xf32>
    %11 = call @_where(%arg1, %10, %arg2) : (tensor<192x128xi1>, tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %12 = call @_pad(%11, %c_0) : (tensor<192x128xf32>, tensor<i32>) -> tensor<194x130xf32>
    %13 = stablehlo.slice %12 [0:192, 1:129] : (tensor<194x130xf32>) -> tensor<192x128xf32>
    %14 = stablehlo.add %arg0, %13 : tensor<192x128xf32>
    %15 = stablehlo.slice %12 [2:194, 1:129] : (tensor<194x130xf32>) -> tensor<192x128xf32>
    %16 = stablehlo.add %14, %15 : tensor<192x128xf32>
    %17 = stablehlo.slice %12 [1:193, 0:128] : (tensor<194x130xf32>) -> tensor<192x128xf32>
    %18 = stablehlo.add %16, %17 : tensor<192x128xf32>
    %19 = stablehlo.slice %12 [1:193, 2:130] : (tensor<194x130xf32>) -> tensor<192x128xf32>
    %20 = stablehlo.add %18, %19 : tensor<192x128xf32>
    %cst_1 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<192x128xf32>
    %23 = call @_where(%arg1, %11, %22) : (tensor<192x128xi1>, tensor<192x128xf32>, tensor<192x128xf32>) -> tensor<192x128xf32>
    return %23 : tensor<192x128xf32>
  }
  func.func private @_pad(%arg0: tensor<192x128xf32>, %arg1: tensor<i32>) -> tensor<194x130xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<192x128xf32>, tensor<f32>) -> tensor<194x130xf32>
    return %1 : tensor<194x130xf32>
  }
  func.func private @closed_call_6(%arg0: tensor<192x128xf32>) -> tensor<192x128xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<192x128xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<192x128xf32>
    %2 = stablehlo.subtract %1, %arg0 : tensor<192x128xf32>
    %3 = call @_roll_static_2(%arg0) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %4 = call @_roll_static_3(%arg0) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %5 = stablehlo.add %3, %4 : tensor<192x128xf32>
    %6 = call @_roll_static(%arg0) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %7 = stablehlo.add %5, %6 : tensor<192x128xf32>
    %8 = call @_roll_static_0(%arg0) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %9 = stablehlo.add %7, %8 : tensor<192x128xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %11 = stablehlo.multiply %10, %arg0 : tensor<192x128xf32>
    %12 = stablehlo.subtract %9, %11 : tensor<192x128xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<192x128xf32>
    %15 = stablehlo.subtract %2, %14 : tensor<192x128xf32>
    %16 = call @_roll_static_2(%15) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %17 = call @_roll_static_3(%15) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %18 = stablehlo.add %16, %17 : tensor<192x128xf32>
    %19 = call @_roll_static(%15) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %20 = stablehlo.add %18, %19 : tensor<192x128xf32>
    %21 = call @_roll_static_0(%15) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %22 = stablehlo.add %20, %21 : tensor<192x128xf32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %24 = stablehlo.multiply %23, %15 : tensor<192x128xf32>
    %25 = stablehlo.subtract %22, %24 : tensor<192x128xf32>
    %cst_2 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<192x128xf32>
    %28 = stablehlo.add %arg0, %27 : tensor<192x128xf32>
    return %28 : tensor<192x128xf32>
  }
  func.func private @closed_call_7(%arg0: tensor<192x128xf32>, %arg1: tensor<192x128xf32>, %arg2: tensor<192x128xf32>) -> (tensor<192x128xf32>, tensor<192x128xf32>, tensor<192x128xf32>) {
    %0 = call @_roll_static(%arg0) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %1 = stablehlo.subtract %arg0, %0 : tensor<192x128xf32>
    %cst = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %3 = stablehlo.multiply %2, %arg2 : tensor<192x128xf32>
    %4 = stablehlo.subtract %1, %3 : tensor<192x128xf32>
    %cst_0 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<192x128xf32>
    %7 = stablehlo.subtract %arg1, %6 : tensor<192x128xf32>
    %8 = call @_roll_static_2(%arg0) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %9 = stablehlo.subtract %arg0, %8 : tensor<192x128xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %11 = stablehlo.multiply %10, %7 : tensor<192x128xf32>
    %12 = stablehlo.add %9, %11 : tensor<192x128xf32>
    %cst_2 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<192x128xf32>
    %15 = stablehlo.subtract %arg2, %14 : tensor<192x128xf32>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %17 = stablehlo.multiply %7, %16 : tensor<192x128xf32>
    %18 = call @_roll_static(%arg0) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %19 = stablehlo.add %arg0, %18 : tensor<192x128xf32>
    %20 = stablehlo.multiply %17, %19 : tensor<192x128xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %22 = stablehlo.multiply %15, %21 : tensor<192x128xf32>
    %23 = call @_roll_static_2(%arg0) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %24 = stablehlo.add %arg0, %23 : tensor<192x128xf32>
    %25 = stablehlo.multiply %22, %24 : tensor<192x128xf32>
    %26 = call @_roll_static_0(%20) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %27 = stablehlo.subtract %26, %20 : tensor<192x128xf32>
    %28 = call @_roll_static_3(%25) : (tensor<192x128xf32>) -> tensor<192x128xf32>
    %29 = stablehlo.add %27, %28 : tensor<192x128xf32>
    %30 = stablehlo.subtract %29, %25 : tensor<192x128xf32>
    %cst_5 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<192x128xf32>
    %32 = stablehlo.multiply %31, %30 : tensor<192x128xf32>
    %33 = stablehlo.subtract %arg0, %32 : tensor<192x128xf32>
    return %33, %7, %15 : tensor<192x128xf32>, tensor<192x128xf32>, tensor<192x128xf32>
  }
}
