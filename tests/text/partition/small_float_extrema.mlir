// Maxima and minima of small floats over a dimension that the devices do not divide: some formats have no infinity
// RUN: shardrun --devices-per-rank=all %s --input="2x8xf32=1 2 4 8 2 1 4 2 4 4 4 2 4 4 4 8" --output=- --output=- --output=- --output=- --output=- --output=- -q
sdy.mesh @mesh = <["x"=6]>
func.func @main(%a: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %c0 = stablehlo.convert %a : (tensor<2x8xf32>) -> tensor<2x8xf8E4M3FN>
  %s0 = sdy.sharding_constraint %c0 <@mesh, [{}, {"x"}]> : tensor<2x8xf8E4M3FN>
  %z0 = stablehlo.constant dense<448.0> : tensor<f8E4M3FN>
  %r0 = stablehlo.reduce(%s0 init: %z0) applies stablehlo.minimum across dimensions = [1] : (tensor<2x8xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<2xf8E4M3FN>
  %f0 = stablehlo.convert %r0 : (tensor<2xf8E4M3FN>) -> tensor<2xf32>
  %n1 = stablehlo.negate %a : tensor<2x8xf32>
  %c1 = stablehlo.convert %n1 : (tensor<2x8xf32>) -> tensor<2x8xf8E4M3FN>
  %s1 = sdy.sharding_constraint %c1 <@mesh, [{}, {"x"}]> : tensor<2x8xf8E4M3FN>
  %z1 = stablehlo.constant dense<-448.0> : tensor<f8E4M3FN>
  %r1 = stablehlo.reduce(%s1 init: %z1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x8xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<2xf8E4M3FN>
  %f1 = stablehlo.convert %r1 : (tensor<2xf8E4M3FN>) -> tensor<2xf32>
  %n2 = stablehlo.negate %a : tensor<2x8xf32>
  %c2 = stablehlo.convert %n2 : (tensor<2x8xf32>) -> tensor<2x8xf8E4M3B11FNUZ>
  %s2 = sdy.sharding_constraint %c2 <@mesh, [{}, {"x"}]> : tensor<2x8xf8E4M3B11FNUZ>
  %z2 = stablehlo.constant dense<-30.0> : tensor<f8E4M3B11FNUZ>
  %r2 = stablehlo.reduce(%s2 init: %z2) applies stablehlo.maximum across dimensions = [1] : (tensor<2x8xf8E4M3B11FNUZ>, tensor<f8E4M3B11FNUZ>) -> tensor<2xf8E4M3B11FNUZ>
  %f2 = stablehlo.convert %r2 : (tensor<2xf8E4M3B11FNUZ>) -> tensor<2xf32>
  %c3 = stablehlo.convert %a : (tensor<2x8xf32>) -> tensor<2x8xf8E5M2>
  %s3 = sdy.sharding_constraint %c3 <@mesh, [{}, {"x"}]> : tensor<2x8xf8E5M2>
  %z3 = stablehlo.constant dense<0x7C> : tensor<f8E5M2>
  %r3 = stablehlo.reduce(%s3 init: %z3) applies stablehlo.minimum across dimensions = [1] : (tensor<2x8xf8E5M2>, tensor<f8E5M2>) -> tensor<2xf8E5M2>
  %f3 = stablehlo.convert %r3 : (tensor<2xf8E5M2>) -> tensor<2xf32>
  %c4 = stablehlo.convert %a : (tensor<2x8xf32>) -> tensor<2x8xf8E8M0FNU>
  %s4 = sdy.sharding_constraint %c4 <@mesh, [{}, {"x"}]> : tensor<2x8xf8E8M0FNU>
  %z4 = stablehlo.constant dense<1.0> : tensor<f8E8M0FNU>
  %r4 = stablehlo.reduce(%s4 init: %z4) applies stablehlo.maximum across dimensions = [1] : (tensor<2x8xf8E8M0FNU>, tensor<f8E8M0FNU>) -> tensor<2xf8E8M0FNU>
  %f4 = stablehlo.convert %r4 : (tensor<2xf8E8M0FNU>) -> tensor<2xf32>
  %c6 = stablehlo.convert %a : (tensor<2x8xf32>) -> tensor<2x8xf4E2M1FN>
  %s6 = sdy.sharding_constraint %c6 <@mesh, [{}, {"x"}]> : tensor<2x8xf4E2M1FN>
  %z6 = stablehlo.constant dense<6.0> : tensor<f4E2M1FN>
  %r6 = stablehlo.reduce(%s6 init: %z6) applies stablehlo.minimum across dimensions = [1] : (tensor<2x8xf4E2M1FN>, tensor<f4E2M1FN>) -> tensor<2xf4E2M1FN>
  %f6 = stablehlo.convert %r6 : (tensor<2xf4E2M1FN>) -> tensor<2xf32>
  return %f0, %f1, %f2, %f3, %f4, %f6 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
