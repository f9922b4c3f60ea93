// An op of an unknown dialect in a bytecode file is refused by name.
// RUN: LC_ALL=C sed 's/vhlo/shlo/' ../text/text/inputs/artifact_0_20.mlirbc | shardopt -
// EXIT: 1
