// Small loops: scalars of several types, rows read and updated at run-time indices, branches, a nested loop, short loop nests with
// borders and strides, a sum, a state that others read, and a loop without iterations.
module {
  func.func @main(%a: tensor<12x16xf32>, %b: tensor<5xi32>, %n: tensor<i32>, %m: tensor<4x6xf64>)
      -> (tensor<12x16xf32>, tensor<16xf32>, tensor<5xi32>, tensor<f32>, tensor<6x4xf64>, tensor<i64>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %times = stablehlo.constant dense<20> : tensor<i32>
    %long = stablehlo.constant dense<3> : tensor<i64>
    %zf = stablehlo.constant dense<0.0> : tensor<f32>
    %zd = stablehlo.constant dense<0.0> : tensor<f64>
    %half = stablehlo.constant dense<0.5> : tensor<16xf32>
    %s0 = stablehlo.constant dense<0.25> : tensor<16xf32>
    %0:7 = stablehlo.while(%i = %zero, %x = %a, %s = %s0, %k = %b, %f = %zf, %w = %m, %l = %long)
        : tensor<i32>, tensor<12x16xf32>, tensor<16xf32>, tensor<5xi32>, tensor<f32>, tensor<4x6xf64>, tensor<i64>
    cond {
      %p = stablehlo.compare LT, %i, %times, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %i, %three : tensor<i32>
      %row2 = stablehlo.dynamic_slice %x, %at, %zero, sizes = [1, 16] : (tensor<12x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
      %row = stablehlo.reshape %row2 : (tensor<1x16xf32>) -> tensor<16xf32>
      %scaled = stablehlo.multiply %s, %half : tensor<16xf32>
      %moved0 = stablehlo.pad %scaled, %f, low = [2], high = [-2], interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
      %moved = stablehlo.reverse %moved0, dims = [0] : tensor<16xf32>
      %new_s = stablehlo.add %row, %moved : tensor<16xf32>
      %new_row = stablehlo.subtract %new_s, %s : tensor<16xf32>
      %up = stablehlo.reshape %new_row : (tensor<16xf32>) -> tensor<1x16xf32>
      %to = stablehlo.multiply %at, %two : tensor<i32>
      %new_x = stablehlo.dynamic_update_slice %x, %up, %to, %zero : (tensor<12x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<12x16xf32>
      %sum = stablehlo.reduce(%new_s init: %zf) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
      %e = stablehlo.dynamic_slice %k, %i, sizes = [1] : (tensor<5xi32>, tensor<i32>) -> tensor<1xi32>
      %e0 = stablehlo.reshape %e : (tensor<1xi32>) -> tensor<i32>
      %case = stablehlo.remainder %e0, %three : tensor<i32>
      %branch = "stablehlo.case"(%case) ({
        %c = stablehlo.convert %sum : (tensor<f32>) -> tensor<i32>
        stablehlo.return %c : tensor<i32>
      }, {
        %c:2 = stablehlo.while(%j = %zero, %v = %e0) : tensor<i32>, tensor<i32>
        cond {
          %p = stablehlo.compare LT, %j, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %j1 = stablehlo.add %j, %one : tensor<i32>
          %v3 = stablehlo.multiply %v, %three : tensor<i32>
          %v1 = stablehlo.xor %v3, %j : tensor<i32>
          stablehlo.return %j1, %v1 : tensor<i32>, tensor<i32>
        }
        stablehlo.return %c#1 : tensor<i32>
      }, {
        %c = stablehlo.subtract %e0, %i : tensor<i32>
        stablehlo.return %c : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      %positive = stablehlo.compare GT, %sum, %f, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %chosen = "stablehlo.if"(%positive) ({
        %q = stablehlo.sqrt %sum : tensor<f32>
        stablehlo.return %q : tensor<f32>
      }, {
        %q = stablehlo.tanh %sum : tensor<f32>
        stablehlo.return %q : tensor<f32>
      }) : (tensor<i1>) -> tensor<f32>
      %b1 = stablehlo.reshape %branch : (tensor<i32>) -> tensor<1xi32>
      %new_k = stablehlo.dynamic_update_slice %k, %b1, %at : (tensor<5xi32>, tensor<1xi32>, tensor<i32>) -> tensor<5xi32>
      %t0 = stablehlo.transpose %w, dims = [1, 0] : (tensor<4x6xf64>) -> tensor<6x4xf64>
      %t = stablehlo.reshape %t0 : (tensor<6x4xf64>) -> tensor<4x6xf64>
      %fd = stablehlo.convert %f : (tensor<f32>) -> tensor<f64>
      %fb = stablehlo.broadcast_in_dim %fd, dims = [] : (tensor<f64>) -> tensor<4x6xf64>
      %new_w = stablehlo.maximum %t, %fb : tensor<4x6xf64>
      %wide = stablehlo.convert %branch : (tensor<i32>) -> tensor<i64>
      %l3 = stablehlo.multiply %l, %long : tensor<i64>
      %new_l = stablehlo.add %l3, %wide : tensor<i64>
      %i1 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %i1, %new_x, %new_s, %new_k, %chosen, %new_w, %new_l
          : tensor<i32>, tensor<12x16xf32>, tensor<16xf32>, tensor<5xi32>, tensor<f32>, tensor<4x6xf64>, tensor<i64>
    }
    %1:2 = stablehlo.while(%i = %times, %v = %0#4) : tensor<i32>, tensor<f32>
    cond {
      %p = stablehlo.compare LT, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %v1 = stablehlo.negate %v : tensor<f32>
      stablehlo.return %i1, %v1 : tensor<i32>, tensor<f32>
    }
    %out = stablehlo.transpose %0#5, dims = [1, 0] : (tensor<4x6xf64>) -> tensor<6x4xf64>
    return %0#1, %0#2, %0#3, %1#1, %out, %0#6 : tensor<12x16xf32>, tensor<16xf32>, tensor<5xi32>, tensor<f32>, tensor<6x4xf64>, tensor<i64>
  }
}
