// The message names an op of a newer version.
// RUN: LC_ALL=C sed 's/tanh_v2/tanh_v9/' ../text/text/inputs/artifact.mlirbc | shardopt -
// EXIT: 1
