// A string ends on its line
// RUN: shardopt %s
// EXIT: 1
module attributes {a = "never closed
} {
}
