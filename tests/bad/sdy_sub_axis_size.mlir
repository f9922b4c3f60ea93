// A sub-axis of size 1 is refused.
// RUN: shardopt %s
// EXIT: 1
sdy.mesh @m = <["x"=4]>
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x":(2)1}]>}) {
  return
}
