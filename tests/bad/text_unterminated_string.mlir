// A string that does not end on its line is a parse error.
// RUN: shardopt %s
// EXIT: 1
module attributes {a = "never closed
} {
}
