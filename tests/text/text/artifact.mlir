// a portable artifact reads to the module that it was made of: functions, shardings, manual computations, constants, structures
// RUN: shardopt inputs/artifact.mlirbc
