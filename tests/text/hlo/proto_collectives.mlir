// Collectives of a HloModuleProto have groups, channels and pairs.
// RUN: shardopt inputs/collectives.pb
