// A dimension's priority is p and a number
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}q1]>}) {
  return
}
