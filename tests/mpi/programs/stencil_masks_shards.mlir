// A loop of selects by masks on shards of a grid: borders, rows and columns, disjunctions and negations, and sums with a scalar
// argument that overflow for some of its values.
module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["y"=2, "x"=2]> {stablehlo.mesh = {axes = [{name = "y", size = 2 : i64}, {name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<24x80xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<24x80xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<24x80xi32> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
    %0 = stablehlo.iota dim = 0 : tensor<24x80xi32>
    %1 = stablehlo.iota dim = 1 : tensor<24x80xi32>
    %c = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %3 = stablehlo.multiply %0, %2 : tensor<24x80xi32>
    %c_0 = stablehlo.constant dense<7> : tensor<i64>
    %4 = call @remainder(%3, %c_0) : (tensor<24x80xi32>, tensor<i64>) -> tensor<24x80xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %6 = stablehlo.multiply %1, %5 : tensor<24x80xi32>
    %c_2 = stablehlo.constant dense<11> : tensor<i64>
    %7 = call @remainder(%6, %c_2) : (tensor<24x80xi32>, tensor<i64>) -> tensor<24x80xi32>
    %8 = stablehlo.subtract %4, %7 : tensor<24x80xi32>
    %9 = sdy.sharding_constraint %8 <@mesh, [{"y"}, {"x"}]> : tensor<24x80xi32>
    %10 = stablehlo.convert %9 : (tensor<24x80xi32>) -> tensor<24x80xf32>
    %cst = stablehlo.constant dense<3.750000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x80xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<24x80xf32>
    %13 = stablehlo.multiply %12, %12 : tensor<24x80xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i64>
    %14:5 = stablehlo.while(%iterArg = %arg0, %iterArg_4 = %c_3, %iterArg_5 = %12, %iterArg_6 = %13, %iterArg_7 = %9) : tensor<i32>, tensor<i64>, tensor<24x80xf32>, tensor<24x80xf32>, tensor<24x80xi32>
    cond {
      %c_8 = stablehlo.constant dense<3> : tensor<i64>
      %15 = stablehlo.compare LT, %iterArg_4, %c_8, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %15 : tensor<i1>
    } do {
      %15:3 = func.call @closed_call(%iterArg, %iterArg_5, %iterArg_6, %iterArg_7) : (tensor<i32>, tensor<24x80xf32>, tensor<24x80xf32>, tensor<24x80xi32>) -> (tensor<24x80xf32>, tensor<24x80xf32>, tensor<24x80xi32>)
      %c_8 = stablehlo.constant dense<1> : tensor<i64>
      %16 = stablehlo.add %iterArg_4, %c_8 : tensor<i64>
      stablehlo.return %iterArg, %16, %15#0, %15#1, %15#2 : tensor<i32>, tensor<i64>, tensor<24x80xf32>, tensor<24x80xf32>, tensor<24x80xi32>
    }
    return %14#2, %14#3, %14#4 : tensor<24x80xf32>, tensor<24x80xf32>, tensor<24x80xi32>
  }
  func.func private @remainder(%arg0: tensor<24x80xi32>, %arg1: tensor<i64>) -> tensor<24x80xi32> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<24x80xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<24x80xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<24x80xi1>, tensor<24x80xi1>) -> tensor<24x80xi1>
    %12 = stablehlo.and %11, %6 : tensor<24x80xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %14 = stablehlo.add %4, %13 : tensor<24x80xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<24x80xi1>, tensor<24x80xi32>
    return %15 : tensor<24x80xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<24x80xf32>, %arg2: tensor<24x80xf32>, %arg3: tensor<24x80xi32>) -> (tensor<24x80xf32>, tensor<24x80xf32>, tensor<24x80xi32>) {
    %0 = stablehlo.iota dim = 0 : tensor<24x80xi32>
    %1 = stablehlo.iota dim = 1 : tensor<24x80xi32>
    %2 = stablehlo.iota dim = 1 : tensor<24x80xi64>
    %3 = call @_roll_static(%arg1) : (tensor<24x80xf32>) -> tensor<24x80xf32>
    %4 = call @_roll_static_0(%arg1) : (tensor<24x80xf32>) -> tensor<24x80xf32>
    %5 = stablehlo.add %3, %4 : tensor<24x80xf32>
    %6 = call @_roll_static_1(%arg1) : (tensor<24x80xf32>) -> tensor<24x80xf32>
    %7 = stablehlo.add %5, %6 : tensor<24x80xf32>
    %8 = call @_roll_static_2(%arg1) : (tensor<24x80xf32>) -> tensor<24x80xf32>
    %9 = stablehlo.add %7, %8 : tensor<24x80xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x80xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<24x80xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %13 = stablehlo.compare GT, %0, %12, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %c_0 = stablehlo.constant dense<23> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %15 = stablehlo.compare LT, %0, %14, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %16 = stablehlo.and %13, %15 : tensor<24x80xi1>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %18 = stablehlo.compare GE, %1, %17, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %19 = stablehlo.and %16, %18 : tensor<24x80xi1>
    %c_2 = stablehlo.constant dense<78> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %21 = stablehlo.compare LE, %1, %20, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %22 = stablehlo.and %19, %21 : tensor<24x80xi1>
    %23 = call @_where_3(%22, %11, %arg1) : (tensor<24x80xi1>, tensor<24x80xf32>, tensor<24x80xf32>) -> tensor<24x80xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %25 = stablehlo.compare EQ, %1, %24, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<24x80xf32>
    %27 = stablehlo.multiply %26, %arg2 : tensor<24x80xf32>
    %28 = stablehlo.add %arg2, %23 : tensor<24x80xf32>
    %29 = call @_where_3(%25, %27, %28) : (tensor<24x80xi1>, tensor<24x80xf32>, tensor<24x80xf32>) -> tensor<24x80xf32>
    %c_5 = stablehlo.constant dense<23> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %31 = stablehlo.compare EQ, %0, %30, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %c_6 = stablehlo.constant dense<79> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %33 = stablehlo.compare NE, %1, %32, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %34 = stablehlo.or %31, %33 : tensor<24x80xi1>
    %cst_7 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %35 = call @_where_4(%34, %29, %cst_7) : (tensor<24x80xi1>, tensor<24x80xf32>, tensor<f32>) -> tensor<24x80xf32>
    %c_8 = stablehlo.constant dense<1> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %37 = stablehlo.compare LT, %0, %36, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %c_9 = stablehlo.constant dense<78> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %39 = stablehlo.compare GT, %1, %38, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %40 = stablehlo.or %37, %39 : tensor<24x80xi1>
    %41 = stablehlo.not %40 : tensor<24x80xi1>
    %42 = stablehlo.negate %35 : tensor<24x80xf32>
    %43 = call @_where_3(%41, %35, %42) : (tensor<24x80xi1>, tensor<24x80xf32>, tensor<24x80xf32>) -> tensor<24x80xf32>
    %c_10 = stablehlo.constant dense<1> : tensor<i64>
    %44 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i64>) -> tensor<24x80xi64>
    %45 = stablehlo.compare GE, %2, %44, SIGNED : (tensor<24x80xi64>, tensor<24x80xi64>) -> tensor<24x80xi1>
    %c_11 = stablehlo.constant dense<79> : tensor<i64>
    %46 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i64>) -> tensor<24x80xi64>
    %47 = stablehlo.compare LT, %2, %46, SIGNED : (tensor<24x80xi64>, tensor<24x80xi64>) -> tensor<24x80xi1>
    %48 = stablehlo.and %45, %47 : tensor<24x80xi1>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<24x80xf32>
    %50 = stablehlo.add %43, %49 : tensor<24x80xf32>
    %51 = call @_where_3(%48, %50, %43) : (tensor<24x80xi1>, tensor<24x80xf32>, tensor<24x80xf32>) -> tensor<24x80xf32>
    %52 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %53 = stablehlo.add %1, %52 : tensor<24x80xi32>
    %c_13 = stablehlo.constant dense<1> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %55 = stablehlo.compare GT, %53, %54, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %c_14 = stablehlo.constant dense<1> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %57 = stablehlo.add %arg3, %56 : tensor<24x80xi32>
    %58 = stablehlo.subtract %arg3, %1 : tensor<24x80xi32>
    %59 = call @_where_5(%55, %57, %58) : (tensor<24x80xi1>, tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi32>
    %c_15 = stablehlo.constant dense<43> : tensor<i32>
    %60 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %61 = stablehlo.compare LT, %1, %60, SIGNED : (tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi1>
    %c_16 = stablehlo.constant dense<2> : tensor<i32>
    %62 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %63 = stablehlo.multiply %62, %59 : tensor<24x80xi32>
    %64 = call @_where_5(%61, %59, %63) : (tensor<24x80xi1>, tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi32>
    %65 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<i64>
    %c_17 = stablehlo.constant dense<4294967296> : tensor<i64>
    %66 = stablehlo.multiply %65, %c_17 : tensor<i64>
    %67 = stablehlo.broadcast_in_dim %66, dims = [] : (tensor<i64>) -> tensor<24x80xi64>
    %68 = stablehlo.add %2, %67 : tensor<24x80xi64>
    %c_18 = stablehlo.constant dense<5> : tensor<i64>
    %69 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i64>) -> tensor<24x80xi64>
    %70 = stablehlo.compare LT, %68, %69, SIGNED : (tensor<24x80xi64>, tensor<24x80xi64>) -> tensor<24x80xi1>
    %c_19 = stablehlo.constant dense<7> : tensor<i32>
    %71 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<24x80xi32>
    %72 = stablehlo.add %64, %71 : tensor<24x80xi32>
    %73 = call @_where_5(%70, %64, %72) : (tensor<24x80xi1>, tensor<24x80xi32>, tensor<24x80xi32>) -> tensor<24x80xi32>
    return %23, %51, %73 : tensor<24x80xf32>, tensor<24x80xf32>, tensor<24x80xi32>
  }
  func.func private @_roll_static(%arg0: tensor<24x80xf32>) -> tensor<24x80xf32> {
    %0 = stablehlo.slice %arg0 [23:24, 0:80] : (tensor<24x80xf32>) -> tensor<1x80xf32>
    %1 = stablehlo.slice %arg0 [0:23, 0:80] : (tensor<24x80xf32>) -> tensor<23x80xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x80xf32>, tensor<23x80xf32>) -> tensor<24x80xf32>
    return %2 : tensor<24x80xf32>
  }
  func.func private @_roll_static_0(%arg0: tensor<24x80xf32>) -> tensor<24x80xf32> {
    %0 = stablehlo.slice %arg0 [1:24, 0:80] : (tensor<24x80xf32>) -> tensor<23x80xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:80] : (tensor<24x80xf32>) -> tensor<1x80xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<23x80xf32>, tensor<1x80xf32>) -> tensor<24x80xf32>
    return %2 : tensor<24x80xf32>
  }
  func.func private @_roll_static_1(%arg0: tensor<24x80xf32>) -> tensor<24x80xf32> {
    %0 = stablehlo.slice %arg0 [0:24, 79:80] : (tensor<24x80xf32>) -> tensor<24x1xf32>
    %1 = stablehlo.slice %arg0 [0:24, 0:79] : (tensor<24x80xf32>) -> tensor<24x79xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<24x1xf32>, tensor<24x79xf32>) -> tensor<24x80xf32>
    return %2 : tensor<24x80xf32>
  }
  func.func private @_roll_static_2(%arg0: tensor<24x80xf32>) -> tensor<24x80xf32> {
    %0 = stablehlo.slice %arg0 [0:24, 1:80] : (tensor<24x80xf32>) -> tensor<24x79xf32>
    %1 = stablehlo.slice %arg0 [0:24, 0:1] : (tensor<24x80xf32>) -> tensor<24x1xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<24x79xf32>, tensor<24x1xf32>) -> tensor<24x80xf32>
    return %2 : tensor<24x80xf32>
  }
  func.func private @_where_3(%arg0: tensor<24x80xi1>, %arg1: tensor<24x80xf32>, %arg2: tensor<24x80xf32>) -> tensor<24x80xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<24x80xi1>, tensor<24x80xf32>
    return %0 : tensor<24x80xf32>
  }
  func.func private @_where_4(%arg0: tensor<24x80xi1>, %arg1: tensor<24x80xf32>, %arg2: tensor<f32>) -> tensor<24x80xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<24x80xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<24x80xi1>, tensor<24x80xf32>
    return %1 : tensor<24x80xf32>
  }
  func.func private @_where_5(%arg0: tensor<24x80xi1>, %arg1: tensor<24x80xi32>, %arg2: tensor<24x80xi32>) -> tensor<24x80xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<24x80xi1>, tensor<24x80xi32>
    return %0 : tensor<24x80xi32>
  }
}

