// a constant without elements that holds one value for all of them, as MLIR writes it, reads to an empty constant
// RUN: shardopt inputs/empty_constant.mlirbc
