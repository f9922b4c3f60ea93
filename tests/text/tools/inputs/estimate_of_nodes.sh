#!/bin/sh
# Print the bytes that the program $1 sends between nodes, from the summary and from the time estimate: with 4 and with 2 ranks per
# node, with two devices per rank, and with more than 4,096 devices.
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
