// A loop nest with a reduction over loops of one iteration: values computed before the reduction are available after it
// RUN: shardrun --interpret %s
module {
  func.func @main() {
    %x = stablehlo.iota dim = 1 : tensor<1x16xf32>
    %y = stablehlo.constant dense<2.0> : tensor<16xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %zz = stablehlo.constant dense<0.0> : tensor<16xf32>
    %n0 = stablehlo.iota dim = 0 : tensor<16xf32>
    %n = stablehlo.add %n0, %y : tensor<16xf32>
    %p = stablehlo.compare GT, %n, %zz : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1>
    %sum = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %m = stablehlo.multiply %sum, %y : tensor<16xf32>
    %s = stablehlo.select %p, %m, %zz : tensor<16xi1>, tensor<16xf32>
    %q = stablehlo.divide %s, %n : tensor<16xf32>
    %back = stablehlo.multiply %q, %n : tensor<16xf32>
    %want = stablehlo.constant dense<[0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0, 26.0, 28.0, 30.0]> : tensor<16xf32>
    check.expect_close %back, %want, max_ulp_difference = 4 : tensor<16xf32>, tensor<16xf32>
    return
  }
}
