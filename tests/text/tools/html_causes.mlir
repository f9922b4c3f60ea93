// --html: one row for all collectives of a kind, op and source line; the shardings in conflict, the op and the axes; names of arguments and functions;
// the text of source lines, if the file exists
// RUN: cp %s inputs/page_source.py %t && cd %t && shardrun --run=false --html=page.html %s 2>summary && sed -n -e '/by op and line/,/<h2>Program/{s/<[^>]*>/ /g' -e 's/  */ /gp' -e '}' page.html
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%arg0: tensor<8x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>} loc("x"),
    %arg1: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>} loc("params['w1']"),
    %arg2: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>} loc("params['w2']"),
    %arg3: tensor<8x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>} loc("v"))
    -> (tensor<8x512xf32>, tensor<512x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>},
        tensor<8x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32> loc(#mm)
  %1 = stablehlo.dot_general %0, %arg2, contracting_dims = [1] x [0] : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32> loc(#mm)
  %2 = stablehlo.add %1, %arg3 : tensor<8x512xf32> loc(#add)
  %3 = call @ranked(%2) : (tensor<8x512xf32>) -> tensor<8x512xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<8x512xf32>) -> tensor<512x8xf32>
  %5 = stablehlo.negate %arg0 : tensor<8x512xf32>
  %6 = stablehlo.dot_general %5, %arg1, contracting_dims = [1] x [0] : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32> loc(#mm)
  %7 = stablehlo.dot_general %5, %arg2, contracting_dims = [1] x [0] : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32> loc(#mm)
  return %3, %4, %6, %7 : tensor<8x512xf32>, tensor<512x8xf32>, tensor<8x512xf32>, tensor<8x512xf32>
}
func.func private @ranked(%arg0: tensor<8x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", ?}, {"a", ?}]>}) -> tensor<8x512xf32> {
  %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x512xf32>) -> tensor<8x512xf32>
  return %0 : tensor<8x512xf32>
}
#mm = loc("jit(f)/dot_general"("/elsewhere/page_source.py":2:11))
#add = loc("jit(f)/add"("page_source.py":5:16))
