/* Values of the command-line options of --loop. */
#ifndef SR_EXEC_LOOP_LOOP_OPTIONS_H
#define SR_EXEC_LOOP_LOOP_OPTIONS_H

#include <stdint.h>

struct sr_loop_options {
	const char *steps; /* --loop: number of steps, "200"; "": run until a stream or --until ends the loop; NULL: no loop */
	const char *carry;			   /* --carry: pairs "RESULT:ARGUMENT,..."; NULL: pairs come from donation */
	const char *until;			   /* --until: name or number of the result that ends the loop; NULL: none */
	const char *metrics;			   /* --metrics: file of scalar results per step; NULL: none */
	/* --output-every: number of steps between two writes of the outputs; 0: write them only after the last step */
	int64_t output_every;
	const char *checkpoint;			   /* --checkpoint: folder that checkpoints are written to; NULL: none */
	/* steps between two checkpoints (0: only at the end and on a signal); number of checkpoints to keep */
	int64_t checkpoint_every, checkpoint_keep;
	const char *resume; /* --resume: folder to resume from; "": that of --checkpoint; NULL: start at the first step */
};

#endif
