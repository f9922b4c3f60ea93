// A mesh axis without devices is refused.
// RUN: shardopt %s
// EXIT: 1
sdy.mesh @m = <["x"=4, "y"=0]>
