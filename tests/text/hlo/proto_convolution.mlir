// Windows, dimension numbers and group counts of convolutions are read from a HloModuleProto.
// RUN: shardopt inputs/convolution.pb
