// A missing token before a line break is reported there, ignoring comments.
// RUN: shardopt %s
// EXIT: 1
module attributes {
  a = [1, 2] // a comma
  b = 3
} {}
