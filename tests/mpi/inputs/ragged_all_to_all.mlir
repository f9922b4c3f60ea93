func.func @exchange(%x: tensor<3xi32>, %begin: tensor<2xi32>, %size: tensor<2xi32>, %place: tensor<2xi32>) -> tensor<4xi32> {
  %out = stablehlo.constant dense<0> : tensor<4xi32>
  %y = stablehlo.custom_call @ragged_all_to_all(%x, %out, %begin, %size, %place, %size) {api_version = 4 : i32, backend_config = {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_id = 1 : i64}} : (tensor<3xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
func.func @main() -> (tensor<4xi32>, tensor<4xi32>) {
  %x0 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi32>
  %x1 = stablehlo.constant dense<[3, 4, 0]> : tensor<3xi32>
  %begin = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %size0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %size1 = stablehlo.constant dense<1> : tensor<2xi32>
  %place0 = stablehlo.constant dense<0> : tensor<2xi32>
  %place1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y:2 = "interpreter.run_parallel"(%x0, %begin, %size0, %place0, %x1, %begin, %size1, %place1) {programs = [[@exchange, @exchange]]} : (tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  return %y#0, %y#1 : tensor<4xi32>, tensor<4xi32>
}
