// Loops compute their next state in another buffer: two states, a nested loop, a donated argument, and a state
// that is swapped in every third iteration.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<128x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32}, %b: tensor<128x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
      -> (tensor<128x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<128x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<128x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %times = stablehlo.constant dense<7> : tensor<i32>
    %few = stablehlo.constant dense<3> : tensor<i32>
    %half = stablehlo.constant dense<0.5> : tensor<128x96xf32>
    %0:3 = stablehlo.while(%i = %zero, %s = %a, %t = %b) : tensor<i32>, tensor<128x96xf32>, tensor<128x96xf32>
    cond {
      %p = stablehlo.compare LT, %i, %times, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %up = stablehlo.slice %s [127:128, 0:96] : (tensor<128x96xf32>) -> tensor<1x96xf32>
      %rest = stablehlo.slice %s [0:127, 0:96] : (tensor<128x96xf32>) -> tensor<127x96xf32>
      %down = stablehlo.concatenate %up, %rest, dim = 0 : (tensor<1x96xf32>, tensor<127x96xf32>) -> tensor<128x96xf32>
      %u = stablehlo.reverse %t, dims = [0] : tensor<128x96xf32>
      %v = stablehlo.multiply %u, %half : tensor<128x96xf32>
      %new = stablehlo.add %down, %v : tensor<128x96xf32>
      %1:2 = stablehlo.while(%k = %zero, %w = %t) : tensor<i32>, tensor<128x96xf32>
      cond {
        %p = stablehlo.compare LT, %k, %few, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %turned = stablehlo.reverse %w, dims = [1] : tensor<128x96xf32>
        %sum = stablehlo.add %turned, %s : tensor<128x96xf32>
        %next = stablehlo.add %k, %one : tensor<i32>
        stablehlo.return %next, %sum : tensor<i32>, tensor<128x96xf32>
      }
      %n = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %n, %new, %1#1 : tensor<i32>, tensor<128x96xf32>, tensor<128x96xf32>
    }
    %2:4 = stablehlo.while(%i = %zero, %s = %a, %t = %b, %u = %half) : tensor<i32>, tensor<128x96xf32>, tensor<128x96xf32>, tensor<128x96xf32>
    cond {
      %p = stablehlo.compare LT, %i, %times, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %turned = stablehlo.reverse %s, dims = [1] : tensor<128x96xf32>
      %new = stablehlo.add %turned, %u : tensor<128x96xf32>
      %n = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %n, %t, %u, %new : tensor<i32>, tensor<128x96xf32>, tensor<128x96xf32>, tensor<128x96xf32>
    }
    return %0#1, %0#2, %2#3 : tensor<128x96xf32>, tensor<128x96xf32>, tensor<128x96xf32>
  }
}
