// A recurrent cell whose rows are independent: a product, and elementwise ops of its rows.
module {
  func.func @main(%w: tensor<64x64xf32>, %x: tensor<32x64xf32>) -> tensor<32x64xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %times = stablehlo.constant dense<200> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<32x64xf32>
    cond {
      %p = stablehlo.compare LT, %i, %times, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %y = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
      %s = stablehlo.add %y, %x : tensor<32x64xf32>
      %t = stablehlo.tanh %s : tensor<32x64xf32>
      %i1 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %i1, %t : tensor<i32>, tensor<32x64xf32>
    }
    return %0#1 : tensor<32x64xf32>
  }
}
