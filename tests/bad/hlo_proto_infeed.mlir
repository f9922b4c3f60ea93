// An unsupported opcode in a HloModuleProto is an error with the reason.
// RUN: shardopt inputs/hlo_infeed.pb
// EXIT: 1
