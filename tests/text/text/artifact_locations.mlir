// the locations of a portable artifact are those of the program that it was made of
// RUN: shardopt inputs/artifact.mlirbc --mlir-print-debuginfo
