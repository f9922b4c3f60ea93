// --mesh with unknown axes, with sub-axes or local shapes in the program, or with options that exclude --mesh is a usage error
// RUN: for o in --mesh=data=8 --mesh=x=2,y=0 --mesh=x=4,y=4 --mesh=x=2,y=8 '--mesh=x=4,y=8 --interpret' --devices=4; do shardrun --cache=off --run=false $o %s; [ $? = 2 ] || exit 1; done
module {
  sdy.mesh @mesh = <["x"=4, "y"=8]>
  func.func public @main(%x: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)4}, {}]>}) -> tensor<16x16xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<4x16xf32>) {
      %1 = stablehlo.tanh %a : tensor<4x16xf32>
      sdy.return %1 : tensor<4x16xf32>
    } : (tensor<16x16xf32>) -> tensor<16x16xf32>
    return %0 : tensor<16x16xf32>
  }
}
