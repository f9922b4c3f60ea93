// Bytecode of plain MLIR has the float types of 4 to 8 bits
// RUN: shardopt inputs/float_types.mlirbc
