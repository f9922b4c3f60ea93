// Stencil loops on arrays with sharded rows, whose steps exchange halos: periodic borders two rows away, zero borders, repeated
// borders, two arrays with new values by one loop nest, a sum over devices that does not depend on the array. The last loop sums the
// elements of each step.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<200x300xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<80x12x40xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
    %weights: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<200x300xf32>, tensor<200x300xf32>, tensor<80x12x40xf64>, tensor<200x300xf32>, tensor<200x300xf32>, tensor<200x300xf32>, tensor<f32>,
        tensor<200x300xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %f0 = stablehlo.constant dense<0.0> : tensor<f32>
  %forty = stablehlo.constant dense<40> : tensor<i32>
  %quarter = stablehlo.constant dense<0.25> : tensor<200x300xf32>
  %fifth = stablehlo.constant dense<0.2> : tensor<80x12x40xf64>

  // periodic borders, two rows away
  %r0:2 = stablehlo.while(%i = %zero, %u = %a) : tensor<i32>, tensor<200x300xf32>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %last = stablehlo.slice %u [198:200, 0:300] : (tensor<200x300xf32>) -> tensor<2x300xf32>
      %rest = stablehlo.slice %u [0:198, 0:300] : (tensor<200x300xf32>) -> tensor<198x300xf32>
      %up = stablehlo.concatenate %last, %rest, dim = 0 : (tensor<2x300xf32>, tensor<198x300xf32>) -> tensor<200x300xf32>
      %first = stablehlo.slice %u [0:1, 0:300] : (tensor<200x300xf32>) -> tensor<1x300xf32>
      %others = stablehlo.slice %u [1:200, 0:300] : (tensor<200x300xf32>) -> tensor<199x300xf32>
      %down = stablehlo.concatenate %others, %first, dim = 0 : (tensor<199x300xf32>, tensor<1x300xf32>) -> tensor<200x300xf32>
      %s0 = stablehlo.subtract %up, %down : tensor<200x300xf32>
      %s1 = stablehlo.multiply %s0, %quarter : tensor<200x300xf32>
      %next = stablehlo.add %u, %s1 : tensor<200x300xf32>
      stablehlo.return %i1, %next : tensor<i32>, tensor<200x300xf32>
    }

  // zero borders, a coefficient for each element
  %r1:2 = stablehlo.while(%i = %zero, %u = %a) : tensor<i32>, tensor<200x300xf32>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %padded = stablehlo.pad %u, %f0, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<200x300xf32>, tensor<f32>) -> tensor<202x302xf32>
      %up = stablehlo.slice %padded [0:200, 1:301] : (tensor<202x302xf32>) -> tensor<200x300xf32>
      %down = stablehlo.slice %padded [2:202, 1:301] : (tensor<202x302xf32>) -> tensor<200x300xf32>
      %right = stablehlo.slice %padded [1:201, 2:302] : (tensor<202x302xf32>) -> tensor<200x300xf32>
      %s0 = stablehlo.add %up, %down : tensor<200x300xf32>
      %s1 = stablehlo.subtract %s0, %right : tensor<200x300xf32>
      %s2 = stablehlo.multiply %s1, %quarter : tensor<200x300xf32>
      %s3 = stablehlo.multiply %a, %s2 : tensor<200x300xf32>
      %next = stablehlo.add %u, %s3 : tensor<200x300xf32>
      stablehlo.return %i1, %next : tensor<i32>, tensor<200x300xf32>
    }

  // repeated borders, three dimensions
  %r2:2 = stablehlo.while(%i = %zero, %u = %b) : tensor<i32>, tensor<80x12x40xf64>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %first = stablehlo.slice %u [0:1, 0:12, 0:40] : (tensor<80x12x40xf64>) -> tensor<1x12x40xf64>
      %rest = stablehlo.slice %u [0:79, 0:12, 0:40] : (tensor<80x12x40xf64>) -> tensor<79x12x40xf64>
      %up = stablehlo.concatenate %first, %rest, dim = 0 : (tensor<1x12x40xf64>, tensor<79x12x40xf64>) -> tensor<80x12x40xf64>
      %l0 = stablehlo.slice %u [0:80, 0:1, 0:40] : (tensor<80x12x40xf64>) -> tensor<80x1x40xf64>
      %l1 = stablehlo.slice %u [0:80, 0:11, 0:40] : (tensor<80x12x40xf64>) -> tensor<80x11x40xf64>
      %left = stablehlo.concatenate %l0, %l1, dim = 1 : (tensor<80x1x40xf64>, tensor<80x11x40xf64>) -> tensor<80x12x40xf64>
      %s0 = stablehlo.subtract %up, %left : tensor<80x12x40xf64>
      %s1 = stablehlo.multiply %s0, %fifth : tensor<80x12x40xf64>
      %next = stablehlo.add %u, %s1 : tensor<80x12x40xf64>
      stablehlo.return %i1, %next : tensor<i32>, tensor<80x12x40xf64>
    }

  // two arrays
  %r3:3 = stablehlo.while(%i = %zero, %u = %a, %v = %a) : tensor<i32>, tensor<200x300xf32>, tensor<200x300xf32>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %up = stablehlo.pad %u, %f0, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<200x300xf32>, tensor<f32>) -> tensor<200x300xf32>
      %down = stablehlo.pad %v, %f0, low = [-1, 0], high = [1, 0], interior = [0, 0] : (tensor<200x300xf32>, tensor<f32>) -> tensor<200x300xf32>
      %s = stablehlo.multiply %up, %quarter : tensor<200x300xf32>
      %t = stablehlo.multiply %down, %quarter : tensor<200x300xf32>
      %uv = stablehlo.multiply %s, %t : tensor<200x300xf32>
      %u1 = stablehlo.add %u, %s : tensor<200x300xf32>
      %v1 = stablehlo.subtract %v, %t : tensor<200x300xf32>
      %next_u = stablehlo.subtract %u1, %uv : tensor<200x300xf32>
      %next_v = stablehlo.add %v1, %uv : tensor<200x300xf32>
      stablehlo.return %i1, %next_u, %next_v : tensor<i32>, tensor<200x300xf32>, tensor<200x300xf32>
    }

  // a sum over devices that does not depend on the array
  %r5:4 = stablehlo.while(%i = %zero, %u = %a, %w = %weights, %total = %f0) : tensor<i32>, tensor<200x300xf32>, tensor<2xf32>, tensor<f32>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %up = stablehlo.pad %u, %f0, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<200x300xf32>, tensor<f32>) -> tensor<200x300xf32>
      %s = stablehlo.multiply %up, %quarter : tensor<200x300xf32>
      %next = stablehlo.add %s, %u : tensor<200x300xf32>
      %sum = stablehlo.reduce(%w init: %f0) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      %sums = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %next_w = stablehlo.cosine %sums : tensor<2xf32>
      %next_total = stablehlo.add %total, %sum : tensor<f32>
      stablehlo.return %i1, %next, %next_w, %next_total : tensor<i32>, tensor<200x300xf32>, tensor<2xf32>, tensor<f32>
    }

  // the sum of all elements of each step
  %r4:3 = stablehlo.while(%i = %zero, %u = %a, %total = %f0) : tensor<i32>, tensor<200x300xf32>, tensor<f32>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %up = stablehlo.pad %u, %f0, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<200x300xf32>, tensor<f32>) -> tensor<200x300xf32>
      %s = stablehlo.multiply %up, %quarter : tensor<200x300xf32>
      %next = stablehlo.add %s, %u : tensor<200x300xf32>
      %sum = stablehlo.reduce(%u init: %f0) applies stablehlo.add across dimensions = [0, 1] : (tensor<200x300xf32>, tensor<f32>) -> tensor<f32>
      %next_total = stablehlo.add %total, %sum : tensor<f32>
      stablehlo.return %i1, %next, %next_total : tensor<i32>, tensor<200x300xf32>, tensor<f32>
    }
  return %r0#1, %r1#1, %r2#1, %r3#1, %r3#2, %r4#1, %r4#2, %r5#1, %r5#3 : tensor<200x300xf32>, tensor<200x300xf32>, tensor<80x12x40xf64>, tensor<200x300xf32>,
      tensor<200x300xf32>, tensor<200x300xf32>, tensor<f32>, tensor<200x300xf32>, tensor<f32>
}
