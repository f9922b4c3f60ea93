// @below and @above pass over lines of other expectations
// RUN: shardopt %s --verify-diagnostics --split-input-file
// expected-error @below {{axis size must be at least 1, got: 0}}
// expected-error @below {{failed to parse Sdy_Mesh parameter 'axes'}}
sdy.mesh @mesh = <["x"=0]>

// -----

sdy.mesh @m = <["x"=2, "x"=2]>
// expected-error @above {{duplicate axis name}}
