// stablehlo.log_plus_one gives the expected value for each element
// RUN: shardrun --interpret %s --input="6x5xf32=2.88 0.3 2.84 2.43 -0.26 1 0.43 0.6 0.71 -0.42 1.45 2.25 2.18 2.9 0.34 2.15 1.58 1.98 1.76 1.99 0.52 1.06 -0.22 0.99 1.23 2.92 1.04 -0.11 1.18 0.56" --expected-output="6x5xf32=1.355835 0.2623643 1.345472 1.23256 -0.3011051 0.6931472 0.3576745 0.4700037 0.5364934 -0.5447271 0.896088 1.178655 1.156881 1.360977 0.2926696 1.147403 0.9477894 1.091923 1.015231 1.095273 0.4187103 0.722706 -0.2484614 0.6881347 0.8020016 1.366092 0.7129498 -0.1165338 0.7793248 0.4446858" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xf32>) {
  %r0 = stablehlo.log_plus_one %a : tensor<6x5xf32>
  return %r0 : tensor<6x5xf32>
}
