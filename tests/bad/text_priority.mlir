// A priority of a dimension that is not p and a number is a parse error.
// RUN: shardopt %s
// EXIT: 1
func.func @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}q1]>}) {
  return
}
