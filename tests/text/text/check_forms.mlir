// The custom forms of the ops of the check and interpreter dialects are parsed and printed
// RUN: shardopt %s
func.func @checks(%x: tensor<2xf32>, %i: tensor<2xi32>) {
  check.expect_eq %i, %i : tensor<2xi32>
  check.expect_eq_const %i, dense<[1, 2]> : tensor<2xi32>
  check.expect_almost_eq %x, %x : tensor<2xf32>
  check.expect_almost_eq %x, %x, tolerance = 1.000000e-03 : tensor<2xf32>
  check.expect_almost_eq_const %x, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_close %x, %x, max_ulp_difference = 8 : tensor<2xf32>, tensor<2xf32>
  %p = interpreter.probe %x, probe_id = "x" : tensor<2xf32>
  check.expect_serialized_eq %p, probe_id = "x" : tensor<2xf32>
  interpreter.print %x : tensor<2xf32>
  %r = "interpreter.run_parallel"(%i) {programs = [[@twice]]} : (tensor<2xi32>) -> tensor<2xi32>
  return
}
func.func @twice(%i: tensor<2xi32>) -> tensor<2xi32> {
  %r = stablehlo.add %i, %i : tensor<2xi32>
  return %r : tensor<2xi32>
}
