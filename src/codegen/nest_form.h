/* The form that a tile's function takes: loops, where values are kept, what depends on what. nest_form.c chooses it, nest_c.c writes it. */
#ifndef SR_CODEGEN_NEST_FORM_H
#define SR_CODEGEN_NEST_FORM_H

#include "codegen/nest_c.h"
#include "kernels/nest/nest_prepared.h"

enum sr_nest_form_kind { SR_NEST_FORM_MAP, SR_NEST_FORM_ROWS, SR_NEST_FORM_COLUMNS };
enum sr_nest_form_storage { SR_STORAGE_SCALAR, SR_STORAGE_BLOCK, SR_STORAGE_SAVED };
enum { SR_NEST_FORM_BLOCK_ROWS = 16, SR_NEST_FORM_BLOCK_COLUMNS = 64 }; /* a block of a map whose accesses cross */

struct sr_nest_form {
	const struct sr_nest *t;
	const struct sr_nest_prepared *r; /* its loops merged */
	struct sr_arena *arena;
	struct sr_buf *out;
	struct sr_c_functions *functions;
	enum sr_nest_form_kind form;
	int vector;      /* the innermost loop; -1: no loops */
	int crossing;    /* MAP: the loop that other accesses follow by single elements; -1 */
	int64_t width;   /* COLUMNS: points of a block */
	int64_t chunk;   /* of the outermost parallel loop in a piece */
	uint32_t *deps;  /* [n_values] loops, one bit each */
	uint8_t *place;  /* [n_values] enum sr_nest_form_storage */
	bool *otherwise;                    /* [n_values] a LOAD that is read where others are outside their bounds, and nowhere else */
	bool *accumulates;                  /* [n_values] of REDUCE and FOLD */
	int *stage_of;                      /* [n_values] -1: of a fold's body */
	const struct sr_nest_instr **maker; /* [n_values] NULL: argument of a fold's body */
	int stage, lanes, depth;            /* what is being written */
};

/* The loops around a stage (MAP: around all stages), the vector loop last. */
struct sr_stage_loops {
	int n, loops[SR_NEST_MAX_LOOPS];
	int first_stage, last_stage;
	bool reduces;
};

/* false: the tile is not compiled. */
bool sr_nest_form_select(struct sr_nest_form *g);
/* How many of the nest's loops stand around an instruction. */
int sr_nest_form_loop_depth(const struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_instr *in);
void sr_nest_form_stage_loops(const struct sr_nest_form *g, int stage, struct sr_stage_loops *n);
/* The bound of a dim may be kept by the range of the vector loop. */
bool sr_nest_form_is_range(const struct sr_nest_form *g, const struct sr_nest_dim *d);
/* A plain load that goes across the vector loop: read in blocks. */
bool sr_nest_form_is_transposed_load(const struct sr_nest_form *g, const struct sr_nest_instr *in);

#endif
