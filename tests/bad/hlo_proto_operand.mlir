// An operand's id must be that of an instruction before it.
// RUN: shardopt inputs/hlo_operand.pb
// EXIT: 1
