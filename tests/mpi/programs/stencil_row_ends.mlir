// Sums of shifted tensors: rows and columns that come from outside have another value. For each element type, by a mask, and reversed.
func.func @main(%arg0: tensor<12x40xf32>, %arg1: tensor<12x40xf64>, %arg2: tensor<12x40xbf16>, %arg3: tensor<12x40xi32>, %arg4: tensor<12x40xi8>, %arg5: tensor<12x40xcomplex<f32>>) -> (tensor<12x40xf32>, tensor<12x40xf64>, tensor<12x40xbf16>, tensor<12x40xi32>, tensor<12x40xi8>, tensor<12x40xcomplex<f32>>) {
  %1 = stablehlo.constant dense<1.5> : tensor<f32>
  %2 = stablehlo.pad %arg0, %1, low = [1, 1], high = [-1, -1], interior = [0, 0] : (tensor<12x40xf32>, tensor<f32>) -> tensor<12x40xf32>
  %3 = stablehlo.pad %arg0, %1, low = [-2, -1], high = [2, 1], interior = [0, 0] : (tensor<12x40xf32>, tensor<f32>) -> tensor<12x40xf32>
  %4 = stablehlo.add %2, %3 : tensor<12x40xf32>
  %5 = stablehlo.pad %arg0, %1, low = [0, 2], high = [0, -2], interior = [0, 0] : (tensor<12x40xf32>, tensor<f32>) -> tensor<12x40xf32>
  %6 = stablehlo.add %4, %5 : tensor<12x40xf32>
  %7 = stablehlo.pad %arg0, %1, low = [-1, 0], high = [1, 0], interior = [0, 0] : (tensor<12x40xf32>, tensor<f32>) -> tensor<12x40xf32>
  %8 = stablehlo.add %6, %7 : tensor<12x40xf32>
  %9 = stablehlo.reverse %arg0, dims = [1] : tensor<12x40xf32>
  %10 = stablehlo.pad %9, %1, low = [1, -1], high = [-1, 1], interior = [0, 0] : (tensor<12x40xf32>, tensor<f32>) -> tensor<12x40xf32>
  %11 = stablehlo.add %8, %10 : tensor<12x40xf32>
  %12 = stablehlo.iota dim = 0 : tensor<12x40xi32>
  %13 = stablehlo.constant dense<11> : tensor<12x40xi32>
  %14 = stablehlo.compare LT, %12, %13, SIGNED : (tensor<12x40xi32>, tensor<12x40xi32>) -> tensor<12x40xi1>
  %15 = stablehlo.iota dim = 1 : tensor<12x40xi32>
  %16 = stablehlo.constant dense<1> : tensor<12x40xi32>
  %17 = stablehlo.compare GE, %15, %16, SIGNED : (tensor<12x40xi32>, tensor<12x40xi32>) -> tensor<12x40xi1>
  %18 = stablehlo.and %14, %17 : tensor<12x40xi1>
  %19 = stablehlo.select %18, %11, %arg0 : tensor<12x40xi1>, tensor<12x40xf32>
  %20 = stablehlo.constant dense<2.5> : tensor<f64>
  %21 = stablehlo.pad %arg1, %20, low = [1, 1], high = [-1, -1], interior = [0, 0] : (tensor<12x40xf64>, tensor<f64>) -> tensor<12x40xf64>
  %22 = stablehlo.pad %arg1, %20, low = [-2, -1], high = [2, 1], interior = [0, 0] : (tensor<12x40xf64>, tensor<f64>) -> tensor<12x40xf64>
  %23 = stablehlo.add %21, %22 : tensor<12x40xf64>
  %24 = stablehlo.pad %arg1, %20, low = [0, 2], high = [0, -2], interior = [0, 0] : (tensor<12x40xf64>, tensor<f64>) -> tensor<12x40xf64>
  %25 = stablehlo.add %23, %24 : tensor<12x40xf64>
  %26 = stablehlo.pad %arg1, %20, low = [-1, 0], high = [1, 0], interior = [0, 0] : (tensor<12x40xf64>, tensor<f64>) -> tensor<12x40xf64>
  %27 = stablehlo.add %25, %26 : tensor<12x40xf64>
  %28 = stablehlo.constant dense<0.5> : tensor<bf16>
  %29 = stablehlo.pad %arg2, %28, low = [1, 1], high = [-1, -1], interior = [0, 0] : (tensor<12x40xbf16>, tensor<bf16>) -> tensor<12x40xbf16>
  %30 = stablehlo.pad %arg2, %28, low = [-2, -1], high = [2, 1], interior = [0, 0] : (tensor<12x40xbf16>, tensor<bf16>) -> tensor<12x40xbf16>
  %31 = stablehlo.add %29, %30 : tensor<12x40xbf16>
  %32 = stablehlo.pad %arg2, %28, low = [0, 2], high = [0, -2], interior = [0, 0] : (tensor<12x40xbf16>, tensor<bf16>) -> tensor<12x40xbf16>
  %33 = stablehlo.add %31, %32 : tensor<12x40xbf16>
  %34 = stablehlo.pad %arg2, %28, low = [-1, 0], high = [1, 0], interior = [0, 0] : (tensor<12x40xbf16>, tensor<bf16>) -> tensor<12x40xbf16>
  %35 = stablehlo.add %33, %34 : tensor<12x40xbf16>
  %36 = stablehlo.constant dense<7> : tensor<i32>
  %37 = stablehlo.pad %arg3, %36, low = [1, 1], high = [-1, -1], interior = [0, 0] : (tensor<12x40xi32>, tensor<i32>) -> tensor<12x40xi32>
  %38 = stablehlo.pad %arg3, %36, low = [-2, -1], high = [2, 1], interior = [0, 0] : (tensor<12x40xi32>, tensor<i32>) -> tensor<12x40xi32>
  %39 = stablehlo.add %37, %38 : tensor<12x40xi32>
  %40 = stablehlo.pad %arg3, %36, low = [0, 2], high = [0, -2], interior = [0, 0] : (tensor<12x40xi32>, tensor<i32>) -> tensor<12x40xi32>
  %41 = stablehlo.add %39, %40 : tensor<12x40xi32>
  %42 = stablehlo.pad %arg3, %36, low = [-1, 0], high = [1, 0], interior = [0, 0] : (tensor<12x40xi32>, tensor<i32>) -> tensor<12x40xi32>
  %43 = stablehlo.add %41, %42 : tensor<12x40xi32>
  %44 = stablehlo.iota dim = 0 : tensor<12x40xi32>
  %45 = stablehlo.constant dense<11> : tensor<12x40xi32>
  %46 = stablehlo.compare LT, %44, %45, SIGNED : (tensor<12x40xi32>, tensor<12x40xi32>) -> tensor<12x40xi1>
  %47 = stablehlo.iota dim = 1 : tensor<12x40xi32>
  %48 = stablehlo.constant dense<1> : tensor<12x40xi32>
  %49 = stablehlo.compare GE, %47, %48, SIGNED : (tensor<12x40xi32>, tensor<12x40xi32>) -> tensor<12x40xi1>
  %50 = stablehlo.and %46, %49 : tensor<12x40xi1>
  %51 = stablehlo.select %50, %43, %arg3 : tensor<12x40xi1>, tensor<12x40xi32>
  %52 = stablehlo.constant dense<3> : tensor<i8>
  %53 = stablehlo.pad %arg4, %52, low = [1, 1], high = [-1, -1], interior = [0, 0] : (tensor<12x40xi8>, tensor<i8>) -> tensor<12x40xi8>
  %54 = stablehlo.pad %arg4, %52, low = [-2, -1], high = [2, 1], interior = [0, 0] : (tensor<12x40xi8>, tensor<i8>) -> tensor<12x40xi8>
  %55 = stablehlo.add %53, %54 : tensor<12x40xi8>
  %56 = stablehlo.pad %arg4, %52, low = [0, 2], high = [0, -2], interior = [0, 0] : (tensor<12x40xi8>, tensor<i8>) -> tensor<12x40xi8>
  %57 = stablehlo.add %55, %56 : tensor<12x40xi8>
  %58 = stablehlo.pad %arg4, %52, low = [-1, 0], high = [1, 0], interior = [0, 0] : (tensor<12x40xi8>, tensor<i8>) -> tensor<12x40xi8>
  %59 = stablehlo.add %57, %58 : tensor<12x40xi8>
  %60 = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %61 = stablehlo.pad %arg5, %60, low = [1, 1], high = [-1, -1], interior = [0, 0] : (tensor<12x40xcomplex<f32>>, tensor<complex<f32>>) -> tensor<12x40xcomplex<f32>>
  %62 = stablehlo.pad %arg5, %60, low = [-2, -1], high = [2, 1], interior = [0, 0] : (tensor<12x40xcomplex<f32>>, tensor<complex<f32>>) -> tensor<12x40xcomplex<f32>>
  %63 = stablehlo.add %61, %62 : tensor<12x40xcomplex<f32>>
  %64 = stablehlo.pad %arg5, %60, low = [0, 2], high = [0, -2], interior = [0, 0] : (tensor<12x40xcomplex<f32>>, tensor<complex<f32>>) -> tensor<12x40xcomplex<f32>>
  %65 = stablehlo.add %63, %64 : tensor<12x40xcomplex<f32>>
  %66 = stablehlo.pad %arg5, %60, low = [-1, 0], high = [1, 0], interior = [0, 0] : (tensor<12x40xcomplex<f32>>, tensor<complex<f32>>) -> tensor<12x40xcomplex<f32>>
  %67 = stablehlo.add %65, %66 : tensor<12x40xcomplex<f32>>
  return %19, %27, %35, %51, %59, %67 : tensor<12x40xf32>, tensor<12x40xf64>, tensor<12x40xbf16>, tensor<12x40xi32>, tensor<12x40xi8>, tensor<12x40xcomplex<f32>>
}
