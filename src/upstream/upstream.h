/* Passes of Shardy's partitioner under their names, with upstream's options and output (doc/upstream.md). shardopt links them;
 * shardrun and the libraries do not, since no pass of the default pipeline is among them. */
#ifndef SR_UPSTREAM_UPSTREAM_H
#define SR_UPSTREAM_UPSTREAM_H

#include "ir/pass.h"

extern const struct sr_pass sr_upstream_passes[]; /* passes of this folder; the last row has name NULL */

#endif
