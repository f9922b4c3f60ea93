// convert gives the expected values in other element types
// RUN: shardrun --interpret %s --input="6x5xf32=-1.24 -1.83 -0.16 -1.79 -1.57 -1.41 -1.59 -1.48 0.97 -1.11 -0.8 -0.6 1.22 0.1 -0.73 -0.31 -0.86 1.45 1.95 1.92 1.12 1.87 1.03 -1.15 -1.31 1.5 0.59 -1.12 0.62 -0.62" --input="9xi32=259 41 48 29 117 108 208 274 120" --input="6x3xi1=1 1 0 1 0 0 1 1 0 1 1 0 1 0 1 1 1 0" --expected-output="6x5xi32=-1 -1 0 -1 -1 -1 -1 -1 0 -1 0 0 1 0 0 0 0 1 1 1 1 1 1 -1 -1 1 0 -1 0 0" --expected-output="6x5xbf16=-1.242188 -1.828125 -0.1601562 -1.789062 -1.570312 -1.40625 -1.59375 -1.476562 0.96875 -1.109375 -0.8007812 -0.6015625 1.21875 0.1000977 -0.7304688 -0.3105469 -0.859375 1.453125 1.953125 1.921875 1.117188 1.867188 1.03125 -1.148438 -1.3125 1.5 0.5898438 -1.117188 0.6210938 -0.6210938" --expected-output="9xf32=259 41 48 29 117 108 208 274 120" --expected-output="9xui8=3 41 48 29 117 108 208 18 120" --expected-output="6x3xf32=1 1 0 1 0 0 1 1 0 1 1 0 1 0 1 1 1 0" >/dev/null
sdy.mesh @mesh = <["x"=2, "y"=1]>
func.func @main(%a: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %c: tensor<6x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x5xi32>, tensor<6x5xbf16>, tensor<9xf32>, tensor<9xui8>, tensor<6x3xf32>) {
  %r0 = stablehlo.convert %a : (tensor<6x5xf32>) -> tensor<6x5xi32>
  %r1 = stablehlo.convert %a : (tensor<6x5xf32>) -> tensor<6x5xbf16>
  %r2 = stablehlo.convert %b : (tensor<9xi32>) -> tensor<9xf32>
  %r3 = stablehlo.convert %b : (tensor<9xi32>) -> tensor<9xui8>
  %r4 = stablehlo.convert %c : (tensor<6x3xi1>) -> tensor<6x3xf32>
  return %r0, %r1, %r2, %r3, %r4 : tensor<6x5xi32>, tensor<6x5xbf16>, tensor<9xf32>, tensor<9xui8>, tensor<6x3xf32>
}
