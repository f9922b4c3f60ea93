// A file that ends inside a function is a parse error at its end.
// RUN: shardopt %s
// EXIT: 1
module {
  func.func @f(%a: tensor<4xf32>) {
    return
