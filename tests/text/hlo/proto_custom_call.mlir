// Custom calls of a HloModuleProto keep target, configuration, layouts, aliases and called computations.
// RUN: shardopt inputs/custom_call.pb
