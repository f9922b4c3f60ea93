// Stencil loops that carry the last two values of an array, as the wave equation does, with trip counts that leave each of the three buffers in
// each place; one that computes the second of two arrays in place, and one whose arrays both depend on neighbors.
func.func private @laplacian(%u: tensor<200x220xf32>) -> tensor<200x220xf32> {
  %f0 = stablehlo.constant dense<0.0> : tensor<f32>
  %tenth = stablehlo.constant dense<0.1> : tensor<200x220xf32>
  %padded = stablehlo.pad %u, %f0, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<200x220xf32>, tensor<f32>) -> tensor<202x222xf32>
  %up = stablehlo.slice %padded [0:200, 1:221] : (tensor<202x222xf32>) -> tensor<200x220xf32>
  %down = stablehlo.slice %padded [2:202, 1:221] : (tensor<202x222xf32>) -> tensor<200x220xf32>
  %left = stablehlo.slice %padded [1:201, 0:220] : (tensor<202x222xf32>) -> tensor<200x220xf32>
  %right = stablehlo.slice %padded [1:201, 2:222] : (tensor<202x222xf32>) -> tensor<200x220xf32>
  %s0 = stablehlo.add %up, %down : tensor<200x220xf32>
  %s1 = stablehlo.add %left, %right : tensor<200x220xf32>
  %s2 = stablehlo.add %s0, %s1 : tensor<200x220xf32>
  %two = stablehlo.add %u, %u : tensor<200x220xf32>
  %four = stablehlo.add %two, %two : tensor<200x220xf32>
  %s3 = stablehlo.subtract %s2, %four : tensor<200x220xf32>
  %s4 = stablehlo.multiply %s3, %tenth : tensor<200x220xf32>
  return %s4 : tensor<200x220xf32>
}
func.func @main(%a: tensor<200x220xf32>, %b: tensor<200x220xf32>) -> (tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n0 = stablehlo.constant dense<40> : tensor<i32>
  %r0:3 = stablehlo.while(%i = %zero, %u = %a, %v = %b) : tensor<i32>, tensor<200x220xf32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %l = func.call @laplacian(%u) : (tensor<200x220xf32>) -> tensor<200x220xf32>
      %twice = stablehlo.add %u, %u : tensor<200x220xf32>
      %rest = stablehlo.subtract %twice, %v : tensor<200x220xf32>
      %next = stablehlo.add %rest, %l : tensor<200x220xf32>
      stablehlo.return %i1, %next, %u : tensor<i32>, tensor<200x220xf32>, tensor<200x220xf32>
    }
  %n1 = stablehlo.constant dense<41> : tensor<i32>
  %r1:3 = stablehlo.while(%i = %zero, %u = %a, %v = %b) : tensor<i32>, tensor<200x220xf32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %l = func.call @laplacian(%u) : (tensor<200x220xf32>) -> tensor<200x220xf32>
      %twice = stablehlo.add %u, %u : tensor<200x220xf32>
      %rest = stablehlo.subtract %twice, %v : tensor<200x220xf32>
      %next = stablehlo.add %rest, %l : tensor<200x220xf32>
      stablehlo.return %i1, %next, %u : tensor<i32>, tensor<200x220xf32>, tensor<200x220xf32>
    }
  %n2 = stablehlo.constant dense<42> : tensor<i32>
  %r2:3 = stablehlo.while(%i = %zero, %u = %a, %v = %b) : tensor<i32>, tensor<200x220xf32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %l = func.call @laplacian(%u) : (tensor<200x220xf32>) -> tensor<200x220xf32>
      %twice = stablehlo.add %u, %u : tensor<200x220xf32>
      %rest = stablehlo.subtract %twice, %v : tensor<200x220xf32>
      %next = stablehlo.add %rest, %l : tensor<200x220xf32>
      stablehlo.return %i1, %next, %u : tensor<i32>, tensor<200x220xf32>, tensor<200x220xf32>
    }
  %n3 = stablehlo.constant dense<37> : tensor<i32>
  %r3:3 = stablehlo.while(%i = %zero, %u = %a, %v = %b) : tensor<i32>, tensor<200x220xf32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %l = func.call @laplacian(%u) : (tensor<200x220xf32>) -> tensor<200x220xf32>
      %speed = stablehlo.add %v, %l : tensor<200x220xf32>
      %next = stablehlo.add %u, %speed : tensor<200x220xf32>
      stablehlo.return %i1, %next, %speed : tensor<i32>, tensor<200x220xf32>, tensor<200x220xf32>
    }
  %n4 = stablehlo.constant dense<37> : tensor<i32>
  %r4:3 = stablehlo.while(%i = %zero, %u = %a, %v = %b) : tensor<i32>, tensor<200x220xf32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %l = func.call @laplacian(%u) : (tensor<200x220xf32>) -> tensor<200x220xf32>
      %speed = stablehlo.add %v, %l : tensor<200x220xf32>
      %other = func.call @laplacian(%v) : (tensor<200x220xf32>) -> tensor<200x220xf32>
      %next = stablehlo.add %u, %other : tensor<200x220xf32>
      stablehlo.return %i1, %next, %speed : tensor<i32>, tensor<200x220xf32>, tensor<200x220xf32>
    }
  return %r0#1, %r0#2, %r1#1, %r1#2, %r2#1, %r2#2, %r3#1, %r3#2, %r4#1, %r4#2 : tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>, tensor<200x220xf32>
}
