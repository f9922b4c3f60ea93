// a bytecode file that was cut says at which byte it ends too soon
// RUN: head -c 300 ../text/text/inputs/artifact.mlirbc | shardopt -
// EXIT: 1
