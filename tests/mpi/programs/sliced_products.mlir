// Products read slices at dynamic starts in place, in loops and out of bounds: equal to slices of the full product
func.func @main() {
  %first = stablehlo.constant dense<-2> : tensor<i32>
  %column = stablehlo.constant dense<-9> : tensor<i64>
  %rest:2 = stablehlo.while(%i = %first, %j = %column) : tensor<i32>, tensor<i64>
  cond {
    %end = stablehlo.constant dense<5> : tensor<i32>
    %more = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    func.call @of_f32(%i, %j) : (tensor<i32>, tensor<i64>) -> ()
    func.call @of_f64(%i, %j) : (tensor<i32>, tensor<i64>) -> ()
    func.call @of_bf16(%i, %j) : (tensor<i32>, tensor<i64>) -> ()
    func.call @of_i32(%i, %j) : (tensor<i32>, tensor<i64>) -> ()
    func.call @heads(%i) : (tensor<i32>) -> ()
    func.call @nested(%i) : (tensor<i32>) -> ()
    %one = stablehlo.constant dense<1> : tensor<i32>
    %ten = stablehlo.constant dense<10> : tensor<i64>
    %next = stablehlo.add %i, %one : tensor<i32>
    %next_column = stablehlo.add %j, %ten : tensor<i64>
    stablehlo.return %next, %next_column : tensor<i32>, tensor<i64>
  }
  return
}

