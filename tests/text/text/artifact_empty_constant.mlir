// An empty splat, as MLIR writes it, becomes an empty constant.
// RUN: shardopt inputs/empty_constant.mlirbc
