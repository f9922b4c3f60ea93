// Constants are parsed and printed: splats, nested lists, hex above 100 elements, complex, small floats, booleans, empty
// RUN: shardopt %s
func.func @f() {
  %0 = stablehlo.constant dense<[[1, 1], [1, 1]]> : tensor<2x2xi8>
  %1 = stablehlo.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f6061626364"> : tensor<101xui8>
  %3 = stablehlo.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  %4 = stablehlo.constant dense<(1.0, -0.5)> : tensor<3xcomplex<f64>>
  %5 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %6 = stablehlo.constant dense<> : tensor<0x2xf32>
  %7 = stablehlo.constant dense<[1.0e-8, 0x7FC00000, 0.1]> : tensor<3xf32>
  %8 = stablehlo.constant dense<[1.5, 448.0]> : tensor<2xf8E4M3FN>
  %9 = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %10 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  return
}
