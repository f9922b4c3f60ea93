// A chain of 60 values, each of which reads the one before twice, is followed once from the sum that it scales
// RUN: shardopt %s -shardrun-work-pipeline
func.func @main(%x: tensor<8192x64xf32>, %a: tensor<64xf32>) -> (tensor<64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8192x64xf32>, tensor<f32>) -> tensor<64xf32>
  %0 = stablehlo.multiply %a, %a : tensor<64xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<64xf32>
  %2 = stablehlo.multiply %1, %1 : tensor<64xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<64xf32>
  %4 = stablehlo.multiply %3, %3 : tensor<64xf32>
  %5 = stablehlo.multiply %4, %4 : tensor<64xf32>
  %6 = stablehlo.multiply %5, %5 : tensor<64xf32>
  %7 = stablehlo.multiply %6, %6 : tensor<64xf32>
  %8 = stablehlo.multiply %7, %7 : tensor<64xf32>
  %9 = stablehlo.multiply %8, %8 : tensor<64xf32>
  %10 = stablehlo.multiply %9, %9 : tensor<64xf32>
  %11 = stablehlo.multiply %10, %10 : tensor<64xf32>
  %12 = stablehlo.multiply %11, %11 : tensor<64xf32>
  %13 = stablehlo.multiply %12, %12 : tensor<64xf32>
  %14 = stablehlo.multiply %13, %13 : tensor<64xf32>
  %15 = stablehlo.multiply %14, %14 : tensor<64xf32>
  %16 = stablehlo.multiply %15, %15 : tensor<64xf32>
  %17 = stablehlo.multiply %16, %16 : tensor<64xf32>
  %18 = stablehlo.multiply %17, %17 : tensor<64xf32>
  %19 = stablehlo.multiply %18, %18 : tensor<64xf32>
  %20 = stablehlo.multiply %19, %19 : tensor<64xf32>
  %21 = stablehlo.multiply %20, %20 : tensor<64xf32>
  %22 = stablehlo.multiply %21, %21 : tensor<64xf32>
  %23 = stablehlo.multiply %22, %22 : tensor<64xf32>
  %24 = stablehlo.multiply %23, %23 : tensor<64xf32>
  %25 = stablehlo.multiply %24, %24 : tensor<64xf32>
  %26 = stablehlo.multiply %25, %25 : tensor<64xf32>
  %27 = stablehlo.multiply %26, %26 : tensor<64xf32>
  %28 = stablehlo.multiply %27, %27 : tensor<64xf32>
  %29 = stablehlo.multiply %28, %28 : tensor<64xf32>
  %30 = stablehlo.multiply %29, %29 : tensor<64xf32>
  %31 = stablehlo.multiply %30, %30 : tensor<64xf32>
  %32 = stablehlo.multiply %31, %31 : tensor<64xf32>
  %33 = stablehlo.multiply %32, %32 : tensor<64xf32>
  %34 = stablehlo.multiply %33, %33 : tensor<64xf32>
  %35 = stablehlo.multiply %34, %34 : tensor<64xf32>
  %36 = stablehlo.multiply %35, %35 : tensor<64xf32>
  %37 = stablehlo.multiply %36, %36 : tensor<64xf32>
  %38 = stablehlo.multiply %37, %37 : tensor<64xf32>
  %39 = stablehlo.multiply %38, %38 : tensor<64xf32>
  %40 = stablehlo.multiply %39, %39 : tensor<64xf32>
  %41 = stablehlo.multiply %40, %40 : tensor<64xf32>
  %42 = stablehlo.multiply %41, %41 : tensor<64xf32>
  %43 = stablehlo.multiply %42, %42 : tensor<64xf32>
  %44 = stablehlo.multiply %43, %43 : tensor<64xf32>
  %45 = stablehlo.multiply %44, %44 : tensor<64xf32>
  %46 = stablehlo.multiply %45, %45 : tensor<64xf32>
  %47 = stablehlo.multiply %46, %46 : tensor<64xf32>
  %48 = stablehlo.multiply %47, %47 : tensor<64xf32>
  %49 = stablehlo.multiply %48, %48 : tensor<64xf32>
  %50 = stablehlo.multiply %49, %49 : tensor<64xf32>
  %51 = stablehlo.multiply %50, %50 : tensor<64xf32>
  %52 = stablehlo.multiply %51, %51 : tensor<64xf32>
  %53 = stablehlo.multiply %52, %52 : tensor<64xf32>
  %54 = stablehlo.multiply %53, %53 : tensor<64xf32>
  %55 = stablehlo.multiply %54, %54 : tensor<64xf32>
  %56 = stablehlo.multiply %55, %55 : tensor<64xf32>
  %57 = stablehlo.multiply %56, %56 : tensor<64xf32>
  %58 = stablehlo.multiply %57, %57 : tensor<64xf32>
  %59 = stablehlo.multiply %58, %58 : tensor<64xf32>
  %scaled = stablehlo.multiply %sum, %59 : tensor<64xf32>
  return %scaled : tensor<64xf32>
}
