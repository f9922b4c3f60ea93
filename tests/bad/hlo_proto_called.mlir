// In a HloModuleProto, the id of a called computation that is no computation's is refused.
// RUN: shardopt inputs/hlo_called.pb
// EXIT: 1
