// In a HloModuleProto, a literal with another number of elements than its shape is refused.
// RUN: shardopt inputs/hlo_literal.pb
// EXIT: 1
