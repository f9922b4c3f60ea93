// The message for a truncated bytecode file has the byte offset.
// RUN: head -c 300 ../text/text/inputs/artifact.mlirbc | shardopt -
// EXIT: 1
