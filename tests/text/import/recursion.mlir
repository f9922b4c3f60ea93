// A recursive function cannot be flattened.
// RUN: shardopt %s -sdy-flatten-call-graph
// EXIT: 1
func.func @main() {
  call @f() : () -> ()
  return
}
func.func private @f() {
  call @f() : () -> ()
  return
}
