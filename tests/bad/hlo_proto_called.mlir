// A called computation's id must be that of a computation.
// RUN: shardopt inputs/hlo_called.pb
// EXIT: 1
