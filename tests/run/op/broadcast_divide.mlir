// chlo.broadcast_divide gives the expected values for operands of different rank
// RUN: shardrun --interpret %s --input="6x5xf32=-1.27 1.4 -1.22 1.58 1.13 -0.52 1.06 -1.93 -1.54 -1.93 1.61 1.76 -1.5 -1.03 1.96 0.87 0.27 1.6 1.72 0.47 1.94 -0.32 -1.56 -0.77 1.7 0.24 0.09 0.12 -1.33 1.93" --input="5xf32=1.87 0.64 2.9 0.31 0.58" --expected-output="6x5xf32=-0.6791444 2.1875 -0.4206896 5.096775 1.948276 -0.2780749 1.65625 -0.6655172 -4.967742 -3.327586 0.8609626 2.75 -0.5172414 -3.322581 3.379311 0.4652406 0.421875 0.5517241 5.548387 0.8103449 1.037433 -0.5 -0.537931 -2.483871 2.931035 0.1283422 0.140625 0.04137931 -4.290323 3.327586" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5xf32>) -> (tensor<6x5xf32>) {
  %r0 = chlo.broadcast_divide %a, %b : (tensor<6x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
