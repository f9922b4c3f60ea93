module @unknown_dimensions {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%x: tensor<?x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<?xf32>, tensor<2xf32>) {
    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %enough = stablehlo.compare GE, %n, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%enough, %n) {api_version = 2 : i32, error_message = "two rows are needed, but there are {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %r:2 = call @body(%n, %x) : (tensor<i32>, tensor<?x2xf32>) -> (tensor<?xf32>, tensor<2xf32>)
    %more = stablehlo.add %n, %two : tensor<i32>
    %unused = call @numbers(%more) : (tensor<i32>) -> tensor<?xf32>
    return %r#0, %r#1 : tensor<?xf32>, tensor<2xf32>
  }
  func.func private @body(%n: tensor<i32>, %x: tensor<?x2xf32>) -> (tensor<?xf32>, tensor<2xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %numbers = call @numbers(%n) : (tensor<i32>) -> tensor<?xf32>
    %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x2xf32>, tensor<f32>) -> tensor<2xf32>
    return %numbers, %sum : tensor<?xf32>, tensor<2xf32>
  }
  func.func private @numbers(%n: tensor<i32>) -> tensor<?xf32> {
    %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %iota = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    return %iota : tensor<?xf32>
  }
}
