// Partition specs on a mesh of two axes, both on one dimension, in either order, are imported from iota forms (V2).
// RUN: shardopt %s -sdy-to-gspmd
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(
    %x_y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %y_x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
    %x_none: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %y_none: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
    %none_x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %none_y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
    %xy_none: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
    %yx_none: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>},
    %none_xy: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>},
    %none_yx: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x"}]>}) {
  return
}
