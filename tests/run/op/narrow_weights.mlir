// Products of f32 rows and weights of i8, ui8 and bf16 with scales, read in place in both layouts, equal the exact products of integers.
// RUN: shardrun --interpret %s
module {
  func.func @main() {
    %c7 = stablehlo.constant dense<7> : tensor<300x403xi32>
    %c251 = stablehlo.constant dense<251> : tensor<300x403xi32>
    %c128 = stablehlo.constant dense<128> : tensor<300x403xi32>
    %i0 = stablehlo.iota dim = 0 : tensor<300x403xi32>
    %i1 = stablehlo.iota dim = 1 : tensor<300x403xi32>
    %i2 = stablehlo.multiply %i1, %c7 : tensor<300x403xi32>
    %i3 = stablehlo.add %i0, %i2 : tensor<300x403xi32>
    %unsigned = stablehlo.remainder %i3, %c251 : tensor<300x403xi32>
    %signed = stablehlo.subtract %unsigned, %c128 : tensor<300x403xi32>
    %wi8 = stablehlo.convert %signed : (tensor<300x403xi32>) -> tensor<300x403xi8>
    %wui8 = stablehlo.convert %unsigned : (tensor<300x403xi32>) -> tensor<300x403xui8>
    %wbf16 = stablehlo.convert %signed : (tensor<300x403xi32>) -> tensor<300x403xbf16>
    %fi8 = stablehlo.convert %wi8 : (tensor<300x403xi8>) -> tensor<300x403xf32>
    %fui8 = stablehlo.convert %wui8 : (tensor<300x403xui8>) -> tensor<300x403xf32>
    %fbf16 = stablehlo.convert %wbf16 : (tensor<300x403xbf16>) -> tensor<300x403xf32>

    // one row times rows of weights, with a scale of each column of the result
    %x = stablehlo.iota dim = 1 : tensor<1x300xi32>
    %xf = stablehlo.convert %x : (tensor<1x300xi32>) -> tensor<1x300xf32>
    %eighth = stablehlo.constant dense<0.125> : tensor<403xf32>
    %scale = stablehlo.broadcast_in_dim %eighth, dims = [1] : (tensor<403xf32>) -> tensor<300x403xf32>
    %scaled = stablehlo.multiply %fi8, %scale : tensor<300x403xf32>
    %y0 = stablehlo.dot_general %xf, %scaled, contracting_dims = [1] x [0] : (tensor<1x300xf32>, tensor<300x403xf32>) -> tensor<1x403xf32>
    %e0 = stablehlo.dot_general %x, %signed, contracting_dims = [1] x [0] : (tensor<1x300xi32>, tensor<300x403xi32>) -> tensor<1x403xi32>
    %e1 = stablehlo.convert %e0 : (tensor<1x403xi32>) -> tensor<1x403xf32>
    %factor = stablehlo.constant dense<0.125> : tensor<1x403xf32>
    %e2 = stablehlo.multiply %e1, %factor : tensor<1x403xf32>
    check.expect_eq %y0, %e2 : tensor<1x403xf32>

    // eleven rows times rows of unsigned weights
    %p = stablehlo.iota dim = 1 : tensor<11x300xi32>
    %q = stablehlo.iota dim = 0 : tensor<11x300xi32>
    %r = stablehlo.subtract %p, %q : tensor<11x300xi32>
    %rf = stablehlo.convert %r : (tensor<11x300xi32>) -> tensor<11x300xf32>
    %y1 = stablehlo.dot_general %rf, %fui8, contracting_dims = [1] x [0] : (tensor<11x300xf32>, tensor<300x403xf32>) -> tensor<11x403xf32>
    %e3 = stablehlo.dot_general %r, %unsigned, contracting_dims = [1] x [0] : (tensor<11x300xi32>, tensor<300x403xi32>) -> tensor<11x403xi32>
    %e4 = stablehlo.convert %e3 : (tensor<11x403xi32>) -> tensor<11x403xf32>
    check.expect_eq %y1, %e4 : tensor<11x403xf32>

    // dot products with columns of a transpose: five rows of signed integers, one row of bf16
    %t = stablehlo.transpose %fi8, dims = [1, 0] : (tensor<300x403xf32>) -> tensor<403x300xf32>
    %s = stablehlo.iota dim = 1 : tensor<5x403xi32>
    %sf = stablehlo.convert %s : (tensor<5x403xi32>) -> tensor<5x403xf32>
    %y2 = stablehlo.dot_general %sf, %t, contracting_dims = [1] x [0] : (tensor<5x403xf32>, tensor<403x300xf32>) -> tensor<5x300xf32>
    %e5 = stablehlo.dot_general %s, %signed, contracting_dims = [1] x [1] : (tensor<5x403xi32>, tensor<300x403xi32>) -> tensor<5x300xi32>
    %e6 = stablehlo.convert %e5 : (tensor<5x300xi32>) -> tensor<5x300xf32>
    check.expect_eq %y2, %e6 : tensor<5x300xf32>
    %u = stablehlo.iota dim = 1 : tensor<1x403xi32>
    %uf = stablehlo.convert %u : (tensor<1x403xi32>) -> tensor<1x403xf32>
    %y3 = stablehlo.dot_general %uf, %fbf16, contracting_dims = [1] x [1] : (tensor<1x403xf32>, tensor<300x403xf32>) -> tensor<1x300xf32>
    %e7 = stablehlo.dot_general %u, %signed, contracting_dims = [1] x [1] : (tensor<1x403xi32>, tensor<300x403xi32>) -> tensor<1x300xi32>
    %e8 = stablehlo.convert %e7 : (tensor<1x300xi32>) -> tensor<1x300xf32>
    check.expect_eq %y3, %e8 : tensor<1x300xf32>
    return
  }
}
