// Dimension numbers of gathers and scatters are read from a HloModuleProto.
// RUN: shardopt inputs/gather_scatter.pb
