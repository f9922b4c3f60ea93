// The message names an op of an unknown dialect.
// RUN: LC_ALL=C sed 's/vhlo/shlo/' ../text/text/inputs/artifact_0_20.mlirbc | shardopt -
// EXIT: 1
