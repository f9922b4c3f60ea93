// A call of a function with an invalid type is reported at the call, which may be verified first.
// RUN: shardopt %s
// EXIT: 1
func.func @main() {
  call @f() : () -> ()
  return
}
"func.func"() <{sym_name = "f", function_type = 3 : i32, sym_visibility = "private"}> ({
}) : () -> ()
