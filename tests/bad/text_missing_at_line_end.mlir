// A token that is missing at the end of a line is reported there, before comments and line breaks
// RUN: shardopt %s
// EXIT: 1
module attributes {
  a = [1, 2] // a comma
  b = 3
} {}
