// Windows and the computations of reduce_window and select_and_scatter are read from a HloModuleProto.
// RUN: shardopt inputs/window.pb
