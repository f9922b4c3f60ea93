// Stencil loops whose steps can be executed in blocks of rows: zero, periodic and repeated borders, two rows of neighbors, two arrays, a
// coefficient for each element, trip counts that are no multiple of the steps of a block or not known, one and three dimensions.
// In the last loop a value of each step depends on the array, so its steps are executed one by one.
func.func @main(%a: tensor<200x220xf32>, %b: tensor<200x220xf64>, %c: tensor<40x20x64xf32>, %d: tensor<70000xf32>)
    -> (tensor<200x220xf32>, tensor<200x220xf64>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<40x20x64xf32>, tensor<70000xf32>,
        tensor<200x220xf32>, tensor<f32>, tensor<200x220xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %f0 = stablehlo.constant dense<0.0> : tensor<f32>
  %g0 = stablehlo.constant dense<0.0> : tensor<f64>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %forty = stablehlo.constant dense<40> : tensor<i32>
  %quarter = stablehlo.constant dense<0.25> : tensor<200x220xf32>
  %tenth = stablehlo.constant dense<0.1> : tensor<200x220xf64>
  %fifth = stablehlo.constant dense<0.2> : tensor<40x20x64xf32>
  %half = stablehlo.constant dense<0.5> : tensor<70000xf32>

  // zero borders, a coefficient for each element
  %r0:2 = stablehlo.while(%i = %zero, %u = %a) : tensor<i32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %padded = stablehlo.pad %u, %f0, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<200x220xf32>, tensor<f32>) -> tensor<202x222xf32>
      %up = stablehlo.slice %padded [0:200, 1:221] : (tensor<202x222xf32>) -> tensor<200x220xf32>
      %down = stablehlo.slice %padded [2:202, 1:221] : (tensor<202x222xf32>) -> tensor<200x220xf32>
      %left = stablehlo.slice %padded [1:201, 0:220] : (tensor<202x222xf32>) -> tensor<200x220xf32>
      %right = stablehlo.slice %padded [1:201, 2:222] : (tensor<202x222xf32>) -> tensor<200x220xf32>
      %s0 = stablehlo.add %up, %down : tensor<200x220xf32>
      %s1 = stablehlo.subtract %left, %right : tensor<200x220xf32>
      %s2 = stablehlo.add %s0, %s1 : tensor<200x220xf32>
      %s3 = stablehlo.multiply %s2, %quarter : tensor<200x220xf32>
      %s4 = stablehlo.multiply %a, %s3 : tensor<200x220xf32>
      %next = stablehlo.add %u, %s4 : tensor<200x220xf32>
      stablehlo.return %i1, %next : tensor<i32>, tensor<200x220xf32>
    }

  // periodic borders, two rows away; the trip count depends on data
  %element = stablehlo.slice %a [0:1, 0:1] : (tensor<200x220xf32>) -> tensor<1x1xf32>
  %scalar = stablehlo.reshape %element : (tensor<1x1xf32>) -> tensor<f32>
  %integer = stablehlo.convert %scalar : (tensor<f32>) -> tensor<i32>
  %n = stablehlo.add %integer, %forty : tensor<i32>
  %r1:2 = stablehlo.while(%i = %zero, %u = %b) : tensor<i32>, tensor<200x220xf64>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %last = stablehlo.slice %u [198:200, 0:220] : (tensor<200x220xf64>) -> tensor<2x220xf64>
      %rest = stablehlo.slice %u [0:198, 0:220] : (tensor<200x220xf64>) -> tensor<198x220xf64>
      %up = stablehlo.concatenate %last, %rest, dim = 0 : (tensor<2x220xf64>, tensor<198x220xf64>) -> tensor<200x220xf64>
      %first = stablehlo.slice %u [0:1, 0:220] : (tensor<200x220xf64>) -> tensor<1x220xf64>
      %others = stablehlo.slice %u [1:200, 0:220] : (tensor<200x220xf64>) -> tensor<199x220xf64>
      %down = stablehlo.concatenate %others, %first, dim = 0 : (tensor<199x220xf64>, tensor<1x220xf64>) -> tensor<200x220xf64>
      %l0 = stablehlo.slice %u [0:200, 219:220] : (tensor<200x220xf64>) -> tensor<200x1xf64>
      %l1 = stablehlo.slice %u [0:200, 0:219] : (tensor<200x220xf64>) -> tensor<200x219xf64>
      %left = stablehlo.concatenate %l0, %l1, dim = 1 : (tensor<200x1xf64>, tensor<200x219xf64>) -> tensor<200x220xf64>
      %s0 = stablehlo.subtract %up, %down : tensor<200x220xf64>
      %s1 = stablehlo.add %s0, %left : tensor<200x220xf64>
      %s2 = stablehlo.multiply %s1, %tenth : tensor<200x220xf64>
      %next = stablehlo.add %u, %s2 : tensor<200x220xf64>
      stablehlo.return %i1, %next : tensor<i32>, tensor<200x220xf64>
    }

  // two arrays, new values of both in one loop nest
  %r2:3 = stablehlo.while(%i = %zero, %u = %a, %v = %a) : tensor<i32>, tensor<200x220xf32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %up = stablehlo.pad %u, %f0, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<200x220xf32>, tensor<f32>) -> tensor<200x220xf32>
      %down = stablehlo.pad %v, %f0, low = [-1, 0], high = [1, 0], interior = [0, 0] : (tensor<200x220xf32>, tensor<f32>) -> tensor<200x220xf32>
      %s = stablehlo.multiply %up, %quarter : tensor<200x220xf32>
      %t = stablehlo.multiply %down, %quarter : tensor<200x220xf32>
      %uv = stablehlo.multiply %s, %t : tensor<200x220xf32>
      %u1 = stablehlo.add %u, %s : tensor<200x220xf32>
      %v1 = stablehlo.subtract %v, %t : tensor<200x220xf32>
      %next_u = stablehlo.subtract %u1, %uv : tensor<200x220xf32>
      %next_v = stablehlo.add %v1, %uv : tensor<200x220xf32>
      stablehlo.return %i1, %next_u, %next_v : tensor<i32>, tensor<200x220xf32>, tensor<200x220xf32>
    }

  // three dimensions
  %r3:2 = stablehlo.while(%i = %zero, %u = %c) : tensor<i32>, tensor<40x20x64xf32>
    cond {
      %p = stablehlo.compare LT, %i, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %front = stablehlo.pad %u, %f0, low = [1, 0, 0], high = [-1, 0, 0], interior = [0, 0, 0] : (tensor<40x20x64xf32>, tensor<f32>) -> tensor<40x20x64xf32>
      %up = stablehlo.pad %u, %f0, low = [0, -1, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<40x20x64xf32>, tensor<f32>) -> tensor<40x20x64xf32>
      %left = stablehlo.pad %u, %f0, low = [-1, 0, 1], high = [1, 0, -1], interior = [0, 0, 0] : (tensor<40x20x64xf32>, tensor<f32>) -> tensor<40x20x64xf32>
      %s0 = stablehlo.add %front, %up : tensor<40x20x64xf32>
      %s1 = stablehlo.subtract %s0, %left : tensor<40x20x64xf32>
      %s2 = stablehlo.multiply %s1, %fifth : tensor<40x20x64xf32>
      %next = stablehlo.add %u, %s2 : tensor<40x20x64xf32>
      stablehlo.return %i1, %next : tensor<i32>, tensor<40x20x64xf32>
    }

  // one dimension: a row is an element
  %r4:2 = stablehlo.while(%u = %d, %i = %zero) : tensor<70000xf32>, tensor<i32>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %right = stablehlo.pad %u, %f0, low = [-3], high = [3], interior = [0] : (tensor<70000xf32>, tensor<f32>) -> tensor<70000xf32>
      %s = stablehlo.multiply %right, %half : tensor<70000xf32>
      %next = stablehlo.subtract %u, %s : tensor<70000xf32>
      stablehlo.return %next, %i1 : tensor<70000xf32>, tensor<i32>
    }

  // a repeated border of rows, a border of zeros by concatenation
  %r6:2 = stablehlo.while(%i = %zero, %u = %a) : tensor<i32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %first = stablehlo.slice %u [0:1, 0:220] : (tensor<200x220xf32>) -> tensor<1x220xf32>
      %rest = stablehlo.slice %u [0:199, 0:220] : (tensor<200x220xf32>) -> tensor<199x220xf32>
      %up = stablehlo.concatenate %first, %rest, dim = 0 : (tensor<1x220xf32>, tensor<199x220xf32>) -> tensor<200x220xf32>
      %zeros = stablehlo.broadcast_in_dim %f0, dims = [] : (tensor<f32>) -> tensor<200x1xf32>
      %l1 = stablehlo.slice %u [0:200, 0:219] : (tensor<200x220xf32>) -> tensor<200x219xf32>
      %left = stablehlo.concatenate %zeros, %l1, dim = 1 : (tensor<200x1xf32>, tensor<200x219xf32>) -> tensor<200x220xf32>
      %s0 = stablehlo.subtract %up, %left : tensor<200x220xf32>
      %s1 = stablehlo.multiply %s0, %quarter : tensor<200x220xf32>
      %next = stablehlo.add %u, %s1 : tensor<200x220xf32>
      stablehlo.return %i1, %next : tensor<i32>, tensor<200x220xf32>
    }

  // the largest element of each step is kept
  %r5:3 = stablehlo.while(%i = %zero, %u = %a, %max = %f0) : tensor<i32>, tensor<200x220xf32>, tensor<f32>
    cond {
      %p = stablehlo.compare LT, %i, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %up = stablehlo.pad %u, %f0, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<200x220xf32>, tensor<f32>) -> tensor<200x220xf32>
      %s = stablehlo.multiply %up, %quarter : tensor<200x220xf32>
      %next = stablehlo.add %s, %u : tensor<200x220xf32>
      %m = stablehlo.reduce(%next init: %f0) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<200x220xf32>, tensor<f32>) -> tensor<f32>
      %sum = stablehlo.add %max, %m : tensor<f32>
      stablehlo.return %i1, %next, %sum : tensor<i32>, tensor<200x220xf32>, tensor<f32>
    }
  return %r0#1, %r1#1, %r2#1, %r2#2, %r3#1, %r4#0, %r5#1, %r5#2, %r6#1 : tensor<200x220xf32>, tensor<200x220xf64>, tensor<200x220xf32>, tensor<200x220xf32>,
      tensor<40x20x64xf32>, tensor<70000xf32>, tensor<200x220xf32>, tensor<f32>, tensor<200x220xf32>
}
