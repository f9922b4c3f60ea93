// An axis of a mesh has at least one device
// RUN: shardopt %s
// EXIT: 1
sdy.mesh @m = <["x"=4, "y"=0]>
