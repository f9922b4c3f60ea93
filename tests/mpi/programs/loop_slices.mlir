// A small loop whose loop nests write their results into slices of states at run-time indices, which are clamped: rows of two
// states at once, with indices of several types, and a row of a state of which the nest reads another row.
module {
  func.func @main(%x: tensor<9x16xf32>, %s0: tensor<16xf64>, %first: tensor<i32>)
      -> (tensor<8x16xf64>, tensor<6x2x8xf32>, tensor<5x16xf32>, tensor<16xf64>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %times = stablehlo.constant dense<11> : tensor<i32>
    %byte0 = stablehlo.constant dense<0> : tensor<ui8>
    %byte1 = stablehlo.constant dense<1> : tensor<ui8>
    %long0 = stablehlo.constant dense<0> : tensor<i64>
    %half = stablehlo.constant dense<0.5> : tensor<16xf64>
    %zd = stablehlo.constant dense<0.0> : tensor<8x16xf64>
    %zf = stablehlo.constant dense<1.0> : tensor<6x2x8xf32>
    %rows0 = stablehlo.constant dense<2.0> : tensor<5x16xf32>
    %0:6 = stablehlo.while(%i = %zero, %j = %byte0, %a = %zd, %b = %zf, %c = %rows0, %s = %s0)
        : tensor<i32>, tensor<ui8>, tensor<8x16xf64>, tensor<6x2x8xf32>, tensor<5x16xf32>, tensor<16xf64>
    cond {
      %p = stablehlo.compare LT, %i, %times, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %row2 = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 16] : (tensor<9x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
      %row = stablehlo.reshape %row2 : (tensor<1x16xf32>) -> tensor<16xf32>
      %wide = stablehlo.convert %row : (tensor<16xf32>) -> tensor<16xf64>
      %scaled = stablehlo.multiply %s, %half : tensor<16xf64>
      %new_s = stablehlo.add %wide, %scaled : tensor<16xf64>
      %minus = stablehlo.negate %new_s : tensor<16xf64>
      %up_a = stablehlo.reshape %minus : (tensor<16xf64>) -> tensor<1x16xf64>
      %twice = stablehlo.multiply %i, %two : tensor<i32>
      %at = stablehlo.add %twice, %first : tensor<i32>
      %new_a = stablehlo.dynamic_update_slice %a, %up_a, %at, %zero : (tensor<8x16xf64>, tensor<1x16xf64>, tensor<i32>, tensor<i32>) -> tensor<8x16xf64>
      %root = stablehlo.abs %row : tensor<16xf32>
      %up_b = stablehlo.reshape %root : (tensor<16xf32>) -> tensor<1x2x8xf32>
      %new_b = stablehlo.dynamic_update_slice %b, %up_b, %j, %byte0, %byte0 : (tensor<6x2x8xf32>, tensor<1x2x8xf32>, tensor<ui8>, tensor<ui8>, tensor<ui8>) -> tensor<6x2x8xf32>
      %old2 = stablehlo.dynamic_slice %c, %j, %byte0, sizes = [1, 16] : (tensor<5x16xf32>, tensor<ui8>, tensor<ui8>) -> tensor<1x16xf32>
      %new2 = stablehlo.subtract %old2, %row2 : tensor<1x16xf32>
      %wide_at = stablehlo.convert %at : (tensor<i32>) -> tensor<i64>
      %new_c = stablehlo.dynamic_update_slice %c, %new2, %wide_at, %long0 : (tensor<5x16xf32>, tensor<1x16xf32>, tensor<i64>, tensor<i64>) -> tensor<5x16xf32>
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %j1 = stablehlo.add %j, %byte1 : tensor<ui8>
      stablehlo.return %i1, %j1, %new_a, %new_b, %new_c, %new_s
          : tensor<i32>, tensor<ui8>, tensor<8x16xf64>, tensor<6x2x8xf32>, tensor<5x16xf32>, tensor<16xf64>
    }
    return %0#2, %0#3, %0#4, %0#5 : tensor<8x16xf64>, tensor<6x2x8xf32>, tensor<5x16xf32>, tensor<16xf64>
  }
}
