// A HloModuleProto that ends early is an error that names the position.
// RUN: shardopt inputs/hlo_truncated.pb
// EXIT: 1
