// A while of a HloModuleProto refers to its condition and body by id.
// RUN: shardopt inputs/while.pb
