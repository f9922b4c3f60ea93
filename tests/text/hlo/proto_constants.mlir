// A HloModuleProto has constants of all element types, row-major or not, and in tuples.
// RUN: shardopt inputs/constants.pb
