// Two stacked fluxes are multiplied by one speed for both, rolled, and divided: each is computed on its own, in one nest with the
// speed. The next value of loop state is computed by one nest in the state's memory. A stack that is reduced stays.
// RUN: shardopt %s -shardrun-work-pipeline | grep -E "nest|concatenate|yield|stablehlo.reduce"
func.func @main(%u0: tensor<2x128x128xf32>) -> (tensor<2x128x128xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %u = %u0, %e = %none) : tensor<i32>, tensor<2x128x128xf32>, tensor<f32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %a0 = stablehlo.slice %u [0:1, 0:128, 0:128] : (tensor<2x128x128xf32>) -> tensor<1x128x128xf32>
    %b0 = stablehlo.slice %u [1:2, 0:128, 0:128] : (tensor<2x128x128xf32>) -> tensor<1x128x128xf32>
    %a = stablehlo.reshape %a0 : (tensor<1x128x128xf32>) -> tensor<128x128xf32>
    %b = stablehlo.reshape %b0 : (tensor<1x128x128xf32>) -> tensor<128x128xf32>
    %speed = stablehlo.divide %a, %b : tensor<128x128xf32>
    %fa = stablehlo.multiply %a, %b : tensor<128x128xf32>
    %fb = stablehlo.add %a, %b : tensor<128x128xf32>
    %fa1 = stablehlo.broadcast_in_dim %fa, dims = [1, 2] : (tensor<128x128xf32>) -> tensor<1x128x128xf32>
    %fb1 = stablehlo.broadcast_in_dim %fb, dims = [1, 2] : (tensor<128x128xf32>) -> tensor<1x128x128xf32>
    %f = stablehlo.concatenate %fa1, %fb1, dim = 0 : (tensor<1x128x128xf32>, tensor<1x128x128xf32>) -> tensor<2x128x128xf32>
    %f0 = stablehlo.slice %f [0:2, 0:128, 1:128] : (tensor<2x128x128xf32>) -> tensor<2x128x127xf32>
    %f1 = stablehlo.slice %f [0:2, 0:128, 0:1] : (tensor<2x128x128xf32>) -> tensor<2x128x1xf32>
    %fr = stablehlo.concatenate %f0, %f1, dim = 2 : (tensor<2x128x127xf32>, tensor<2x128x1xf32>) -> tensor<2x128x128xf32>
    %s = stablehlo.broadcast_in_dim %speed, dims = [1, 2] : (tensor<128x128xf32>) -> tensor<2x128x128xf32>
    %g = stablehlo.multiply %s, %f : tensor<2x128x128xf32>
    %h = stablehlo.subtract %g, %fr : tensor<2x128x128xf32>
    %q = stablehlo.divide %h, %s : tensor<2x128x128xf32>
    %q0 = stablehlo.slice %q [0:2, 0:128, 1:128] : (tensor<2x128x128xf32>) -> tensor<2x128x127xf32>
    %q1 = stablehlo.slice %q [0:2, 0:128, 0:1] : (tensor<2x128x128xf32>) -> tensor<2x128x1xf32>
    %qr = stablehlo.concatenate %q0, %q1, dim = 2 : (tensor<2x128x127xf32>, tensor<2x128x1xf32>) -> tensor<2x128x128xf32>
    %d = stablehlo.subtract %q, %qr : tensor<2x128x128xf32>
    %new = stablehlo.subtract %u, %d : tensor<2x128x128xf32>
    %c = stablehlo.concatenate %fb1, %fa1, dim = 0 : (tensor<1x128x128xf32>, tensor<1x128x128xf32>) -> tensor<2x128x128xf32>
    %r = stablehlo.reduce(%c init: %none) applies stablehlo.maximum across dimensions = [0, 1, 2]
      : (tensor<2x128x128xf32>, tensor<f32>) -> tensor<f32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %new, %r : tensor<i32>, tensor<2x128x128xf32>, tensor<f32>
  }
  return %0#1, %0#2 : tensor<2x128x128xf32>, tensor<f32>
}
