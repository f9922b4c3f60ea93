// An unknown opcode in a HloModuleProto is an error that names the instruction.
// RUN: shardopt inputs/hlo_opcode.pb
// EXIT: 1
