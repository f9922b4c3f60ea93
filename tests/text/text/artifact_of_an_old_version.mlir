// Old VHLO op versions: gather without batching dimensions, collectives of one operand.
// RUN: shardopt inputs/artifact_0_20.mlirbc
