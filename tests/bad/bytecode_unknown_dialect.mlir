// ops of a dialect that is not known are named
// RUN: LC_ALL=C sed 's/vhlo/shlo/' ../text/text/inputs/artifact_0_20.mlirbc | shardopt -
// EXIT: 1
