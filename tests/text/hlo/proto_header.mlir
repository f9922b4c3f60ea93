// A HloModuleProto says which arguments are donated, and to which results.
// RUN: shardopt inputs/header.pb
