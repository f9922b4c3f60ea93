/* The form that a tile's function takes: loops, where values are kept, what depends on what. tile_form.c chooses it, tile_c.c writes it. */
#ifndef SR_CODEGEN_TILE_FORM_H
#define SR_CODEGEN_TILE_FORM_H

#include "codegen/tile_c.h"
#include "kernels/tile/tile_ready.h"

enum sr_tile_form_kind { SR_TILE_FORM_MAP, SR_TILE_FORM_ROWS, SR_TILE_FORM_COLUMNS };
enum sr_tile_form_place { SR_PLACE_NUMBER, SR_PLACE_BLOCK, SR_PLACE_SAVED };
enum { SR_TILE_FORM_ACROSS = 16, SR_TILE_FORM_ALONG = 64 }; /* a block of a map whose accesses cross */

struct sr_tile_form {
	const struct sr_tile *t;
	const struct sr_tile_ready *r; /* its loops merged */
	struct sr_arena *arena;
	struct sr_buf *out;
	struct sr_c_functions *functions;
	enum sr_tile_form_kind form;
	int vector;      /* the innermost loop; -1: no loops */
	int crossing;    /* MAP: the loop that other accesses follow by single elements; -1 */
	int64_t width;   /* COLUMNS: points of a block */
	int64_t chunk;   /* of the outermost parallel loop in a piece */
	uint32_t *deps;  /* [n_values] loops, one bit each */
	uint8_t *place;  /* [n_values] enum sr_tile_form_place */
	bool *otherwise;                    /* [n_values] a LOAD that is read where others are outside their bounds, and nowhere else */
	bool *accumulates;                  /* [n_values] of REDUCE and FOLD */
	int *stage_of;                      /* [n_values] -1: of a fold's body */
	const struct sr_tile_instr **maker; /* [n_values] NULL: argument of a fold's body */
	int stage, lanes, depth;            /* what is being written */
};

/* The loops around a stage (MAP: around all stages), the vector loop last. */
struct sr_loop_nest {
	int n, loops[SR_TILE_LOOPS];
	int first_stage, last_stage;
	bool reduces;
};

/* false: the tile is not compiled. */
bool sr_tile_form_choose(struct sr_tile_form *g);
/* How many of the nest's loops stand around an instruction. */
int sr_tile_form_level(const struct sr_tile_form *g, const struct sr_loop_nest *n, const struct sr_tile_instr *in);
void sr_tile_form_nest(const struct sr_tile_form *g, int stage, struct sr_loop_nest *n);
/* The bound of a dim may be kept by the range of the vector loop. */
bool sr_tile_form_is_range(const struct sr_tile_form *g, const struct sr_tile_dim *d);
/* A plain load that goes across the vector loop: read in blocks. */
bool sr_tile_form_crosses(const struct sr_tile_form *g, const struct sr_tile_instr *in);

#endif
