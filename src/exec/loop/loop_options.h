/* What the command line says of --loop. */
#ifndef SR_EXEC_LOOP_LOOP_OPTIONS_H
#define SR_EXEC_LOOP_LOOP_OPTIONS_H

#include <stdint.h>

struct sr_loop_options {
	const char *steps;			   /* "200"; "": until a stream or --until ends it; NULL: no loop */
	const char *carry;			   /* "RESULT:ARGUMENT,..."; NULL: by donation */
	const char *until;			   /* a result; NULL: none */
	const char *metrics;			   /* file; NULL: none */
	int64_t output_every;			   /* steps; 0: after the last one alone */
	const char *checkpoint;			   /* folder; NULL: none are written */
	int64_t checkpoint_every, checkpoint_keep; /* steps, 0: at the end and on a signal alone; so many are left */
	const char *resume;			   /* folder; "": that of checkpoints; NULL: from the first step on */
};

#endif
