// An op that this version of the bytecode reader does not know is refused by name, as newer.
// RUN: LC_ALL=C sed 's/tanh_v2/tanh_v9/' ../text/text/inputs/artifact.mlirbc | shardopt -
// EXIT: 1
