// Loops whose work threads divide: a recurrent cell, rows of which are independent; a state that is read in another order until a norm is
// small; a scan with slices at run-time indices, branches, an inner loop and sums of rows and columns. Traced from JAX.
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x64xf32>, %arg1: tensor<45x64xf32>, %arg2: tensor<20x64xf32>, %arg3: tensor<i32>) -> (tensor<45x64xf32> {jax.result_info = "result[0]"}, tensor<45x64xf32> {jax.result_info = "result[1]"}, tensor<i32> {jax.result_info = "result[2]"}, tensor<45x64xf32> {jax.result_info = "result[3]"}, tensor<20x45xf32> {jax.result_info = "result[4]"}, tensor<20x64xf32> {jax.result_info = "result[5]"}) {
    %c = stablehlo.constant dense<15> : tensor<i32>
    %0 = stablehlo.and %arg3, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<20> : tensor<i32>
    %1 = stablehlo.add %c_0, %0 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2:5 = stablehlo.while(%iterArg = %arg0, %iterArg_6 = %arg1, %iterArg_7 = %c_1, %iterArg_8 = %1, %iterArg_9 = %arg1) : tensor<64x64xf32>, tensor<45x64xf32>, tensor<i32>, tensor<i32>, tensor<45x64xf32>
    cond {
      %9 = stablehlo.compare LT, %iterArg_7, %iterArg_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %c_10 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg_7, %c_10 : tensor<i32>
      %10 = stablehlo.dot_general %iterArg_9, %iterArg, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<45x64xf32>, tensor<64x64xf32>) -> tensor<45x64xf32>
      %11 = stablehlo.add %10, %iterArg_6 : tensor<45x64xf32>
      %12 = stablehlo.tanh %11 : tensor<45x64xf32>
      %cst_11 = stablehlo.constant dense<0.899999976> : tensor<f32>
      %13 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<45x64xf32>
      %14 = stablehlo.multiply %12, %13 : tensor<45x64xf32>
      %15 = stablehlo.convert %iterArg_7 : (tensor<i32>) -> tensor<f32>
      %cst_12 = stablehlo.constant dense<0.00999999977> : tensor<f32>
      %16 = stablehlo.multiply %cst_12, %15 : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<45x64xf32>
      %18 = stablehlo.add %14, %17 : tensor<45x64xf32>
      stablehlo.return %iterArg, %iterArg_6, %9, %iterArg_8, %18 : tensor<64x64xf32>, tensor<45x64xf32>, tensor<i32>, tensor<i32>, tensor<45x64xf32>
    }
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<45x64xf32>
    %4 = stablehlo.multiply %arg1, %3 : tensor<45x64xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5:2 = stablehlo.while(%iterArg = %4, %iterArg_6 = %c_2) : tensor<45x64xf32>, tensor<i32>
    cond {
      %9 = stablehlo.abs %iterArg : tensor<45x64xf32>
      %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %10 = stablehlo.reduce(%9 init: %cst_7) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<45x64xf32>, tensor<f32>) -> tensor<f32>
      %cst_8 = stablehlo.constant dense<3.000000e-01> : tensor<f32>
      %11 = stablehlo.compare GT, %10, %cst_8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_9 = stablehlo.constant dense<60> : tensor<i32>
      %12 = stablehlo.compare LT, %iterArg_6, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_10 = stablehlo.constant dense<false> : tensor<i1>
      %13 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i1>) -> tensor<i1>
      %14 = stablehlo.compare NE, %12, %13, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %15 = stablehlo.convert %14 : tensor<i1>
      %16 = stablehlo.and %11, %15 : tensor<i1>
      stablehlo.return %16 : tensor<i1>
    } do {
      %9 = stablehlo.transpose %iterArg, dims = [1, 0] : (tensor<45x64xf32>) -> tensor<64x45xf32>
      %10 = stablehlo.negate %9 : tensor<64x45xf32>
      %11 = stablehlo.dot_general %10, %iterArg, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x45xf32>, tensor<45x64xf32>) -> tensor<64x64xf32>
      %cst_7 = stablehlo.constant dense<0.00999999977> : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
      %13 = stablehlo.multiply %11, %12 : tensor<64x64xf32>
      %14 = stablehlo.exponential %13 : tensor<64x64xf32>
      %15 = stablehlo.reverse %iterArg, dims = [0] : tensor<45x64xf32>
      %cst_8 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
      %16 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<45x64xf32>
      %17 = stablehlo.multiply %16, %15 : tensor<45x64xf32>
      %18 = stablehlo.subtract %iterArg, %17 : tensor<45x64xf32>
      %cst_9 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
      %19 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<45x64xf32>
      %20 = stablehlo.multiply %19, %iterArg : tensor<45x64xf32>
      %21 = stablehlo.dot_general %20, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<45x64xf32>, tensor<64x64xf32>) -> tensor<45x64xf32>
      %22 = stablehlo.add %18, %21 : tensor<45x64xf32>
      %23 = stablehlo.sine %22 : tensor<45x64xf32>
      %cst_10 = stablehlo.constant dense<0.949999988> : tensor<f32>
      %24 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<45x64xf32>
      %25 = stablehlo.multiply %23, %24 : tensor<45x64xf32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %26 = stablehlo.add %iterArg_6, %c_11 : tensor<i32>
      stablehlo.return %25, %26 : tensor<45x64xf32>, tensor<i32>
    }
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<20x45xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<20x64xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %8:6 = stablehlo.while(%iterArg = %arg2, %iterArg_6 = %arg0, %iterArg_7 = %c_5, %iterArg_8 = %2#4, %iterArg_9 = %6, %iterArg_10 = %7) : tensor<20x64xf32>, tensor<64x64xf32>, tensor<i32>, tensor<45x64xf32>, tensor<20x45xf32>, tensor<20x64xf32>
    cond {
      %c_11 = stablehlo.constant dense<20> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_7, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_7) : (tensor<20x64xf32>, tensor<i32>) -> tensor<64xf32>
      %10:3 = func.call @closed_call(%iterArg_6, %iterArg_8, %9) : (tensor<64x64xf32>, tensor<45x64xf32>, tensor<64xf32>) -> (tensor<45x64xf32>, tensor<45xf32>, tensor<64xf32>)
      %11 = func.call @dynamic_update_index_in_dim(%iterArg_9, %10#1, %iterArg_7) : (tensor<20x45xf32>, tensor<45xf32>, tensor<i32>) -> tensor<20x45xf32>
      %12 = func.call @dynamic_update_index_in_dim_2(%iterArg_10, %10#2, %iterArg_7) : (tensor<20x64xf32>, tensor<64xf32>, tensor<i32>) -> tensor<20x64xf32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %13 = stablehlo.add %iterArg_7, %c_11 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_6, %13, %10#0, %11, %12 : tensor<20x64xf32>, tensor<64x64xf32>, tensor<i32>, tensor<45x64xf32>, tensor<20x45xf32>, tensor<20x64xf32>
    }
    return %2#4, %5#0, %5#1, %8#3, %8#4, %8#5 : tensor<45x64xf32>, tensor<45x64xf32>, tensor<i32>, tensor<45x64xf32>, tensor<20x45xf32>, tensor<20x64xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<20x64xf32>, %arg1: tensor<i32>) -> tensor<64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 64] : (tensor<20x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64xf32>) -> tensor<64xf32>
    return %1 : tensor<64xf32>
  }
  func.func private @closed_call(%arg0: tensor<64x64xf32>, %arg1: tensor<45x64xf32>, %arg2: tensor<64xf32>) -> (tensor<45x64xf32>, tensor<45xf32>, tensor<64xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.compare GT, %0, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      %8 = stablehlo.sine %arg1 : tensor<45x64xf32>
      %9 = stablehlo.negate %arg1 : tensor<45x64xf32>
      %10 = stablehlo.multiply %9, %arg1 : tensor<45x64xf32>
      %11 = stablehlo.exponential %10 : tensor<45x64xf32>
      %12 = stablehlo.multiply %8, %11 : tensor<45x64xf32>
      stablehlo.return %12 : tensor<45x64xf32>
    }, {
      %8 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<45x64xf32>, tensor<64x64xf32>) -> tensor<45x64xf32>
      %9 = stablehlo.cosine %8 : tensor<45x64xf32>
      %10 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<45x64xf32>
      %12 = stablehlo.add %9, %11 : tensor<45x64xf32>
      stablehlo.return %12 : tensor<45x64xf32>
    }) : (tensor<i32>) -> tensor<45x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4:2 = stablehlo.while(%iterArg = %c, %iterArg_2 = %3) : tensor<i32>, tensor<45x64xf32>
    cond {
      %c_3 = stablehlo.constant dense<3> : tensor<i32>
      %8 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %8 = func.call @closed_call_0(%iterArg_2) : (tensor<45x64xf32>) -> tensor<45x64xf32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      stablehlo.return %9, %8 : tensor<i32>, tensor<45x64xf32>
    }
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4#1 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<45x64xf32>, tensor<f32>) -> tensor<45xf32>
    %6 = stablehlo.slice %4#1 [0:1, 0:64] : (tensor<45x64xf32>) -> tensor<1x64xf32>
    %7 = stablehlo.reshape %6 : (tensor<1x64xf32>) -> tensor<64xf32>
    return %4#1, %5, %7 : tensor<45x64xf32>, tensor<45xf32>, tensor<64xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<45x64xf32>) -> tensor<45x64xf32> {
    %cst = stablehlo.constant dense<1.010000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<45x64xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<45x64xf32>
    %2 = stablehlo.tanh %1 : tensor<45x64xf32>
    %3 = call @_roll_static(%2) : (tensor<45x64xf32>) -> tensor<45x64xf32>
    %4 = call @_roll_static_1(%arg0) : (tensor<45x64xf32>) -> tensor<45x64xf32>
    %cst_0 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<45x64xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<45x64xf32>
    %7 = stablehlo.add %3, %6 : tensor<45x64xf32>
    return %7 : tensor<45x64xf32>
  }
  func.func private @_roll_static(%arg0: tensor<45x64xf32>) -> tensor<45x64xf32> {
    %0 = stablehlo.slice %arg0 [44:45, 0:64] : (tensor<45x64xf32>) -> tensor<1x64xf32>
    %1 = stablehlo.slice %arg0 [0:44, 0:64] : (tensor<45x64xf32>) -> tensor<44x64xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x64xf32>, tensor<44x64xf32>) -> tensor<45x64xf32>
    return %2 : tensor<45x64xf32>
  }
  func.func private @_roll_static_1(%arg0: tensor<45x64xf32>) -> tensor<45x64xf32> {
    %0 = stablehlo.slice %arg0 [0:45, 63:64] : (tensor<45x64xf32>) -> tensor<45x1xf32>
    %1 = stablehlo.slice %arg0 [0:45, 0:63] : (tensor<45x64xf32>) -> tensor<45x63xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<45x1xf32>, tensor<45x63xf32>) -> tensor<45x64xf32>
    return %2 : tensor<45x64xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<20x45xf32>, %arg1: tensor<45xf32>, %arg2: tensor<i32>) -> tensor<20x45xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<45xf32>) -> tensor<1x45xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<20x45xf32>, tensor<1x45xf32>, tensor<i32>, tensor<i32>) -> tensor<20x45xf32>
    return %1 : tensor<20x45xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<20x64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<i32>) -> tensor<20x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<20x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<20x64xf32>
    return %1 : tensor<20x64xf32>
  }
}
