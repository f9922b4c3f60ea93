// A truncated bytecode file is refused with the byte offset of its end.
// RUN: head -c 300 ../text/text/inputs/artifact.mlirbc | shardopt -
// EXIT: 1
