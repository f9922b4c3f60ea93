/* Probes: values of the global module that the runtime inspects (--check-nan, --dump-values, --verify). A probe is an op that reads
 * the local shard of a value, so that it does not influence the partition. It records the value's global type, sharding and origin,
 * from which a program's struct sr_probe is made.
 *
 * Probes are numbered in program order: arguments, then the results of each op; values inside of a loop come before the loop's
 * results. A module's numbers are the same in every program compiled from it. */
#ifndef SR_PARTITION_INSERT_PROBES_H
#define SR_PARTITION_INSERT_PROBES_H

#include "ir/pass.h"

struct sr_probe_options {
	/* POSIX extended regular expression, matched against op name, location, source position and value name; NULL: all values */
	const char *match;
	bool floats_only;  /* true: insert probes only after values of floating-point types */
	bool replaces_readers;      /* readers of a value read the probe's result, so that the runtime may replace the value */
};

/* Insert a probe after every matching value. Returns SR_USAGE, reported, if `match` is not a regular expression. */
enum sr_status sr_insert_probes_in(struct sr_context *ctx, struct sr_op *module, const struct sr_probe_options *options);
/* Make the module compute everything on one device: remove shardings and meshes. Manual computations have no global meaning:
 * their results become zeros, and their probes say that the value is supplied from outside. */
enum sr_status sr_unshard_module(struct sr_context *ctx, struct sr_op *module);

#endif
