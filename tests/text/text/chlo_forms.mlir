// The custom forms of the ops of CHLO are parsed and printed
// RUN: shardopt %s
func.func @f(%x: tensor<4x8xf32>, %y: tensor<8xf32>) {
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = chlo.erf %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %2:2 = chlo.top_k(%x, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  %3 = chlo.constant dense<1.0> : tensor<f32>
  %4 = chlo.broadcast_compare %x, %y {broadcast_dimensions = array<i64: 1>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  %5 = chlo.next_after %x, %x : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return
}
