// An undefined location alias.
// RUN: shardopt %s
// EXIT: 1
func.func @f() {
  return loc(#loc7)
}
