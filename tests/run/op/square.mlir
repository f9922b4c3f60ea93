// chlo.square gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=-0.41 -1.52 1.46 -1.15 0.62 1.37 1.1 -0.55 -0.79 1.08 0.78 0.28 0.02 -0.89 -0.03 0.84 1.07 -0.6 0.59 -1.04 -0.84 -1.08 1.78 1.25 1.82 -1.31 1.12 0.62 0.62 -0.9" --expected-output="6x5xf32=0.1681 2.3104 2.1316 1.3225 0.3844 1.8769 1.21 0.3025 0.6241 1.1664 0.6083999 0.0784 0.0004 0.7921 0.0009 0.7056 1.1449 0.36 0.3481 1.0816 0.7056 1.1664 3.1684 1.5625 3.3124 1.7161 1.2544 0.3844 0.3844 0.8099999" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>) {
  %r0 = chlo.square %a : tensor<6x5xf32> -> tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
