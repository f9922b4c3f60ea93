/* The text of a program's tiles. */
#include "codegen/unit.h"
#include "codegen/tile_c.h"
#include "support/checked.h"
#include "support/vec.h"
#include <string.h>

const char *const sr_target_names[SR_TARGET_COUNT] = {"base", "avx2", "avx512"};

enum sr_target sr_target_here(void)
{
#if defined(__x86_64__)
	__builtin_cpu_init();
	bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2") &&
		    __builtin_cpu_supports("lzcnt");
	if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
		return SR_TARGET_AVX512;
	return avx2 ? SR_TARGET_AVX2 : SR_TARGET_BASE;
#else
	return SR_TARGET_BASE;
#endif
}

const struct sr_tile *const *sr_unit_tiles(const struct sr_program *p, struct sr_arena *arena)
{
	const struct sr_tile **tiles = SR_NEWS(arena, const struct sr_tile *, p->steps.n + 1);
	for (uint64_t i = 0; i < p->steps.n; i++) {
		const struct sr_step *s = sr_program_steps(p) + i;
		tiles[i] = s->kind == SR_STEP_TILE ? (const void *)(sr_program_params(p) + s->params) : NULL;
	}
	return tiles;
}

/* ---- how much there is to gain ---- */

enum { UNKNOWN_TRIPS = 64, MOST_TRIPS = 1 << 20 };

static int64_t tile_bytes(const struct sr_program *p, const struct sr_step *s)
{
	int64_t bytes = 0;
	for (uint32_t i = 0; i < s->n_operands; i++)
		if (sr_add_overflows(bytes, sr_program_buffers(p)[sr_program_operands(p)[s->first_operand + i]].bytes, &bytes))
			return INT64_MAX;
	return bytes;
}

/* Plans come after those that own them or before; a loop in a loop is counted by its own trips and once more by those outside. */
static int64_t plan_bytes(const struct sr_program *p, uint64_t plan, int depth)
{
	const struct sr_plan *range = sr_program_plans(p) + plan;
	int64_t total = 0;
	for (uint64_t i = range->first; i < (uint64_t)range->first + range->n; i++) {
		const struct sr_step *s = sr_program_steps(p) + i;
		int64_t bytes = 0;
		if (s->kind == SR_STEP_TILE) {
			bytes = tile_bytes(p, s);
		} else if (s->kind == SR_STEP_WHILE && depth < 8) {
			const struct sr_while_step *w = (const void *)(sr_program_params(p) + s->params);
			int64_t trips = w->trips < 0 ? UNKNOWN_TRIPS : w->trips > MOST_TRIPS ? MOST_TRIPS : w->trips;
			if (sr_add_overflows(plan_bytes(p, (uint64_t)w->cond, depth + 1), plan_bytes(p, (uint64_t)w->body, depth + 1), &bytes) ||
			    sr_mul_overflows(bytes, trips, &bytes))
				return INT64_MAX;
		} else if (s->kind == SR_STEP_CASE && depth < 8) {
			const struct sr_case_step *c = (const void *)(sr_program_params(p) + s->params);
			bytes = c->n > 0 ? plan_bytes(p, (uint64_t)c->first, depth + 1) : 0;
		}
		if (sr_add_overflows(total, bytes, &total))
			return INT64_MAX;
	}
	return total;
}

int64_t sr_unit_bytes(const struct sr_program *p)
{
	return p->plans.n ? plan_bytes(p, 0, 0) : 0;
}

/* ---- the text ---- */

struct made { /* a function */
	const struct sr_tile *tile;
	uint64_t hash;
	int64_t pieces; /* -1: not compiled */
	int part, number; /* number: among those of its part */
};
typedef SR_VEC(struct made) made_list;

static uint64_t hash_of(const struct sr_tile *t)
{
	uint64_t h = 14695981039346656037u;
	for (uint32_t i = 0; i < t->bytes; i++)
		h = (h ^ ((const unsigned char *)t)[i]) * 1099511628211u;
	return h;
}

static const struct made *find(const made_list *list, const struct sr_tile *t, uint64_t hash)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->data[i].hash == hash && list->data[i].tile->bytes == t->bytes && !memcmp(list->data[i].tile, t, t->bytes))
			return &list->data[i];
	return NULL;
}

/* Functions that are worth a compiler of their own. */
enum { FEW = 16 };

