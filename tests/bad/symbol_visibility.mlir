// A symbol visibility other than public, private and nested is refused.
// RUN: shardopt %s -split-input-file
// EXIT: 1
"func.func"() <{sym_name = "f", function_type = () -> (), sym_visibility = "secret"}> ({
  "func.return"() : () -> ()
}) : () -> ()
// -----
sdy.mesh @m = <["x"=2]> {sym_visibility = 3 : i32}
// -----
func.func public @declared() -> tensor<f32>
