// A portable artifact keeps the original program's locations.
// RUN: shardopt inputs/artifact.mlirbc --mlir-print-debuginfo
