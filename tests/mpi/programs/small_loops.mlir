// Loops of scalars, small loop nests, slice updates, branches and nested loops.
module @small_loops {
  // state of several types, one converted into the other in each round
  func.func @main(%n: tensor<i32>, %x: tensor<7xf32>, %rows: tensor<5x3xbf16>, %at: tensor<ui64>) -> (tensor<i64>, tensor<f64>, tensor<bf16>, tensor<7xf32>, tensor<5x3xbf16>, tensor<5x3xbf16>, tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %long = stablehlo.constant dense<0> : tensor<i64>
    %f = stablehlo.constant dense<1.0> : tensor<f64>
    %b = stablehlo.constant dense<0.5> : tensor<bf16>
    %a:5 = stablehlo.while(%i = %zero, %s = %long, %t = %f, %u = %b, %v = %x) : tensor<i32>, tensor<i64>, tensor<f64>, tensor<bf16>, tensor<7xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %il = stablehlo.convert %i1 : (tensor<i32>) -> tensor<i64>
      %s1 = stablehlo.add %s, %il : tensor<i64>
      %id = stablehlo.convert %s1 : (tensor<i64>) -> tensor<f64>
      %t1 = stablehlo.divide %id, %t : tensor<f64>
      %t2 = stablehlo.sqrt %t1 : tensor<f64>
      %tb = stablehlo.convert %t2 : (tensor<f64>) -> tensor<bf16>
      %u1 = stablehlo.add %u, %tb : tensor<bf16>
      %big = stablehlo.compare GT, %u1, %tb, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %u2 = stablehlo.select %big, %u1, %tb : tensor<i1>, tensor<bf16>
      %tf = stablehlo.convert %t2 : (tensor<f64>) -> tensor<f32>
      %w = stablehlo.broadcast_in_dim %tf, dims = [] : (tensor<f32>) -> tensor<7xf32>
      %r = stablehlo.reverse %v, dims = [0] : tensor<7xf32>
      %v1 = stablehlo.multiply %r, %w : tensor<7xf32>
      stablehlo.return %i1, %s1, %t2, %u2, %v1 : tensor<i32>, tensor<i64>, tensor<f64>, tensor<bf16>, tensor<7xf32>
    }
    // a nested loop, a branch with an index out of range, and rows written at a clamped unsigned index
    %l:4 = stablehlo.while(%i = %zero, %m = %rows, %k = %zero, %p = %rows) : tensor<i32>, tensor<5x3xbf16>, tensor<i32>, tensor<5x3xbf16>
    cond {
      %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %in:2 = stablehlo.while(%j = %zero, %q = %k) : tensor<i32>, tensor<i32>
      cond {
        %c = stablehlo.compare LE, %j, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %j1 = stablehlo.add %j, %one : tensor<i32>
        %q1 = stablehlo.xor %q, %j1 : tensor<i32>
        stablehlo.return %j1, %q1 : tensor<i32>, tensor<i32>
      }
      %three = stablehlo.constant dense<3> : tensor<i32>
      %which = stablehlo.subtract %in#1, %three : tensor<i32>
      %row = "stablehlo.case"(%which) ({
        %d = stablehlo.constant dense<1.5> : tensor<1x3xbf16>
        stablehlo.return %d : tensor<1x3xbf16>
      }, {
        %d = stablehlo.slice %m [1:2, 0:3] : (tensor<5x3xbf16>) -> tensor<1x3xbf16>
        stablehlo.return %d : tensor<1x3xbf16>
      }, {
        %d = stablehlo.slice %m [0:1, 0:3] : (tensor<5x3xbf16>) -> tensor<1x3xbf16>
        %e = stablehlo.add %d, %d : tensor<1x3xbf16>
        stablehlo.return %e : tensor<1x3xbf16>
      }) : (tensor<i32>) -> tensor<1x3xbf16>
      %iu = stablehlo.convert %i : (tensor<i32>) -> tensor<ui64>
      %to = stablehlo.subtract %at, %iu : tensor<ui64>
      %no = stablehlo.constant dense<0> : tensor<ui64>
      %m1 = stablehlo.dynamic_update_slice %m, %row, %to, %no : (tensor<5x3xbf16>, tensor<1x3xbf16>, tensor<ui64>, tensor<ui64>) -> tensor<5x3xbf16>
      %p1 = stablehlo.dynamic_update_slice %rows, %row, %i, %zero : (tensor<5x3xbf16>, tensor<1x3xbf16>, tensor<i32>, tensor<i32>) -> tensor<5x3xbf16>
      stablehlo.return %i1, %m1, %in#1, %p1 : tensor<i32>, tensor<5x3xbf16>, tensor<i32>, tensor<5x3xbf16>
    }
    return %a#1, %a#2, %a#3, %a#4, %l#1, %l#3, %l#2 : tensor<i64>, tensor<f64>, tensor<bf16>, tensor<7xf32>, tensor<5x3xbf16>, tensor<5x3xbf16>, tensor<i32>
  }
}
