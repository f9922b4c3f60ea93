// Masked attention in blocks of 8 rows: a loop for each range of rows computes only the columns that the mask leaves, if a row cannot be all masked and
// masked scores are replaced by a low number. A sliding window has 2 bounds, and a mask may be added. Not so: a mask that leaves no column of
// the first rows, scores replaced by -1, and a mask that is an argument.
// RUN: shardopt %s -shardrun-strip-mine=mode=on
module {
  func.func @window(%q: tensor<2x21x3xf32>, %k: tensor<2x21x3xf32>, %v: tensor<2x21x3xf32>, %pad: tensor<2x21xi1>) -> (tensor<2x21x3xf32>) {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x21x3xf32>, tensor<2x21x3xf32>) -> tensor<2x21x21xf32>
    %2 = stablehlo.iota dim = 0 : tensor<21x21xi32>
    %3 = stablehlo.iota dim = 1 : tensor<21x21xi32>
    %4 = stablehlo.constant dense<4> : tensor<21x21xi32>
    %5 = stablehlo.add %3, %4 : tensor<21x21xi32>
    %6 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<21x21xi32>, tensor<21x21xi32>) -> tensor<21x21xi1>
    %7 = stablehlo.compare LE, %2, %5, SIGNED : (tensor<21x21xi32>, tensor<21x21xi32>) -> tensor<21x21xi1>
    %8 = stablehlo.and %6, %7 : tensor<21x21xi1>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<21x21xi1>) -> tensor<2x21x21xi1>
    %10 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<2x21x21xf32>
    %12 = stablehlo.select %9, %1, %11 : tensor<2x21x21xi1>, tensor<2x21x21xf32>
    %13 = stablehlo.reduce(%12 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
    %15 = stablehlo.subtract %12, %14 : tensor<2x21x21xf32>
    %16 = stablehlo.exponential %15 : tensor<2x21x21xf32>
    %17 = stablehlo.reduce(%16 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
    %19 = stablehlo.divide %16, %18 : tensor<2x21x21xf32>
    %20 = stablehlo.dot_general %19, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x21x21xf32>, tensor<2x21x3xf32>) -> tensor<2x21x3xf32>
    return %20 : tensor<2x21x3xf32>
  }
  func.func @shifted(%q: tensor<2x21x3xf32>, %k: tensor<2x21x3xf32>, %v: tensor<2x21x3xf32>, %pad: tensor<2x21xi1>) -> (tensor<2x21x3xf32>) {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %21 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x21x3xf32>, tensor<2x21x3xf32>) -> tensor<2x21x21xf32>
    %22 = stablehlo.iota dim = 0 : tensor<21x21xi32>
    %23 = stablehlo.iota dim = 1 : tensor<21x21xi32>
    %24 = stablehlo.constant dense<3> : tensor<21x21xi32>
    %25 = stablehlo.add %23, %24 : tensor<21x21xi32>
    %26 = stablehlo.compare GE, %22, %25, SIGNED : (tensor<21x21xi32>, tensor<21x21xi32>) -> tensor<21x21xi1>
    %27 = stablehlo.broadcast_in_dim %26, dims = [1, 2] : (tensor<21x21xi1>) -> tensor<2x21x21xi1>
    %28 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<f32>) -> tensor<2x21x21xf32>
    %30 = stablehlo.select %27, %21, %29 : tensor<2x21x21xi1>, tensor<2x21x21xf32>
    %31 = stablehlo.reduce(%30 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
    %33 = stablehlo.subtract %30, %32 : tensor<2x21x21xf32>
    %34 = stablehlo.exponential %33 : tensor<2x21x21xf32>
    %35 = stablehlo.reduce(%34 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
    %37 = stablehlo.divide %34, %36 : tensor<2x21x21xf32>
    %38 = stablehlo.dot_general %37, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x21x21xf32>, tensor<2x21x3xf32>) -> tensor<2x21x3xf32>
    return %38 : tensor<2x21x3xf32>
  }
  func.func @small(%q: tensor<2x21x3xf32>, %k: tensor<2x21x3xf32>, %v: tensor<2x21x3xf32>, %pad: tensor<2x21xi1>) -> (tensor<2x21x3xf32>) {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %39 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x21x3xf32>, tensor<2x21x3xf32>) -> tensor<2x21x21xf32>
    %40 = stablehlo.iota dim = 0 : tensor<21x21xi32>
    %41 = stablehlo.iota dim = 1 : tensor<21x21xi32>
    %42 = stablehlo.compare GE, %40, %41, SIGNED : (tensor<21x21xi32>, tensor<21x21xi32>) -> tensor<21x21xi1>
    %43 = stablehlo.broadcast_in_dim %42, dims = [1, 2] : (tensor<21x21xi1>) -> tensor<2x21x21xi1>
    %44 = stablehlo.constant dense<-1.0> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [] : (tensor<f32>) -> tensor<2x21x21xf32>
    %46 = stablehlo.select %43, %39, %45 : tensor<2x21x21xi1>, tensor<2x21x21xf32>
    %47 = stablehlo.reduce(%46 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
    %49 = stablehlo.subtract %46, %48 : tensor<2x21x21xf32>
    %50 = stablehlo.exponential %49 : tensor<2x21x21xf32>
    %51 = stablehlo.reduce(%50 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
    %53 = stablehlo.divide %50, %52 : tensor<2x21x21xf32>
    %54 = stablehlo.dot_general %53, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x21x21xf32>, tensor<2x21x3xf32>) -> tensor<2x21x3xf32>
    return %54 : tensor<2x21x3xf32>
  }
  func.func @padded(%q: tensor<2x21x3xf32>, %k: tensor<2x21x3xf32>, %v: tensor<2x21x3xf32>, %pad: tensor<2x21xi1>) -> (tensor<2x21x3xf32>) {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %55 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x21x3xf32>, tensor<2x21x3xf32>) -> tensor<2x21x21xf32>
    %56 = stablehlo.iota dim = 0 : tensor<21x21xi32>
    %57 = stablehlo.iota dim = 1 : tensor<21x21xi32>
    %58 = stablehlo.compare GE, %56, %57, SIGNED : (tensor<21x21xi32>, tensor<21x21xi32>) -> tensor<21x21xi1>
    %59 = stablehlo.broadcast_in_dim %58, dims = [1, 2] : (tensor<21x21xi1>) -> tensor<2x21x21xi1>
    %60 = stablehlo.broadcast_in_dim %pad, dims = [0, 2] : (tensor<2x21xi1>) -> tensor<2x21x21xi1>
    %61 = stablehlo.and %59, %60 : tensor<2x21x21xi1>
    %62 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [] : (tensor<f32>) -> tensor<2x21x21xf32>
    %64 = stablehlo.select %61, %55, %63 : tensor<2x21x21xi1>, tensor<2x21x21xf32>
    %65 = stablehlo.reduce(%64 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
    %67 = stablehlo.subtract %64, %66 : tensor<2x21x21xf32>
    %68 = stablehlo.exponential %67 : tensor<2x21x21xf32>
    %69 = stablehlo.reduce(%68 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
    %71 = stablehlo.divide %68, %70 : tensor<2x21x21xf32>
    %72 = stablehlo.dot_general %71, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x21x21xf32>, tensor<2x21x3xf32>) -> tensor<2x21x3xf32>
    return %72 : tensor<2x21x3xf32>
  }
  func.func @added(%q: tensor<2x21x3xf32>, %k: tensor<2x21x3xf32>, %v: tensor<2x21x3xf32>, %pad: tensor<2x21xi1>) -> (tensor<2x21x3xf32>) {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %73 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x21x3xf32>, tensor<2x21x3xf32>) -> tensor<2x21x21xf32>
    %74 = stablehlo.iota dim = 0 : tensor<21x21xi32>
    %75 = stablehlo.iota dim = 1 : tensor<21x21xi32>
    %76 = stablehlo.compare LT, %74, %75, SIGNED : (tensor<21x21xi32>, tensor<21x21xi32>) -> tensor<21x21xi1>
    %77 = stablehlo.broadcast_in_dim %76, dims = [1, 2] : (tensor<21x21xi1>) -> tensor<2x21x21xi1>
    %78 = stablehlo.convert %77 : (tensor<2x21x21xi1>) -> tensor<2x21x21xf32>
    %79 = stablehlo.constant dense<-3.40282347E+38> : tensor<2x21x21xf32>
    %80 = stablehlo.multiply %78, %79 : tensor<2x21x21xf32>
    %81 = stablehlo.add %73, %80 : tensor<2x21x21xf32>
    %82 = stablehlo.reduce(%81 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
    %84 = stablehlo.subtract %81, %83 : tensor<2x21x21xf32>
    %85 = stablehlo.exponential %84 : tensor<2x21x21xf32>
    %86 = stablehlo.reduce(%85 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
    %88 = stablehlo.divide %85, %87 : tensor<2x21x21xf32>
    %89 = stablehlo.dot_general %88, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x21x21xf32>, tensor<2x21x3xf32>) -> tensor<2x21x3xf32>
    return %89 : tensor<2x21x3xf32>
  }
  func.func @positions(%q: tensor<2x21x3xf32>, %k: tensor<2x21x3xf32>, %v: tensor<2x21x3xf32>, %pad: tensor<2x21xi1>) -> (tensor<2x21x3xf32>) {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %90 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x21x3xf32>, tensor<2x21x3xf32>) -> tensor<2x21x21xf32>
    %91 = stablehlo.iota dim = 0 : tensor<21xi32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0] : (tensor<21xi32>) -> tensor<21x21xi32>
    %93 = stablehlo.broadcast_in_dim %91, dims = [1] : (tensor<21xi32>) -> tensor<21x21xi32>
    %94 = stablehlo.compare GE, %92, %93, SIGNED : (tensor<21x21xi32>, tensor<21x21xi32>) -> tensor<21x21xi1>
    %95 = stablehlo.broadcast_in_dim %94, dims = [1, 2] : (tensor<21x21xi1>) -> tensor<2x21x21xi1>
    %96 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [] : (tensor<f32>) -> tensor<2x21x21xf32>
    %98 = stablehlo.select %95, %90, %97 : tensor<2x21x21xi1>, tensor<2x21x21xf32>
    %99 = stablehlo.reduce(%98 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
    %101 = stablehlo.subtract %98, %100 : tensor<2x21x21xf32>
    %102 = stablehlo.exponential %101 : tensor<2x21x21xf32>
    %103 = stablehlo.reduce(%102 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x21x21xf32>, tensor<f32>) -> tensor<2x21xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1] : (tensor<2x21xf32>) -> tensor<2x21x21xf32>
    %105 = stablehlo.divide %102, %104 : tensor<2x21x21xf32>
    %106 = stablehlo.dot_general %105, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x21x21xf32>, tensor<2x21x3xf32>) -> tensor<2x21x3xf32>
    return %106 : tensor<2x21x3xf32>
  }
}
