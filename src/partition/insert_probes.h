/* Taps: values of the global module that whoever runs the program looks at (--check-nan, --dump-values, --verify). A tap is an
 * op that reads a value as partition lays it, and so leaves every choice as it was; on its way it notes the value's global
 * type, sharding and origin, from which a program's struct sr_probe is made.
 *
 * Taps are numbered in the order of the program: arguments, then each op's results, what is inside of a loop before its
 * results. The numbers of one module are the same for every program that is made of it. */
#ifndef SR_PARTITION_INSERT_PROBES_H
#define SR_PARTITION_INSERT_PROBES_H

#include "ir/pass.h"

struct sr_probe_options {
	const char *match; /* a regular expression of op, location, source place or value's name; NULL: all values */
	bool floats;       /* those with floats alone */
	bool through;      /* readers take what looking leaves: for a program whose values are put in from outside */
};

/* SR_USAGE, reported, where the expression is none. */
enum sr_status sr_insert_probes_in(struct sr_context *ctx, struct sr_op *module, const struct sr_probe_options *options);
/* One device computes the whole module: no sharding is left, nor a mesh. A manual computation has no meaning there: its results are
 * zeros, whose taps say that they are given from outside. */
enum sr_status sr_unshard_module(struct sr_context *ctx, struct sr_op *module);

#endif
