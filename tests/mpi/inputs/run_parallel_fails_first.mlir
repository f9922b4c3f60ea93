func.func @sum(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
func.func @gives(%x: tensor<2xi32>, %t: !stablehlo.token) -> !stablehlo.token {
  %u = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return %u : !stablehlo.token
}
func.func @takes(%t: !stablehlo.token) -> (tensor<2xi32>, tensor<ui32>) {
  %r:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %i = stablehlo.replica_id : tensor<ui32>
  return %r#0, %i : tensor<2xi32>, tensor<ui32>
}
func.func @other() -> tensor<2xi32> {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  %s:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@sum, @sum]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %s#1, dense<[31, 42]> : tensor<2xi32>
  %t = stablehlo.create_token : !stablehlo.token
  %r:3 = "interpreter.run_parallel"(%s#0, %t, %t) {programs = [[@gives], [@takes]]} : (tensor<2xi32>, !stablehlo.token, !stablehlo.token) -> (!stablehlo.token, tensor<2xi32>, tensor<ui32>)
  check.expect_eq_const %r#1, dense<[31, 42]> : tensor<2xi32>
  check.expect_eq_const %r#2, dense<1> : tensor<ui32>
  return %r#1 : tensor<2xi32>
}
func.func @wrong(%x: tensor<2xi32>) -> tensor<2xi32> {
  check.expect_eq_const %x, dense<[1, 2]> : tensor<2xi32>
  return %x : tensor<2xi32>
}
func.func @main() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  %s:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@wrong, @wrong]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return
}

// -----
func.func @sum(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
func.func @gives(%x: tensor<2xi32>, %t: !stablehlo.token) -> !stablehlo.token {
  %u = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return %u : !stablehlo.token
}
func.func @takes(%t: !stablehlo.token) -> (tensor<2xi32>, tensor<ui32>) {
  %r:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %i = stablehlo.replica_id : tensor<ui32>
  return %r#0, %i : tensor<2xi32>, tensor<ui32>
}
func.func @main() -> tensor<2xi32> {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  %s:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@sum, @sum]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %s#1, dense<[31, 42]> : tensor<2xi32>
  %t = stablehlo.create_token : !stablehlo.token
  %r:3 = "interpreter.run_parallel"(%s#0, %t, %t) {programs = [[@gives], [@takes]]} : (tensor<2xi32>, !stablehlo.token, !stablehlo.token) -> (!stablehlo.token, tensor<2xi32>, tensor<ui32>)
  check.expect_eq_const %r#1, dense<[31, 42]> : tensor<2xi32>
  check.expect_eq_const %r#2, dense<1> : tensor<ui32>
  return %r#1 : tensor<2xi32>
}
func.func @wrong(%x: tensor<2xi32>) -> tensor<2xi32> {
  check.expect_eq_const %x, dense<[1, 2]> : tensor<2xi32>
  return %x : tensor<2xi32>
}
func.func @fails() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  %s:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@wrong, @wrong]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return
}
