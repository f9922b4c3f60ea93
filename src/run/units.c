/* The program's tiles compiled: by rank 0 for the least instruction set of the ranks, loaded by every device, or by none. */
#include "run/executable.h"

/* What all executions must go through for tiles to be worth compiling without being asked: what a compiler takes is gained by then. What is
 * executed more than once is taken to be so often. */
enum { WORTH_BYTES = 64 << 20, OFTEN = 64 };
enum { MOST_SECONDS = 60 };

/* What compiled code may use beside kernels of an instruction set. */
static const uint64_t target_of[SR_ISA_COUNT] = {[SR_ISA_BASE] = SR_TARGET_BASE, [SR_ISA_AVX2] = SR_TARGET_AVX2, [SR_ISA_AVX512] = SR_TARGET_AVX512};

/* Rank 0: the object; n 0 where there is none, and why. */
static void make(const struct sr_executable *e, const struct sr_codegen_options *o, enum sr_target target, struct sr_arena *arena,
		 const char **object, uint64_t *n, struct sr_buf *say)
{
	struct sr_unit_counts counts;
	struct sr_unit_text text;
	const char *why = NULL;
	struct sr_unit_options u = {.compiler = o->compiler ? o->compiler : "cc", .target = target, .seconds = MOST_SECONDS};
	u.cache = sr_unit_cache_folder(arena);
	sr_unit_write(e->program, sr_unit_tiles(e->program, arena), e->program->steps.n, arena, &text, &counts);
	if (o->emit && !sr_unit_emit(o->emit, &text, arena, &why))
		sr_buf_printf(say, "\n  tiles: not written: %s", why);
	*n = 0;
	if (o->mode == SR_CODEGEN_OFF || !counts.functions)
		return;
	if (sr_unit_compile(&u, &text, arena, object, n, &why))
		sr_buf_printf(say, "\n  tiles: %d of %d compiled for %s, and %d loops, %d functions", counts.compiled, counts.tiles,
			      sr_target_names[target], counts.loops, counts.functions);
	else
		sr_buf_printf(say, "\n  tiles: interpreted: %s", why);
}

static bool wanted(const struct sr_executable *e, const struct sr_codegen_options *o)
{
	int64_t bytes = sr_unit_bytes(e->program), times = o->executions == 1 ? 1 : OFTEN;
	return o->emit || o->mode == SR_CODEGEN_ON || (o->mode == SR_CODEGEN_AUTO && bytes >= WORTH_BYTES / times);
}

/* Collective: the least of a number of all ranks. */
static uint64_t least(struct sr_launch *l, uint64_t mine)
{
	uint64_t all, most;
	sr_launch_range(l, mine, &all, &most);
	return all;
}

/* Collective: the object from rank 0 to all, loaded by all devices or by none. */
static bool load(struct sr_executable *e, const char *object, uint64_t n, struct sr_arena *arena, const char **why)
{
	struct sr_launch *l = &e->client->launch;
	char *copy = l->rank ? sr_alloc(arena, n, 1) : (char *)(uintptr_t)object;
	sr_launch_broadcast(l, copy, n);
	bool loaded = sr_executable_is_spare(e) || sr_unit_load(copy, n, e->program->steps.n, &e->unit, arena, why);
	if (least(l, loaded))
		return true;
	sr_unit_release(e->unit);
	e->unit = NULL;
	return false;
}

void sr_executable_load_units(struct sr_executable *e, const struct sr_executable_options *o, struct sr_arena *arena)
{
	struct sr_launch *l = &e->client->launch;
	const char *object = NULL, *why = NULL;
	uint64_t n = 0;
	struct sr_buf say;
	sr_buf_init(&say, arena);
	bool want = !l->rank && wanted(e, &o->codegen);
	sr_launch_broadcast(l, &want, sizeof want);
	if (!want)
		return;
	uint64_t here = (uint64_t)sr_target_here(), most = target_of[e->client->isa];
	enum sr_target target = (enum sr_target)least(l, here < most ? here : most);
	if (!l->rank)
		make(e, &o->codegen, target, arena, &object, &n, &say);
	sr_launch_broadcast(l, &n, sizeof n);
	if (n && !load(e, object, n, arena, &why))
		sr_buf_printf(&say, "\n  tiles: interpreted after all: %s", why ? why : "a rank cannot load them");
	if (o->node)
		sr_buf_put(o->node, say.data, say.n);
}
