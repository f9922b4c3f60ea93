// Reductions and windows whose body has five results, the greatest element and four values with it: more than a loop nest supports
// RUN: shardrun %s -q --input="6xf32=3 1 4 9 5 2" --expected_output="f32=9" --expected_output="f32=81" --expected_output="3xf32=3 9 5" --expected_output="3xf32=-3 -9 -5" --expected_output="3xf32=9 81 25"
func.func @main(%x: tensor<6xf32>) -> (tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %l = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %p1 = stablehlo.add %x, %x : tensor<6xf32>
  %p2 = stablehlo.add %p1, %x : tensor<6xf32>
  %p3 = stablehlo.negate %x : tensor<6xf32>
  %p4 = stablehlo.multiply %x, %x : tensor<6xf32>
  %0:5 = "stablehlo.reduce"(%x, %p1, %p2, %p3, %p4, %l, %l, %l, %l, %l) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<f32>, %a3: tensor<f32>, %a4: tensor<f32>, %b0: tensor<f32>, %b1: tensor<f32>, %b2: tensor<f32>, %b3: tensor<f32>, %b4: tensor<f32>):
    %c = stablehlo.compare GT, %a0, %b0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s0 = stablehlo.select %c, %a0, %b0 : tensor<i1>, tensor<f32>
    %s1 = stablehlo.select %c, %a1, %b1 : tensor<i1>, tensor<f32>
    %s2 = stablehlo.select %c, %a2, %b2 : tensor<i1>, tensor<f32>
    %s3 = stablehlo.select %c, %a3, %b3 : tensor<i1>, tensor<f32>
    %s4 = stablehlo.select %c, %a4, %b4 : tensor<i1>, tensor<f32>
    stablehlo.return %s0, %s1, %s2, %s3, %s4 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }) : (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
  %1:5 = "stablehlo.reduce_window"(%x, %p1, %p2, %p3, %p4, %l, %l, %l, %l, %l) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<f32>, %a3: tensor<f32>, %a4: tensor<f32>, %b0: tensor<f32>, %b1: tensor<f32>, %b2: tensor<f32>, %b3: tensor<f32>, %b4: tensor<f32>):
    %c = stablehlo.compare GT, %a0, %b0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s0 = stablehlo.select %c, %a0, %b0 : tensor<i1>, tensor<f32>
    %s1 = stablehlo.select %c, %a1, %b1 : tensor<i1>, tensor<f32>
    %s2 = stablehlo.select %c, %a2, %b2 : tensor<i1>, tensor<f32>
    %s3 = stablehlo.select %c, %a3, %b3 : tensor<i1>, tensor<f32>
    %s4 = stablehlo.select %c, %a4, %b4 : tensor<i1>, tensor<f32>
    stablehlo.return %s0, %s1, %s2, %s3, %s4 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }) : (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#4, %1#0, %1#3, %1#4 : tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
