// A loop of a HloModuleProto has its condition and body by id.
// RUN: shardopt inputs/while.pb
