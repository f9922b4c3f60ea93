// A generic op of an unknown dialect is refused without -allow-unregistered-dialect.
// RUN: shardopt %s
// EXIT: 1
"what.ever"() : () -> ()