struct writing {
	struct sr_unit_counts *counts;
	made_list made;
	int n_parts;
	struct part {
		struct sr_buf body;
		struct sr_c_functions *functions;
		int n;
	} parts[SR_UNIT_PARTS];
};

static const struct made *make(struct writing *w, const struct sr_tile *t, struct sr_arena *arena)
{
	struct made m = {.tile = t, .hash = hash_of(t)};
	const struct made *old = find(&w->made, t, m.hash);
	if (old)
		return old;
	m.part = w->counts->functions % w->n_parts;
	struct part *p = &w->parts[m.part];
	size_t before = p->body.n;
	m.number = p->n;
	if (sr_tile_c(t, m.number, &p->body, p->functions, &m.pieces)) {
		w->counts->functions++;
		p->n++;
	} else {
		p->body.n = before;
		m.pieces = -1;
	}
	sr_push(arena, &w->made, m);
	return &w->made.data[w->made.n - 1];
}

/* Tables that sr_unit_load reads: the part's functions, and which of them each step is. */
static void tables(struct sr_buf *out, const struct writing *w, int part, const struct made *const *steps, uint64_t n_steps)
{
	sr_buf_puts(out, "const struct { void (*run)(void *const *, int64_t, int64_t); int64_t pieces; } sr_unit_tiles[] = {\n");
	for (size_t i = 0; i < w->made.n; i++)
		if (w->made.data[i].pieces >= 0 && w->made.data[i].part == part)
			sr_buf_printf(out, "\t{sr_tile_%d, %lld},\n", w->made.data[i].number, (long long)w->made.data[i].pieces);
	sr_buf_puts(out, "\t{0, 0}\n};\n/* step, function */\nconst int32_t sr_unit_steps[][2] = {\n");
	for (uint64_t i = 0; i < n_steps; i++)
		if (steps[i] && steps[i]->part == part)
			sr_buf_printf(out, "\t{%llu, %d},\n", (unsigned long long)i, steps[i]->number);
	sr_buf_puts(out, "\t{-1, -1}\n};\n");
}

static int different(const struct sr_tile *const *tiles, uint64_t n_steps, struct sr_arena *arena)
{
	made_list list = {0};
	for (uint64_t i = 0; i < n_steps; i++) {
		uint64_t hash = tiles[i] ? hash_of(tiles[i]) : 0;
		if (tiles[i] && !find(&list, tiles[i], hash))
			sr_push(arena, &list, ((struct made){.tile = tiles[i], .hash = hash}));
	}
	return (int)list.n;
}

void sr_unit_write(const struct sr_tile *const *tiles, uint64_t n_steps, struct sr_arena *arena, struct sr_unit_text *out,
		   struct sr_unit_counts *counts)
{
	struct writing w = {.counts = counts, .n_parts = (different(tiles, n_steps, arena) + FEW - 1) / FEW};
	const struct made **steps = SR_NEWS(arena, const struct made *, n_steps + 1);
	int *numbers = SR_NEWS(arena, int, n_steps + 1);
	w.n_parts = w.n_parts < 1 ? 1 : w.n_parts > SR_UNIT_PARTS ? SR_UNIT_PARTS : w.n_parts;
	*counts = (struct sr_unit_counts){0};
	for (int k = 0; k < w.n_parts; k++) {
		sr_buf_init(&w.parts[k].body, arena);
		w.parts[k].functions = SR_NEW(arena, struct sr_c_functions);
	}
	for (uint64_t i = 0; i < n_steps; i++) {
		numbers[i] = -1;
		if (!tiles[i])
			continue;
		const struct made *m = make(&w, tiles[i], arena);
		counts->tiles++;
		counts->compiled += m->pieces >= 0;
		if (m->pieces >= 0)
			numbers[i] = (int)(m - w.made.data);
	}
	for (uint64_t i = 0; i < n_steps; i++) /* now that the list does not move any more */
		steps[i] = numbers[i] >= 0 ? &w.made.data[numbers[i]] : NULL;
	out->n = w.n_parts;
	for (int k = 0; k < w.n_parts; k++) {
		struct sr_buf *text = &out->parts[k];
		sr_buf_init(text, arena);
		sr_buf_puts(text, "/* Tiles of a program, as shardrun compiles them. */\n");
		sr_c_head(text, w.parts[k].functions);
		sr_buf_put(text, w.parts[k].body.data, w.parts[k].body.n);
		tables(text, &w, k, steps, n_steps);
	}
}
