func.func @digits(%x: tensor<2xi32>, %y: tensor<2x3xi32>) -> (tensor<2xi32>, tensor<2x1xi32>) {
  %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %c = stablehlo.multiply %a, %ten : tensor<i32>
    %d = stablehlo.add %c, %b : tensor<i32>
    stablehlo.return %d : tensor<i32>
  }) : (tensor<2xi32>) -> tensor<2xi32>
  %s = "stablehlo.reduce_scatter"(%y) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %c = stablehlo.multiply %a, %ten : tensor<i32>
    %d = stablehlo.add %c, %b : tensor<i32>
    stablehlo.return %d : tensor<i32>
  }) : (tensor<2x3xi32>) -> tensor<2x1xi32>
  return %r, %s : tensor<2xi32>, tensor<2x1xi32>
}
func.func @main() {
  %x0 = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[2, 5]> : tensor<2xi32>
  %x2 = stablehlo.constant dense<[3, 6]> : tensor<2xi32>
  %y0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %y1 = stablehlo.constant dense<[[7, 8, 9], [1, 2, 3]]> : tensor<2x3xi32>
  %y2 = stablehlo.constant dense<[[4, 5, 6], [7, 8, 9]]> : tensor<2x3xi32>
  %r:6 = "interpreter.run_parallel"(%x0, %y0, %x1, %y1, %x2, %y2) {programs = [[@digits], [@digits], [@digits]]} : (tensor<2xi32>, tensor<2x3xi32>, tensor<2xi32>, tensor<2x3xi32>, tensor<2xi32>, tensor<2x3xi32>) -> (tensor<2xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2x1xi32>)
  check.expect_eq_const %r#0, dense<[123, 456]> : tensor<2xi32>
  check.expect_eq_const %r#4, dense<[123, 456]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[[174], [417]]> : tensor<2x1xi32>
  check.expect_eq_const %r#3, dense<[[285], [528]]> : tensor<2x1xi32>
  check.expect_eq_const %r#5, dense<[[396], [639]]> : tensor<2x1xi32>
  return
}
