/* An execution of a prepared loop nest. Internal to nest_execute.c, which interprets a tile's instructions, and nest_replay.c,
 * which executes tiles of the same shape by direct calls. */
#ifndef SR_KERNELS_NEST_NEST_RUN_H
#define SR_KERNELS_NEST_NEST_RUN_H

#include "kernels/nest/nest_prepared.h"

struct sr_nest_step;
struct sr_nest_move;
enum { SR_NEST_MAX_BOUNDS = 16, SR_NEST_RECORDINGS = 6, SR_NEST_TILE_CLASSES = 12 };
struct sr_nest_recording { /* a recorded tile: the addresses that change from tile to tile, and the steps */
	bool is_recorded;
	struct sr_nest_move *moves;
	struct sr_nest_step *steps;
	int n_moves, n_steps;
};
/* The recordings of the tiles of one shape. */
struct sr_nest_recordings {
	int64_t shape;
	struct sr_nest_recording plain; /* for all classes without a recording of their own */
	struct sr_nest_tile_class { /* tiles in which the views have the same boxes, relative to the tile */
		int64_t bounds[SR_NEST_MAX_BOUNDS]; /* see find_class in nest_replay.c */
		struct sr_nest_recording recording;
	} classes[SR_NEST_TILE_CLASSES], *current; /* current: of the current tile; NULL: there are too many classes */
	bool is_new; /* true if the current tile is the first one of its class */
	int n_classes, n_recorded;
};

struct sr_nest_run {
	const struct sr_nest_prepared *r;
	void *const *buffers;
	char *scratch, *partial_results;                /* memory of values; memory of reductions' partial results */
	struct sr_nest_operand *states,
	    *inner_states; /* location of each value: where the value is computed, and where a tile of the inner loops reads it */
	struct sr_nest_kept *kept; /* of each value */
	struct sr_nest_view *views;
	struct sr_nest_tile tile;
	int64_t inner_done;                     /* number of inner iterations that earlier tiles have executed */
	int64_t n_versions;                     /* of kept values, see struct sr_nest_kept */
	bool over_inner;
	int lanes;                              /* number of accumulators of the current stage's reductions */
	struct sr_nest_recording *recording; /* that is made */
	int64_t first_tile;                  /* number of the current tile of the parallel loops */
};

/* Interpret an instruction for the current tile and stage, begin the reductions of a stage, or end them. */
void sr_nest_execute_instruction(struct sr_nest_run *u, const struct sr_nest_instr *in);
void sr_nest_init_accumulators(struct sr_nest_run *u, const struct sr_nest_stage *stage);
void sr_nest_combine_lanes(struct sr_nest_run *u, const struct sr_nest_stage *stage);
/* Write the elements of a ROW value once for each inner iteration of the tile, in the layout of the tile's values. */
void sr_nest_repeat_row(const struct sr_nest_run *u, const char *from, int64_t bytes, char *to);
/* Return the address of vector code's own memory. */
char *sr_nest_vector_memory(const struct sr_nest_run *u);

/* Find the number of recordings and the dims `bounds` of a nest whose tile sizes are known. */
void sr_nest_prepare_replay(struct sr_nest_prepared *r);
/* Return the bytes of scratch memory that one recording takes. */
int64_t sr_nest_replay_bytes(const struct sr_nest_prepared *r);
/* Execute the current tile as another one was recorded. Returns false if there is no recording for it. */
bool sr_nest_replay(struct sr_nest_run *u, struct sr_nest_recordings *p);
/* Record the calls of the current tile, which was executed, if tiles like this one need a recording. */
void sr_nest_record(struct sr_nest_run *u, struct sr_nest_recordings *p);

#endif