// Row-contiguous operands from a slice of rank three, whose columns are sliced too; on both sides; of f32
func.func private @of_f32(%i: tensor<i32>, %j: tensor<i64>) {
  %n = stablehlo.iota dim = 0 : tensor<7680xi32>
  %five = stablehlo.constant dense<5> : tensor<7680xi32>
  %m = stablehlo.remainder %n, %five : tensor<7680xi32>
  %e = stablehlo.convert %m : (tensor<7680xi32>) -> tensor<7680xf32>
  %w = stablehlo.reshape %e : (tensor<7680xf32>) -> tensor<3x40x64xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %j32 = stablehlo.convert %j : (tensor<i64>) -> tensor<i32>
  %slice = stablehlo.dynamic_slice %w, %i, %zero, %j32, sizes = [1, 40, 24] : (tensor<3x40x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x24xf32>
  %b = stablehlo.reshape %slice : (tensor<1x40x24xf32>) -> tensor<40x24xf32>
  %a = stablehlo.slice %w [1:2, 8:24, 3:43] : (tensor<3x40x64xf32>) -> tensor<1x16x40xf32>
  %a2 = stablehlo.reshape %a : (tensor<1x16x40xf32>) -> tensor<16x40xf32>
  %read = stablehlo.dot_general %a2, %b, contracting_dims = [1] x [0] : (tensor<16x40xf32>, tensor<40x24xf32>) -> tensor<16x24xf32>
  %turned = stablehlo.dot_general %b, %a2, contracting_dims = [0] x [1] : (tensor<40x24xf32>, tensor<16x40xf32>) -> tensor<24x16xf32>
  %back = stablehlo.transpose %turned, dims = [1, 0] : (tensor<24x16xf32>) -> tensor<16x24xf32>
  %all = stablehlo.dot_general %a2, %w, contracting_dims = [1] x [1] : (tensor<16x40xf32>, tensor<3x40x64xf32>) -> tensor<16x3x64xf32>
  %of = stablehlo.dynamic_slice %all, %zero, %i, %j32, sizes = [16, 1, 24] : (tensor<16x3x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x1x24xf32>
  %wanted = stablehlo.reshape %of : (tensor<16x1x24xf32>) -> tensor<16x24xf32>
  check.expect_eq %read, %wanted : tensor<16x24xf32>
  check.expect_eq %back, %wanted : tensor<16x24xf32>
  return
}

// Row-contiguous operands from a slice of rank three, whose columns are sliced too; on both sides; of f64
func.func private @of_f64(%i: tensor<i32>, %j: tensor<i64>) {
  %n = stablehlo.iota dim = 0 : tensor<7680xi32>
  %five = stablehlo.constant dense<5> : tensor<7680xi32>
  %m = stablehlo.remainder %n, %five : tensor<7680xi32>
  %e = stablehlo.convert %m : (tensor<7680xi32>) -> tensor<7680xf64>
  %w = stablehlo.reshape %e : (tensor<7680xf64>) -> tensor<3x40x64xf64>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %j32 = stablehlo.convert %j : (tensor<i64>) -> tensor<i32>
  %slice = stablehlo.dynamic_slice %w, %i, %zero, %j32, sizes = [1, 40, 24] : (tensor<3x40x64xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x24xf64>
  %b = stablehlo.reshape %slice : (tensor<1x40x24xf64>) -> tensor<40x24xf64>
  %a = stablehlo.slice %w [1:2, 8:24, 3:43] : (tensor<3x40x64xf64>) -> tensor<1x16x40xf64>
  %a2 = stablehlo.reshape %a : (tensor<1x16x40xf64>) -> tensor<16x40xf64>
  %read = stablehlo.dot_general %a2, %b, contracting_dims = [1] x [0] : (tensor<16x40xf64>, tensor<40x24xf64>) -> tensor<16x24xf64>
  %turned = stablehlo.dot_general %b, %a2, contracting_dims = [0] x [1] : (tensor<40x24xf64>, tensor<16x40xf64>) -> tensor<24x16xf64>
  %back = stablehlo.transpose %turned, dims = [1, 0] : (tensor<24x16xf64>) -> tensor<16x24xf64>
  %all = stablehlo.dot_general %a2, %w, contracting_dims = [1] x [1] : (tensor<16x40xf64>, tensor<3x40x64xf64>) -> tensor<16x3x64xf64>
  %of = stablehlo.dynamic_slice %all, %zero, %i, %j32, sizes = [16, 1, 24] : (tensor<16x3x64xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x1x24xf64>
  %wanted = stablehlo.reshape %of : (tensor<16x1x24xf64>) -> tensor<16x24xf64>
  check.expect_eq %read, %wanted : tensor<16x24xf64>
  check.expect_eq %back, %wanted : tensor<16x24xf64>
  return
}

// Row-contiguous operands from a slice of rank three, whose columns are sliced too; on both sides; of bf16
func.func private @of_bf16(%i: tensor<i32>, %j: tensor<i64>) {
  %n = stablehlo.iota dim = 0 : tensor<7680xi32>
  %five = stablehlo.constant dense<5> : tensor<7680xi32>
  %m = stablehlo.remainder %n, %five : tensor<7680xi32>
  %e = stablehlo.convert %m : (tensor<7680xi32>) -> tensor<7680xbf16>
  %w = stablehlo.reshape %e : (tensor<7680xbf16>) -> tensor<3x40x64xbf16>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %j32 = stablehlo.convert %j : (tensor<i64>) -> tensor<i32>
  %slice = stablehlo.dynamic_slice %w, %i, %zero, %j32, sizes = [1, 40, 24] : (tensor<3x40x64xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x24xbf16>
  %b = stablehlo.reshape %slice : (tensor<1x40x24xbf16>) -> tensor<40x24xbf16>
  %a = stablehlo.slice %w [1:2, 8:24, 3:43] : (tensor<3x40x64xbf16>) -> tensor<1x16x40xbf16>
  %a2 = stablehlo.reshape %a : (tensor<1x16x40xbf16>) -> tensor<16x40xbf16>
  %read = stablehlo.dot_general %a2, %b, contracting_dims = [1] x [0] : (tensor<16x40xbf16>, tensor<40x24xbf16>) -> tensor<16x24xbf16>
  %turned = stablehlo.dot_general %b, %a2, contracting_dims = [0] x [1] : (tensor<40x24xbf16>, tensor<16x40xbf16>) -> tensor<24x16xbf16>
  %back = stablehlo.transpose %turned, dims = [1, 0] : (tensor<24x16xbf16>) -> tensor<16x24xbf16>
  %all = stablehlo.dot_general %a2, %w, contracting_dims = [1] x [1] : (tensor<16x40xbf16>, tensor<3x40x64xbf16>) -> tensor<16x3x64xbf16>
  %of = stablehlo.dynamic_slice %all, %zero, %i, %j32, sizes = [16, 1, 24] : (tensor<16x3x64xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x1x24xbf16>
  %wanted = stablehlo.reshape %of : (tensor<16x1x24xbf16>) -> tensor<16x24xbf16>
  check.expect_eq %read, %wanted : tensor<16x24xbf16>
  check.expect_eq %back, %wanted : tensor<16x24xbf16>
  return
}

// Row-contiguous operands from a slice of rank three, whose columns are sliced too; on both sides; of i32
func.func private @of_i32(%i: tensor<i32>, %j: tensor<i64>) {
  %n = stablehlo.iota dim = 0 : tensor<7680xi32>
  %five = stablehlo.constant dense<5> : tensor<7680xi32>
  %m = stablehlo.remainder %n, %five : tensor<7680xi32>
  %e = stablehlo.convert %m : (tensor<7680xi32>) -> tensor<7680xi32>
  %w = stablehlo.reshape %e : (tensor<7680xi32>) -> tensor<3x40x64xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %j32 = stablehlo.convert %j : (tensor<i64>) -> tensor<i32>
  %slice = stablehlo.dynamic_slice %w, %i, %zero, %j32, sizes = [1, 40, 24] : (tensor<3x40x64xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x24xi32>
  %b = stablehlo.reshape %slice : (tensor<1x40x24xi32>) -> tensor<40x24xi32>
  %a = stablehlo.slice %w [1:2, 8:24, 3:43] : (tensor<3x40x64xi32>) -> tensor<1x16x40xi32>
  %a2 = stablehlo.reshape %a : (tensor<1x16x40xi32>) -> tensor<16x40xi32>
  %read = stablehlo.dot_general %a2, %b, contracting_dims = [1] x [0] : (tensor<16x40xi32>, tensor<40x24xi32>) -> tensor<16x24xi32>
  %turned = stablehlo.dot_general %b, %a2, contracting_dims = [0] x [1] : (tensor<40x24xi32>, tensor<16x40xi32>) -> tensor<24x16xi32>
  %back = stablehlo.transpose %turned, dims = [1, 0] : (tensor<24x16xi32>) -> tensor<16x24xi32>
  %all = stablehlo.dot_general %a2, %w, contracting_dims = [1] x [1] : (tensor<16x40xi32>, tensor<3x40x64xi32>) -> tensor<16x3x64xi32>
  %of = stablehlo.dynamic_slice %all, %zero, %i, %j32, sizes = [16, 1, 24] : (tensor<16x3x64xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x1x24xi32>
  %wanted = stablehlo.reshape %of : (tensor<16x1x24xi32>) -> tensor<16x24xi32>
  check.expect_eq %read, %wanted : tensor<16x24xi32>
  check.expect_eq %back, %wanted : tensor<16x24xi32>
  return
}

// A batch of two dimensions that cannot be collapsed, so it is copied from the slice; and a slice of a slice
func.func private @heads(%i: tensor<i32>) {
  %n = stablehlo.iota dim = 0 : tensor<6144xf32>
  %w = stablehlo.reshape %n : (tensor<6144xf32>) -> tensor<4x2x16x3x16xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %slice = stablehlo.dynamic_slice %w, %i, %zero, %zero, %zero, %zero, sizes = [1, 2, 16, 3, 16] : (tensor<4x2x16x3x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16x3x16xf32>
  %a = stablehlo.reshape %slice : (tensor<1x2x16x3x16xf32>) -> tensor<2x16x3x16xf32>
  %c0 = stablehlo.iota dim = 2 : tensor<2x3x16x16xi32>
  %c1 = stablehlo.iota dim = 3 : tensor<2x3x16x16xi32>
  %same = stablehlo.compare EQ, %c0, %c1, SIGNED : (tensor<2x3x16x16xi32>, tensor<2x3x16x16xi32>) -> tensor<2x3x16x16xi1>
  %each = stablehlo.convert %same : (tensor<2x3x16x16xi1>) -> tensor<2x3x16x16xf32>
  %made = stablehlo.dot_general %a, %each, batching_dims = [0, 2] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x16x3x16xf32>, tensor<2x3x16x16xf32>) -> tensor<2x3x16x16xf32>
  %turned = stablehlo.transpose %w, dims = [0, 1, 3, 2, 4] : (tensor<4x2x16x3x16xf32>) -> tensor<4x2x3x16x16xf32>
  %of = stablehlo.dynamic_slice %turned, %i, %zero, %zero, %zero, %zero, sizes = [1, 2, 3, 16, 16] : (tensor<4x2x3x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3x16x16xf32>
  %wanted = stablehlo.reshape %of : (tensor<1x2x3x16x16xf32>) -> tensor<2x3x16x16xf32>
  check.expect_eq %made, %wanted : tensor<2x3x16x16xf32>

  %one_i = stablehlo.constant dense<1> : tensor<i32>
  %slice2 = stablehlo.dynamic_slice %w, %i, %one_i, %zero, %zero, %zero, sizes = [1, 1, 16, 3, 16] : (tensor<4x2x16x3x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x16x3x16xf32>
  %part = stablehlo.slice %slice2 [0:1, 0:1, 2:14, 1:2, 0:16] : (tensor<1x1x16x3x16xf32>) -> tensor<1x1x12x1x16xf32>
  %rows = stablehlo.reshape %part : (tensor<1x1x12x1x16xf32>) -> tensor<12x16xf32>
  %one = stablehlo.slice %each [0:1, 0:1, 0:16, 0:16] : (tensor<2x3x16x16xf32>) -> tensor<1x1x16x16xf32>
  %one2 = stablehlo.reshape %one : (tensor<1x1x16x16xf32>) -> tensor<16x16xf32>
  %made2 = stablehlo.dot_general %rows, %one2, contracting_dims = [1] x [0] : (tensor<12x16xf32>, tensor<16x16xf32>) -> tensor<12x16xf32>
  %part2 = stablehlo.slice %wanted [1:2, 1:2, 2:14, 0:16] : (tensor<2x3x16x16xf32>) -> tensor<1x1x12x16xf32>
  %wanted2 = stablehlo.reshape %part2 : (tensor<1x1x12x16xf32>) -> tensor<12x16xf32>
  check.expect_eq %made2, %wanted2 : tensor<12x16xf32>
  return
}

// A slice made in the outer loop and read in the inner one; the sliced value is updated after its readers
func.func private @nested(%i: tensor<i32>) {
  %n = stablehlo.iota dim = 0 : tensor<1024xf32>
  %w = stablehlo.reshape %n : (tensor<1024xf32>) -> tensor<4x16x16xf32>
  %c0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
  %c1 = stablehlo.iota dim = 1 : tensor<16x16xi32>
  %same = stablehlo.compare EQ, %c0, %c1, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
  %one = stablehlo.convert %same : (tensor<16x16xi1>) -> tensor<16x16xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %ones = stablehlo.constant dense<1.0> : tensor<1x16x16xf32>
  %loop:2 = stablehlo.while(%k = %zero, %stack = %w) : tensor<i32>, tensor<4x16x16xf32>
  cond {
    %end = stablehlo.constant dense<4> : tensor<i32>
    %more = stablehlo.compare LT, %k, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %slice = stablehlo.dynamic_slice %stack, %k, %zero, %zero, sizes = [1, 16, 16] : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %b = stablehlo.reshape %slice : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %new = stablehlo.dynamic_update_slice %stack, %ones, %k, %zero, %zero : (tensor<4x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x16xf32>
    %read = stablehlo.dot_general %b, %one, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %of = stablehlo.dynamic_slice %w, %k, %zero, %zero, sizes = [1, 16, 16] : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %wanted = stablehlo.reshape %of : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    check.expect_eq %read, %wanted : tensor<16x16xf32>
    %next_one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %k, %next_one : tensor<i32>
    stablehlo.return %next, %new : tensor<i32>, tensor<4x16x16xf32>
  }
  return
}
