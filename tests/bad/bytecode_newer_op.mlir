// an op of a later version than this program knows is named
// RUN: LC_ALL=C sed 's/tanh_v2/tanh_v9/' ../text/text/inputs/artifact.mlirbc | shardopt -
// EXIT: 1
