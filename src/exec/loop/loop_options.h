/* Values of --loop's options. */
#ifndef SR_EXEC_LOOP_LOOP_OPTIONS_H
#define SR_EXEC_LOOP_LOOP_OPTIONS_H

#include <stdint.h>

struct sr_loop_options {
	const char *steps;			   /* "200"; "": until a stream or --until ends the loop; NULL: no loop */
	const char *carry;			   /* "RESULT:ARGUMENT,..."; NULL: by donation */
	const char *until;			   /* name or number of a result; NULL: none */
	const char *metrics;			   /* metrics file; NULL: none */
	int64_t output_every;			   /* write outputs after every so many steps; 0: only after the last one */
	const char *checkpoint;			   /* folder of checkpoints; NULL: none */
	int64_t checkpoint_every, checkpoint_keep; /* steps, 0: only at the end and on a signal; number of checkpoints to keep */
	const char *resume;			   /* folder; "": that of --checkpoint; NULL: start at the first step */
};

#endif
