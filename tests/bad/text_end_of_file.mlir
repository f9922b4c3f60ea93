// A file that ends inside a function
// RUN: shardopt %s
// EXIT: 1
module {
  func.func @f(%a: tensor<4xf32>) {
    return
