// chlo.broadcast_atan2 gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=-1.9 -0.72 1.56 0.3 -0.61 -0.68 0.47 -0.6 0.72 1 -0.01 0.7 1.47 0.27 1.38 1.6 -0.37 1.85 1.01 0.85 -1.37 1.35 -0.26 -1.49 -1.36 1.24 1.14 1.36 -0.07 1.09" --input="5xf32=0.77 1.88 0.01 -1.4 1.48" --expected-output="6x5xf32=-1.185761 -0.3657473 1.564386 2.930499 -0.3909468 -0.7234088 0.2449787 -1.554131 2.666582 0.5942137 -0.01298628 0.3564369 1.563994 2.951075 0.7504473 1.122261 -0.194325 1.565391 2.516629 0.5213263 -1.058753 0.6227608 -1.532354 -2.325063 -0.7431698 1.015102 0.5450996 1.563444 -3.091634 0.6347962" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_atan2 %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
