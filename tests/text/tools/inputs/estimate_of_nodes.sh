#!/bin/sh
# Print the bytes between nodes by the summary and by the estimate, for $1 on nodes of 4 and of 2, on ranks of two devices, and on more than 4,096
# devices.
between() {
	shardrun --run=false -v "$@" 2>&1 | sed -n 's/.*within the node and/estimate:/p; s/^ *between/between/p'
}
between --ranks-per-node=4 "$1"
between --ranks-per-node=2 "$1"
between --ranks-per-node=2 --devices-per-rank=2 "$1"
between --ranks-per-node=8 --mesh=x=4096,y=4 "$1"
between --ranks-per-node=2 --mesh=x=4096,y=4 "$1"
between --mesh=x=4096,y=4 "$1"
between --mesh=x=2,y=32768 "$1"
shardrun --run=false -v --mesh=x=4,y=32768 "$1" 2>&1 | sed -n 's/^ *placement/placement/p'
