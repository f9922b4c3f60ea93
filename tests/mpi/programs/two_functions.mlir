module {
  func.func @double(%a: tensor<2xi32>) -> tensor<2xi32> {
    %0 = stablehlo.add %a, %a : tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
    %0 = func.call @double(%a) : (tensor<2xi32>) -> tensor<2xi32>
    %1 = func.call @double(%0) : (tensor<2xi32>) -> tensor<2xi32>
    return %1 : tensor<2xi32>
  }
}
