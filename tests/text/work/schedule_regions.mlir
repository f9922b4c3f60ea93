// The bodies of loops and branches are scheduled as well
// RUN: shardopt %s -shardrun-schedule
func.func @loop(%arg0: tensor<64xf32>, %arg1: tensor<i32>) -> tensor<64xf32> {
  %0:2 = stablehlo.while(%a = %arg0, %i = %arg1) : tensor<64xf32>, tensor<i32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.negate %a : tensor<64xf32>
    %2 = stablehlo.cosine %a : tensor<64xf32>
    %3 = stablehlo.slice %1 [0:16] : (tensor<64xf32>) -> tensor<16xf32>
    %4 = stablehlo.slice %2 [0:16] : (tensor<64xf32>) -> tensor<16xf32>
    %5 = stablehlo.add %3, %4 : tensor<16xf32>
    %6 = stablehlo.concatenate %5, %5, %5, %5, dim = 0 : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<64xf32>
    %7 = stablehlo.subtract %i, %one : tensor<i32>
    stablehlo.return %6, %7 : tensor<64xf32>, tensor<i32>
  }
  return %0#0 : tensor<64xf32>
}

func.func @branch(%arg0: tensor<64xf32>, %arg1: tensor<i1>) -> tensor<16xf32> {
  %0 = "stablehlo.if"(%arg1) ({
    %1 = stablehlo.negate %arg0 : tensor<64xf32>
    %2 = stablehlo.cosine %arg0 : tensor<64xf32>
    %3 = stablehlo.slice %1 [0:16] : (tensor<64xf32>) -> tensor<16xf32>
    %4 = stablehlo.slice %2 [0:16] : (tensor<64xf32>) -> tensor<16xf32>
    %5 = stablehlo.add %3, %4 : tensor<16xf32>
    stablehlo.return %5 : tensor<16xf32>
  }, {
    %1 = stablehlo.slice %arg0 [0:16] : (tensor<64xf32>) -> tensor<16xf32>
    stablehlo.return %1 : tensor<16xf32>
  }) : (tensor<i1>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
