// Two layers with a bias between all_gathers and reductions, and the gradients of a layer.
// Gathers along rows and columns, reductions with and without scatter, a gather that two products read, extents that the number of chunks does not divide
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<48x30xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w0: tensor<30x288xf64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b0: tensor<288xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %w1: tensor<288x30xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %v: tensor<20x48xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %w2: tensor<48x24xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %u: tensor<5x7x48xf64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}, %w3: tensor<5x48x9xf64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> (tensor<48x30xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<20x24xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<48x24xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<5x7x9xf64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) {
    %bias = stablehlo.broadcast_in_dim %b0, dims = [1] : (tensor<288xf64>) -> tensor<48x288xf64>
    %0 = stablehlo.dot_general %x, %w0, contracting_dims = [1] x [0] : (tensor<48x30xf64>, tensor<30x288xf64>) -> tensor<48x288xf64>
    %1 = stablehlo.add %0, %bias : tensor<48x288xf64>
    %2 = stablehlo.tanh %1 : tensor<48x288xf64>
    %3 = stablehlo.dot_general %2, %w1, contracting_dims = [1] x [0] : (tensor<48x288xf64>, tensor<288x30xf64>) -> tensor<48x30xf64>
    %4 = sdy.sharding_constraint %3 <@mesh, [{"x"}, {}]> : tensor<48x30xf64>
    %5 = stablehlo.add %4, %x : tensor<48x30xf64>
    %6 = stablehlo.dot_general %5, %w0, contracting_dims = [1] x [0] : (tensor<48x30xf64>, tensor<30x288xf64>) -> tensor<48x288xf64>
    %7 = stablehlo.add %6, %bias : tensor<48x288xf64>
    %8 = stablehlo.tanh %7 : tensor<48x288xf64>
    %9 = stablehlo.dot_general %8, %w1, contracting_dims = [1] x [0] : (tensor<48x288xf64>, tensor<288x30xf64>) -> tensor<48x30xf64>
    %10 = stablehlo.dot_general %v, %w2, contracting_dims = [1] x [0] : (tensor<20x48xbf16>, tensor<48x24xbf16>) -> tensor<20x24xbf16>
    %11 = stablehlo.dot_general %v, %10, contracting_dims = [0] x [0] : (tensor<20x48xbf16>, tensor<20x24xbf16>) -> tensor<48x24xbf16>
    %12 = stablehlo.dot_general %u, %w3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x7x48xf64>, tensor<5x48x9xf64>) -> tensor<5x7x9xf64>
    return %9, %10, %11, %12 : tensor<48x30xf64>, tensor<20x24xbf16>, tensor<48x24xbf16>, tensor<5x7x9xf64>
  }
}
