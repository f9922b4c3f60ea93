// In a HloModuleProto, an operand id that is not that of an earlier instruction is refused.
// RUN: shardopt inputs/hlo_operand.pb
// EXIT: 1
