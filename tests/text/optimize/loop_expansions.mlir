// Sums and products of broadcast vectors stay in the loop if elementwise ops read them: compiled loop nests compute them in less
// time than they read the large results. A quotient, with copies of the broadcasts that it reads, an op that a product of matrices
// reads, and a sum of many vectors are hoisted.
// RUN: shardopt %s -loop-invariant-motion
func.func @main(%x0: tensor<512x256xf32>, %a: tensor<512xf32>, %b: tensor<256xf32>,
                %m: tensor<256x256xf32>) -> tensor<512x256xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %x0) : tensor<i32>, tensor<512x256xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %half = stablehlo.constant dense<5.0e-01> : tensor<512x256xf32>
    %rows = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<512xf32>) -> tensor<512x256xf32>
    %columns = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<256xf32>) -> tensor<512x256xf32>
    %sum = stablehlo.add %rows, %columns : tensor<512x256xf32>
    %damping = stablehlo.multiply %half, %sum : tensor<512x256xf32>
    %quotient = stablehlo.divide %rows, %columns : tensor<512x256xf32>
    %difference = stablehlo.subtract %rows, %columns : tensor<512x256xf32>
    %s2 = stablehlo.multiply %rows, %columns : tensor<512x256xf32>
    %s3 = stablehlo.multiply %s2, %rows : tensor<512x256xf32>
    %s4 = stablehlo.multiply %s3, %rows : tensor<512x256xf32>
    %s5 = stablehlo.multiply %s4, %rows : tensor<512x256xf32>
    %s6 = stablehlo.multiply %s5, %rows : tensor<512x256xf32>
    %p = stablehlo.dot_general %difference, %m, contracting_dims = [1] x [0]
      : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %2 = stablehlo.multiply %x, %damping : tensor<512x256xf32>
    %3 = stablehlo.multiply %2, %quotient : tensor<512x256xf32>
    %4 = stablehlo.add %3, %p : tensor<512x256xf32>
    %5 = stablehlo.add %4, %s6 : tensor<512x256xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %5 : tensor<i32>, tensor<512x256xf32>
  }
  return %0#1 : tensor<512x256xf32>
}
