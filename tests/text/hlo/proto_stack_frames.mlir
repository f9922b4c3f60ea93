// Metadata and stack frames of a HloModuleProto become locations.
// RUN: shardopt inputs/stack_frames.pb -mlir-print-debuginfo
