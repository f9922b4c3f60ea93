// What is missing before a line break is missed there, comments aside
// RUN: shardopt %s
// EXIT: 1
module attributes {
  a = [1, 2] // a comma
  b = 3
} {}
