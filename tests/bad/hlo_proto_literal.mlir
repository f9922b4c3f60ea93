// A literal has as many elements as its shape.
// RUN: shardopt inputs/hlo_literal.pb
// EXIT: 1
