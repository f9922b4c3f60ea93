// A value probe without a reader returns its operand
// RUN: shardrun --interpret %s --input="6x2xf32=1 2 3 4 5 6 7 8 9 10 11 12" --expected-output="6x2xf32=2 4 6 8 10 12 14 16 18 20 22 24" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x2xf32>) {
  %0 = stablehlo.add %a, %a : tensor<6x2xf32>
  "check.probe"(%a) <{global = tensor<6x2xf32>, id = 0 : i64, info = {}}> : (tensor<6x2xf32>) -> ()
  %1 = "check.probe"(%0) <{global = tensor<6x2xf32>, id = 1 : i64, info = {}}> : (tensor<6x2xf32>) -> tensor<6x2xf32>
  return %1 : tensor<6x2xf32>
}
