// A location alias that is not defined is a parse error.
// RUN: shardopt %s
// EXIT: 1
func.func @f() {
  return loc(#loc7)
}
