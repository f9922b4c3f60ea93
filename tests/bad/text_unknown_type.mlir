// A type that the dialect does not have is a parse error.
// RUN: shardopt %s
// EXIT: 1
func.func private @f() -> !stablehlo.tokens
