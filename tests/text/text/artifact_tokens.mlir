// Tokens of a manual computation in a portable artifact are types of StableHLO itself.
// RUN: shardopt inputs/artifact_tokens.mlirbc
