// OpShardings of a HloModuleProto, also in tuples, become text; so do its frontend attributes.
// RUN: shardopt inputs/sharding.pb
