// A loop takes logarithms of a product until they are NaN; padded shards, replicated sums, a mask of infinities
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func public @main(%a: tensor<7x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<10x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<7x6xf32>, tensor<f32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %masked = stablehlo.constant dense<0xFF800000> : tensor<7x6xf32>
  %keep = stablehlo.constant dense<true> : tensor<7x6xi1>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<7x10xf32>, tensor<10x6xf32>) -> tensor<7x6xf32>
  %1 = stablehlo.select %keep, %0, %masked : tensor<7x6xi1>, tensor<7x6xf32>
  %2 = stablehlo.maximum %1, %masked : tensor<7x6xf32>
  %w:2 = stablehlo.while(%i = %c0, %x = %2) : tensor<i32>, tensor<7x6xf32>
    cond {
      %p = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %n = stablehlo.add %i, %c1 : tensor<i32>
      %t = stablehlo.log %x : tensor<7x6xf32>
      stablehlo.return %n, %t : tensor<i32>, tensor<7x6xf32>
    }
  %s = stablehlo.reduce(%w#1 init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x6xf32>, tensor<f32>) -> tensor<f32>
  return %w#1, %s : tensor<7x6xf32>, tensor<f32>
}
