// ops of old versions of VHLO are read as today's: gather without batching dimensions, collectives of one operand
// RUN: shardopt inputs/artifact_0_20.mlirbc
