// A location alias that is nowhere defined
// RUN: shardopt %s
// EXIT: 1
func.func @f() {
  return loc(#loc7)
}
