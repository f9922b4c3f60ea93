// A generic op of an unknown dialect requires the flag.
// RUN: shardopt %s
// EXIT: 1
"what.ever"() : () -> ()
