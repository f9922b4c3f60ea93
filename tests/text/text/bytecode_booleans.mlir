// Constants of i1 in MLIR bytecode other than portable artifacts, which has 8 elements per byte: few elements, more than a byte, splats, one, none
// RUN: shardopt inputs/booleans.mlirbc
