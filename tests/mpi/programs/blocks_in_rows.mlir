// All_gathers, all_to_alls and reduce_scatters along inner dimensions: long rows, and rows that fit in a message slot.
module @blocks_in_rows {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<2x840x840xi16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                  %b: tensor<3x840xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                  %p: tensor<48x840xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                  %q: tensor<840x840xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
      -> (tensor<2x840x840xi16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>},
          tensor<2x840x840xi16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>},
          tensor<2x840x840xi16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
          tensor<3x840xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
          tensor<48x840xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
    %moved = sdy.reshard %a <@mesh, [{}, {}, {"x"}]> : tensor<2x840x840xi16>
    %more = stablehlo.add %moved, %moved : tensor<2x840x840xi16>
    %product = stablehlo.dot_general %p, %q, contracting_dims = [1] x [0] : (tensor<48x840xi32>, tensor<840x840xi32>) -> tensor<48x840xi32>
    return %a, %moved, %more, %b, %product : tensor<2x840x840xi16>, tensor<2x840x840xi16>, tensor<2x840x840xi16>, tensor<3x840xi32>, tensor<48x840xi32>
  }
}
