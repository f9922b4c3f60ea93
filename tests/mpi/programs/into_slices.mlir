// A loop writes the results of all_gathers and all_to_alls into slices of larger values, some at clamped starts.
// A value that is still read later must not change.
module @into_slices {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<48x840xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                  %old: tensor<3x48x840xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>},
                  %b: tensor<840x840xi16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
      -> (tensor<3x48x840xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>},
          tensor<3x48x840xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>},
          tensor<2x840x840xi16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %before = stablehlo.constant dense<-1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %empty = stablehlo.constant dense<7> : tensor<2x840x840xi16>
    %r:5 = stablehlo.while(%i = %zero, %x = %a, %stack = %old, %other = %empty, %start = %before) : tensor<i32>, tensor<48x840xi32>, tensor<3x48x840xi32>, tensor<2x840x840xi16>, tensor<i32>
    cond {
      %go = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %mine = sdy.sharding_constraint %x <@mesh, [{}, {"x"}]> : tensor<48x840xi32>
      %next = stablehlo.add %mine, %a : tensor<48x840xi32>
      %whole = sdy.reshard %mine <@mesh, [{}, {}]> : tensor<48x840xi32>
      %layer = stablehlo.reshape %whole : (tensor<48x840xi32>) -> tensor<1x48x840xi32>
      %put = stablehlo.dynamic_update_slice %stack, %layer, %start, %zero, %zero : (tensor<3x48x840xi32>, tensor<1x48x840xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x48x840xi32>
      %counted = stablehlo.convert %i : (tensor<i32>) -> tensor<i16>
      %count = stablehlo.broadcast_in_dim %counted, dims = [] : (tensor<i16>) -> tensor<840x840xi16>
      %added = stablehlo.multiply %b, %count : tensor<840x840xi16>
      %fixed = sdy.sharding_constraint %added <@mesh, [{"x"}, {}]> : tensor<840x840xi16>
      %turned = sdy.reshard %fixed <@mesh, [{}, {"x"}]> : tensor<840x840xi16>
      %sheet = stablehlo.reshape %turned : (tensor<840x840xi16>) -> tensor<1x840x840xi16>
      %laid = stablehlo.dynamic_update_slice %other, %sheet, %i, %zero, %zero : (tensor<2x840x840xi16>, tensor<1x840x840xi16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x840x840xi16>
      %more = stablehlo.add %i, %one : tensor<i32>
      %later = stablehlo.add %start, %two : tensor<i32>
      stablehlo.return %more, %next, %put, %laid, %later : tensor<i32>, tensor<48x840xi32>, tensor<3x48x840xi32>, tensor<2x840x840xi16>, tensor<i32>
    }
    return %r#2, %old, %r#3 : tensor<3x48x840xi32>, tensor<3x48x840xi32>, tensor<2x840x840xi16>
  }
}
