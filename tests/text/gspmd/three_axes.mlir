// The canonical form merges adjacent axes; a V1 transposition of three axes is recognized as V2.
// RUN: shardopt %s -split-input-file -sdy-to-gspmd
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=4]>
func.func @main(
    %z_xy: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"x", "y"}]>},
    %xyz: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y", "z"}]>},
    %y_zx: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"z", "x"}]>},
    %part: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z":(2)2}, {"x"}]>}) {
  return
}
// -----
sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4], device_ids=[0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15]>
func.func @main(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}, {"c"}]>}) {
  return
}
// -----
sdy.mesh @mesh = <["a"=2, "b"=2], device_ids=[0, 1, 3, 2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>}) {
  return
}
