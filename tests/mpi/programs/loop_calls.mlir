// A loop with kernels for which no C code is generated, in its body, in a branch and in an inner loop, between scalar ops.
func.func @main(%a: tensor<6x6xf32>, %b: tensor<6xf32>, %n: tensor<i32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<f32>, tensor<6xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero_f = stablehlo.constant dense<0.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %identity = stablehlo.constant dense<[[9.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 9.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 9.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 9.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 9.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 9.0]]> : tensor<6x6xf32>
  %iota = stablehlo.iota dim = 0 : tensor<6xi32>
  %r:5 = stablehlo.while(%i = %zero, %x = %b, %y = %b, %s = %zero_f, %p = %iota) : tensor<i32>, tensor<6xf32>, tensor<6xf32>, tensor<f32>, tensor<6xi32>
  cond {
    %below = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %below : tensor<i1>
  } do {
    %t = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %scale = stablehlo.multiply %t, %half : tensor<f32>
    %scales = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %scaled = stablehlo.multiply %a, %scales : tensor<6x6xf32>
    %square = stablehlo.dot_general %scaled, %scaled, contracting_dims = [1] x [1] : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
    %definite = stablehlo.add %square, %identity : tensor<6x6xf32>
    %l = stablehlo.cholesky %definite, lower = true : tensor<6x6xf32>
    %column = stablehlo.reshape %x : (tensor<6xf32>) -> tensor<6x1xf32>
    %solution = "stablehlo.triangular_solve"(%l, %column) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<6x6xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
    %x1 = stablehlo.reshape %solution : (tensor<6x1xf32>) -> tensor<6xf32>
    %x2 = stablehlo.add %x1, %b : tensor<6xf32>
    %odd = stablehlo.and %i, %one : tensor<i32>
    %p1 = "stablehlo.case"(%odd) ({
      %sorted:2 = "stablehlo.sort"(%x2, %p) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%u: tensor<f32>, %v: tensor<f32>, %ui: tensor<i32>, %vi: tensor<i32>):
        %less = stablehlo.compare LT, %u, %v, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      }) : (tensor<6xf32>, tensor<6xi32>) -> (tensor<6xf32>, tensor<6xi32>)
      stablehlo.return %sorted#1 : tensor<6xi32>
    }, {
      %increased = stablehlo.add %p, %iota : tensor<6xi32>
      stablehlo.return %increased : tensor<6xi32>
    }) : (tensor<i32>) -> tensor<6xi32>
    %inner:2 = stablehlo.while(%k = %zero, %z = %y) : tensor<i32>, tensor<6xf32>
    cond {
      %is_less = stablehlo.compare LT, %k, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %is_less : tensor<i1>
    } do {
      %spectrum = stablehlo.fft %z, type = RFFT, length = [6] : (tensor<6xf32>) -> tensor<4xcomplex<f32>>
      %spectrum_r = stablehlo.real %spectrum : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
      %padded = stablehlo.pad %spectrum_r, %half, low = [1], high = [1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
      %z1 = stablehlo.tanh %padded : tensor<6xf32>
      %k1 = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %k1, %z1 : tensor<i32>, tensor<6xf32>
    }
    %first = stablehlo.slice %x2 [0:1] : (tensor<6xf32>) -> tensor<1xf32>
    %first_element = stablehlo.reshape %first : (tensor<1xf32>) -> tensor<f32>
    %s1 = stablehlo.add %s, %first_element : tensor<f32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %x2, %inner#1, %s1, %p1 : tensor<i32>, tensor<6xf32>, tensor<6xf32>, tensor<f32>, tensor<6xi32>
  }
  return %r#1, %r#2, %r#3, %r#4 : tensor<6xf32>, tensor<6xf32>, tensor<f32>, tensor<6xi32>
}
