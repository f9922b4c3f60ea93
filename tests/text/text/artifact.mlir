// A portable artifact becomes its original module: functions, shardings, manual computations, constants, structures.
// RUN: shardopt inputs/artifact.mlirbc
