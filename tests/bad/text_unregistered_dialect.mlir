// A quoted op of an unknown dialect needs the flag
// RUN: shardopt %s
// EXIT: 1
"what.ever"() : () -> ()
