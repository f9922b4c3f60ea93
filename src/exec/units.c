/* The program's tiles compiled: by rank 0 for the least instruction set of the ranks, loaded by every device, or by none. */
#include "exec/session.h"

/* What a step must go through for its tiles to be worth compiling without being asked. */
enum { WORTH_BYTES = 1 << 20 };
enum { MOST_SECONDS = 60 };

/* Rank 0: the object; n 0 where there is none, and why. */
static void make(struct sr_session *s, const struct sr_codegen_options *o, enum sr_target target, const char **object, uint64_t *n, struct sr_buf *say)
{
	struct sr_unit_counts counts;
	struct sr_buf text;
	const char *why = NULL;
	struct sr_unit_options u = {.compiler = o->compiler ? o->compiler : "cc", .target = target, .seconds = MOST_SECONDS};
	u.cache = sr_unit_cache_folder(s->ctx->arena);
	sr_buf_init(&text, s->ctx->arena);
	sr_unit_write(sr_unit_tiles(s->program, s->ctx->arena), s->program->steps.n, &text, &counts);
	if (o->emit && !sr_unit_emit(o->emit, &text, s->ctx->arena, &why))
		sr_buf_printf(say, "\n  tiles: not written: %s", why);
	*n = 0;
	if (o->mode == SR_CODEGEN_OFF || !counts.compiled)
		return;
	if (sr_unit_compile(&u, &text, s->ctx->arena, object, n, &why))
		sr_buf_printf(say, "\n  tiles: %d of %d compiled for %s, %d functions", counts.compiled, counts.tiles, sr_target_names[target], counts.functions);
	else
		sr_buf_printf(say, "\n  tiles: interpreted: %s", why);
}

/* The least of a number of all ranks, on rank 0. */
static int least(struct sr_session *s, int mine)
{
	int *all = SR_NEWS(s->ctx->arena, int, s->launch.size);
	sr_launch_gather(&s->launch, &mine, s->launch.rank ? NULL : all, sizeof mine);
	for (int i = 0; !s->launch.rank && i < s->launch.size; i++)
		mine = all[i] < mine ? all[i] : mine;
	return mine;
}

static bool wanted(const struct sr_session *s, const struct sr_codegen_options *o)
{
	int64_t bytes = sr_unit_bytes(s->program);
	return o->emit || o->mode == SR_CODEGEN_ON || (o->mode == SR_CODEGEN_AUTO && bytes >= WORTH_BYTES);
}

enum sr_status sr_session_load_units(struct sr_session *s, const struct sr_session_options *o)
{
	struct sr_launch *l = &s->launch;
	const char *object = NULL, *why = NULL;
	uint64_t n = 0;
	struct sr_buf say;
	sr_buf_init(&say, s->ctx->arena);
	bool want = !l->rank && wanted(s, &o->codegen);
	sr_launch_broadcast(l, &want, sizeof want);
	if (!want)
		return SR_OK;
	enum sr_target target = (enum sr_target)least(s, (int)sr_target_here());
	if (!l->rank)
		make(s, &o->codegen, target, &object, &n, &say);
	sr_launch_broadcast(l, &n, sizeof n);
	if (n) {
		char *copy = l->rank ? sr_alloc(s->ctx->arena, n, 1) : (char *)(uintptr_t)object;
		sr_launch_broadcast(l, copy, n);
		int loaded = l->spare || sr_unit_load(copy, n, s->program->steps.n, &s->unit, s->ctx->arena, &why);
		loaded = least(s, loaded);
		sr_launch_broadcast(l, &loaded, sizeof loaded);
		if (!loaded) {
			sr_session_release_units(s);
			sr_buf_printf(&say, "\n  tiles: interpreted after all: %s", why ? why : "a rank cannot load them");
		}
	}
	if (o->node)
		sr_buf_put(o->node, say.data, say.n);
	return SR_OK;
}

void sr_session_release_units(struct sr_session *s)
{
	sr_unit_release(s->unit);
	s->unit = NULL;
}
