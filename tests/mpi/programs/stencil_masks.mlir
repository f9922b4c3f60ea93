// A loop of selects by masks that compare indices with constants: borders, rows and columns, sums, disjunctions and negations.
module @jit_main {
  func.func public @main(%arg0: tensor<40x50xf32>, %arg1: tensor<40x50xf32>, %arg2: tensor<40x50xi32>) -> (tensor<40x50xf32>, tensor<40x50xf32>, tensor<40x50xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0:4 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %arg2) : tensor<i64>, tensor<40x50xf32>, tensor<40x50xf32>, tensor<40x50xi32>
    cond {
      %c_3 = stablehlo.constant dense<4> : tensor<i64>
      %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:3 = func.call @closed_call(%iterArg_0, %iterArg_1, %iterArg_2) : (tensor<40x50xf32>, tensor<40x50xf32>, tensor<40x50xi32>) -> (tensor<40x50xf32>, tensor<40x50xf32>, tensor<40x50xi32>)
      %c_3 = stablehlo.constant dense<1> : tensor<i64>
      %2 = stablehlo.add %iterArg, %c_3 : tensor<i64>
      stablehlo.return %2, %1#0, %1#1, %1#2 : tensor<i64>, tensor<40x50xf32>, tensor<40x50xf32>, tensor<40x50xi32>
    }
    return %0#1, %0#2, %0#3 : tensor<40x50xf32>, tensor<40x50xf32>, tensor<40x50xi32>
  }
  func.func private @closed_call(%arg0: tensor<40x50xf32>, %arg1: tensor<40x50xf32>, %arg2: tensor<40x50xi32>) -> (tensor<40x50xf32>, tensor<40x50xf32>, tensor<40x50xi32>) {
    %0 = stablehlo.iota dim = 0 : tensor<40x50xi32>
    %1 = stablehlo.iota dim = 1 : tensor<40x50xi32>
    %2 = call @_roll_static(%arg0) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %3 = call @_roll_static_0(%arg0) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %4 = stablehlo.add %2, %3 : tensor<40x50xf32>
    %5 = call @_roll_static_1(%arg0) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %6 = stablehlo.add %4, %5 : tensor<40x50xf32>
    %7 = call @_roll_static_2(%arg0) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %8 = stablehlo.add %6, %7 : tensor<40x50xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x50xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<40x50xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %12 = stablehlo.compare GE, %0, %11, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %c_0 = stablehlo.constant dense<39> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %14 = stablehlo.compare LT, %0, %13, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %15 = stablehlo.and %12, %14 : tensor<40x50xi1>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %17 = stablehlo.compare NE, %1, %16, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %18 = stablehlo.and %15, %17 : tensor<40x50xi1>
    %c_2 = stablehlo.constant dense<48> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %20 = stablehlo.compare LE, %1, %19, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %21 = stablehlo.and %18, %20 : tensor<40x50xi1>
    %22 = call @_where(%21, %10, %arg0) : (tensor<40x50xi1>, tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<40x50xf32>
    %c_3 = stablehlo.constant dense<39> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %24 = stablehlo.compare EQ, %0, %23, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %26 = stablehlo.compare EQ, %1, %25, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<40x50xf32>
    %28 = stablehlo.multiply %27, %arg1 : tensor<40x50xf32>
    %29 = stablehlo.add %arg1, %arg0 : tensor<40x50xf32>
    %30 = call @_where(%26, %28, %29) : (tensor<40x50xi1>, tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<40x50xf32>
    %cst_6 = stablehlo.constant dense<3.000000e+00> : tensor<f64>
    %31 = call @_where_3(%24, %cst_6, %30) : (tensor<40x50xi1>, tensor<f64>, tensor<40x50xf32>) -> tensor<40x50xf32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %33 = stablehlo.compare LT, %0, %32, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %c_8 = stablehlo.constant dense<48> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %35 = stablehlo.compare GT, %1, %34, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %36 = stablehlo.or %33, %35 : tensor<40x50xi1>
    %37 = stablehlo.not %36 : tensor<40x50xi1>
    %38 = stablehlo.negate %31 : tensor<40x50xf32>
    %39 = call @_where(%37, %31, %38) : (tensor<40x50xi1>, tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<40x50xf32>
    %c_9 = stablehlo.constant dense<3> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %41 = stablehlo.add %0, %40 : tensor<40x50xi32>
    %c_10 = stablehlo.constant dense<5> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %43 = stablehlo.compare GT, %41, %42, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %44 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %45 = stablehlo.add %arg2, %44 : tensor<40x50xi32>
    %c_12 = stablehlo.constant dense<2> : tensor<i32>
    %46 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %47 = stablehlo.subtract %1, %46 : tensor<40x50xi32>
    %48 = stablehlo.subtract %arg2, %47 : tensor<40x50xi32>
    %49 = call @_where_4(%43, %45, %48) : (tensor<40x50xi1>, tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi32>
    %c_13 = stablehlo.constant dense<1> : tensor<i32>
    %50 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %51 = stablehlo.compare LT, %1, %50, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %52 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %53 = stablehlo.or %51, %52 : tensor<40x50xi1>
    %c_14 = stablehlo.constant dense<5> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %55 = stablehlo.compare LT, %1, %54, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %56 = stablehlo.or %53, %55 : tensor<40x50xi1>
    %c_15 = stablehlo.constant dense<2> : tensor<i32>
    %57 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %58 = stablehlo.multiply %57, %49 : tensor<40x50xi32>
    %59 = call @_where_4(%56, %49, %58) : (tensor<40x50xi1>, tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi32>
    %60 = stablehlo.iota dim = 0 : tensor<40x50xi64>
    %c_16 = stablehlo.constant dense<-4> : tensor<i64>
    %61 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i64>) -> tensor<40x50xi64>
    %62 = stablehlo.compare GT, %60, %61, SIGNED : (tensor<40x50xi64>, tensor<40x50xi64>) -> tensor<40x50xi1>
    %c_17 = stablehlo.constant dense<1000> : tensor<i64>
    %63 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i64>) -> tensor<40x50xi64>
    %64 = stablehlo.compare LT, %60, %63, SIGNED : (tensor<40x50xi64>, tensor<40x50xi64>) -> tensor<40x50xi1>
    %65 = stablehlo.and %62, %64 : tensor<40x50xi1>
    %c_18 = stablehlo.constant dense<7> : tensor<i64>
    %66 = call @_where_5(%65, %59, %c_18) : (tensor<40x50xi1>, tensor<40x50xi32>, tensor<i64>) -> tensor<40x50xi32>
    return %22, %39, %66 : tensor<40x50xf32>, tensor<40x50xf32>, tensor<40x50xi32>
  }
  func.func private @_roll_static(%arg0: tensor<40x50xf32>) -> tensor<40x50xf32> {
    %0 = stablehlo.slice %arg0 [39:40, 0:50] : (tensor<40x50xf32>) -> tensor<1x50xf32>
    %1 = stablehlo.slice %arg0 [0:39, 0:50] : (tensor<40x50xf32>) -> tensor<39x50xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x50xf32>, tensor<39x50xf32>) -> tensor<40x50xf32>
    return %2 : tensor<40x50xf32>
  }
  func.func private @_roll_static_0(%arg0: tensor<40x50xf32>) -> tensor<40x50xf32> {
    %0 = stablehlo.slice %arg0 [1:40, 0:50] : (tensor<40x50xf32>) -> tensor<39x50xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:50] : (tensor<40x50xf32>) -> tensor<1x50xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<39x50xf32>, tensor<1x50xf32>) -> tensor<40x50xf32>
    return %2 : tensor<40x50xf32>
  }
  func.func private @_roll_static_1(%arg0: tensor<40x50xf32>) -> tensor<40x50xf32> {
    %0 = stablehlo.slice %arg0 [0:40, 49:50] : (tensor<40x50xf32>) -> tensor<40x1xf32>
    %1 = stablehlo.slice %arg0 [0:40, 0:49] : (tensor<40x50xf32>) -> tensor<40x49xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<40x1xf32>, tensor<40x49xf32>) -> tensor<40x50xf32>
    return %2 : tensor<40x50xf32>
  }
  func.func private @_roll_static_2(%arg0: tensor<40x50xf32>) -> tensor<40x50xf32> {
    %0 = stablehlo.slice %arg0 [0:40, 1:50] : (tensor<40x50xf32>) -> tensor<40x49xf32>
    %1 = stablehlo.slice %arg0 [0:40, 0:1] : (tensor<40x50xf32>) -> tensor<40x1xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<40x49xf32>, tensor<40x1xf32>) -> tensor<40x50xf32>
    return %2 : tensor<40x50xf32>
  }
  func.func private @_where(%arg0: tensor<40x50xi1>, %arg1: tensor<40x50xf32>, %arg2: tensor<40x50xf32>) -> tensor<40x50xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<40x50xi1>, tensor<40x50xf32>
    return %0 : tensor<40x50xf32>
  }
  func.func private @_where_3(%arg0: tensor<40x50xi1>, %arg1: tensor<f64>, %arg2: tensor<40x50xf32>) -> tensor<40x50xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<f64>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<40x50xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<40x50xi1>, tensor<40x50xf32>
    return %2 : tensor<40x50xf32>
  }
  func.func private @_where_4(%arg0: tensor<40x50xi1>, %arg1: tensor<40x50xi32>, %arg2: tensor<40x50xi32>) -> tensor<40x50xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<40x50xi1>, tensor<40x50xi32>
    return %0 : tensor<40x50xi32>
  }
  func.func private @_where_5(%arg0: tensor<40x50xi1>, %arg1: tensor<40x50xi32>, %arg2: tensor<i64>) -> tensor<40x50xi32> {
    %0 = stablehlo.convert %arg2 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<40x50xi32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<40x50xi1>, tensor<40x50xi32>
    return %2 : tensor<40x50xi32>
  }
}

