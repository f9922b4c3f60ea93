/* The text of a program's tiles. */
#include "codegen/jit.h"
#include "codegen/loop_c.h"
#include "codegen/nest_c.h"
#include "support/vec.h"
#include <string.h>

const char *const sr_target_names[SR_TARGET_COUNT] = {"base", "avx2", "avx512"};
#if defined(__x86_64__)
const char sr_target_arch[] = "x86_64";
#elif defined(__aarch64__)
const char sr_target_arch[] = "aarch64";
#else
const char sr_target_arch[] = "other";
#endif

enum sr_target sr_target_host(void)
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

static unsigned target_bit(const char *name, size_t n)
{
	if (n == strlen("native") && !strncmp(name, "native", n))
		return 1u << sr_target_host();
	for (int i = 0; i < SR_TARGET_COUNT; i++)
		if (strlen(sr_target_names[i]) == n && !strncmp(name, sr_target_names[i], n))
			return 1u << i;
	return 0;
}

unsigned sr_targets_read(const char *text)
{
	unsigned bits = 0;
	if (!text)
		return 0;
	for (const char *p = text; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
		unsigned bit = target_bit(p, strcspn(p, ","));
		if (!bit)
			return 0;
		bits |= bit;
	}
	return bits;
}

const struct sr_nest *const *sr_jit_nests(const struct sr_program *p, struct sr_arena *arena)
{
	const struct sr_nest **tiles = SR_NEWS(arena, const struct sr_nest *, p->instrs.n + 1);
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		tiles[i] = s->kind == SR_INSTR_NEST ? (const void *)(sr_program_params(p) + s->params) : NULL;
	}
	return tiles;
}

/* ---- the text ---- */

struct made { /* a function */
	const struct sr_nest *tile; /* NULL: of a loop, whose body is text */
	const char *text;
	uint64_t hash;
	int64_t pieces; /* -1: not compiled */
	int part, number; /* number: among those of its part */
};
typedef SR_VEC(struct made) made_list;

/* Functions that are worth a compiler of their own. */
enum { FEW = 16 };

struct writing {
	const struct sr_program *program; /* NULL: no loops */
	const struct sr_nest *const *tiles; /* [n_steps] */
	uint64_t n_steps;
	struct sr_jit_counts *counts;
	made_list made;
	int *of;       /* [n_steps] in made; -1: not compiled */
	bool *within;  /* [n_steps] of a loop that is */
	int n_parts;
	struct part {
		struct sr_buf body;
		struct sr_c_functions *functions;
		int n;
	} parts[SR_JIT_SOURCE_FILES];
};

static uint64_t hash_of(const void *bytes, size_t n)
{
	uint64_t h = 14695981039346656037u;
	for (size_t i = 0; i < n; i++)
		h = (h ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
	return h;
}

/* An equal function, of a part or (-1) of any; -1: there is none. */
static int find(const made_list *list, const struct made *m, int part)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct made *o = &list->data[i];
		if (o->hash != m->hash || (part >= 0 && o->part != part) || !o->tile != !m->tile)
			continue;
		if (m->tile ? o->tile->bytes == m->tile->bytes && !memcmp(o->tile, m->tile, m->tile->bytes) : !strcmp(o->text, m->text))
			return (int)i;
	}
	return -1;
}

static int next_part(const struct writing *w)
{
	return w->counts->functions % w->n_parts;
}

static int enter(struct writing *w, struct made m, struct sr_arena *arena)
{
	if (m.pieces >= 0) {
		w->counts->functions++;
		w->parts[m.part].n++;
	}
	sr_push(arena, &w->made, m);
	return (int)w->made.n - 1;
}

/* The function of a tile, in a part or (-1) in any. */
static int make_tile(struct writing *w, const struct sr_nest *t, int part, struct sr_arena *arena)
{
	struct made m = {.tile = t, .hash = hash_of(t, t->bytes)};
	int old = find(&w->made, &m, part);
	if (old >= 0)
		return old;
	m.part = part >= 0 ? part : next_part(w);
	struct part *p = &w->parts[m.part];
	size_t before = p->body.n;
	m.number = p->n;
	if (!sr_nest_c(t, m.number, &p->body, p->functions, &m.pieces)) {
		p->body.n = before;
		m.pieces = -1;
	}
	return enter(w, m, arena);
}

/* ---- loops ---- */

struct loop_tiles {
	struct writing *w;
	struct sr_arena *arena;
	int part;
};

static bool find_tile(void *data, uint64_t step, int *number, int64_t *pieces)
{
	struct loop_tiles *l = data;
	int i = make_tile(l->w, l->w->tiles[step], l->part, l->arena); /* the list may move */
	const struct made *m = &l->w->made.data[i];
	*number = m->number;
	*pieces = m->pieces;
	return m->pieces >= 0;
}

static void cover(struct writing *w, uint64_t plan);

static void cover_step(struct writing *w, const struct sr_instr *s)
{
	const void *params = sr_program_params(w->program) + s->params;
	if (s->kind == SR_INSTR_WHILE) {
		cover(w, (uint64_t)((const struct sr_while_instr *)params)->cond);
		cover(w, (uint64_t)((const struct sr_while_instr *)params)->body);
	} else if (s->kind == SR_INSTR_CASE) {
		for (int32_t k = 0; k < ((const struct sr_case_instr *)params)->n; k++)
			cover(w, (uint64_t)(((const struct sr_case_instr *)params)->first + k));
	}
}

static void cover(struct writing *w, uint64_t plan)
{
	const struct sr_computation *range = sr_program_computations(w->program) + plan;
	for (uint64_t i = range->first; i < (uint64_t)range->first + range->n; i++) {
		w->within[i] = true;
		cover_step(w, sr_program_instrs(w->program) + i);
	}
}

/* A loop that comes to nothing leaves its tiles' functions, which its steps use. */
static void make_loop(struct writing *w, uint64_t step, struct sr_arena *arena)
{
	struct loop_tiles l = {w, arena, next_part(w)};
	struct sr_regions regions;
	struct sr_buf text;
	struct made m = {.part = l.part, .pieces = 1};
	sr_buf_init(&text, arena);
	sr_loop_regions(w->program, step, arena, &regions);
	if (!sr_loop_c(w->program, step, &regions, &(struct sr_loop_nest_functions){find_tile, &l}, &text, w->parts[l.part].functions))
		return;
	m.text = sr_buf_string(&text);
	m.hash = hash_of(m.text, text.n);
	w->of[step] = find(&w->made, &m, l.part);
	if (w->of[step] < 0) {
		m.number = w->parts[l.part].n;
		sr_buf_printf(&w->parts[l.part].body, "static void sr_loop_%d%s", m.number, m.text);
		w->of[step] = enter(w, m, arena);
	}
	w->counts->loops++;
	cover_step(w, sr_program_instrs(w->program) + step);
}

/* ---- files ---- */

/* Tables that sr_jit_load reads: the part's functions, and which of them each step is. */
static void tables(struct sr_buf *out, const struct writing *w, int part)
{
	sr_buf_puts(out, "const struct { void (*run)(void *const *, int64_t, int64_t); int64_t pieces; } sr_jit_nests[] = {\n");
	for (size_t i = 0; i < w->made.n; i++)
		if (w->made.data[i].pieces >= 0 && w->made.data[i].part == part)
			sr_buf_printf(out, "\t{sr_%s_%d, %lld},\n", w->made.data[i].tile ? "tile" : "loop", w->made.data[i].number,
				      (long long)w->made.data[i].pieces);
	sr_buf_puts(out, "\t{0, 0}\n};\n/* step, function */\nconst int32_t sr_unit_steps[][2] = {\n");
	for (uint64_t i = 0; i < w->n_steps; i++) {
		const struct made *m = w->of[i] >= 0 ? &w->made.data[w->of[i]] : NULL;
		if (m && m->pieces >= 0 && m->part == part)
			sr_buf_printf(out, "\t{%llu, %d},\n", (unsigned long long)i, m->number);
	}
	sr_buf_puts(out, "\t{-1, -1}\n};\n");
}

static int different(const struct writing *w, struct sr_arena *arena)
{
	made_list list = {0};
	for (uint64_t i = 0; i < w->n_steps; i++) {
		struct made m = {.tile = w->tiles[i], .hash = w->tiles[i] ? hash_of(w->tiles[i], w->tiles[i]->bytes) : 0};
		if (m.tile && find(&list, &m, -1) < 0)
			sr_push(arena, &list, m);
	}
	return (int)list.n;
}

static void make_all(struct writing *w, struct sr_arena *arena)
{
	for (uint64_t i = 0; w->program && i < w->n_steps; i++) /* those outside come before those within */
		if (!w->within[i] && sr_loop_is_compilable(w->program, i))
			make_loop(w, i, arena);
	for (uint64_t i = 0; i < w->n_steps; i++) {
		if (!w->tiles[i])
			continue;
		w->counts->tiles++;
		if (!w->within[i])
			w->of[i] = make_tile(w, w->tiles[i], -1, arena);
		w->counts->compiled += w->within[i] || w->made.data[w->of[i]].pieces >= 0;
	}
}

void sr_jit_generate(const struct sr_program *program, const struct sr_nest *const *tiles, uint64_t n_steps, struct sr_arena *arena,
		   struct sr_jit_source *out, struct sr_jit_counts *counts)
{
	struct writing w = {.program = program, .tiles = tiles, .n_steps = n_steps, .counts = counts};
	w.n_parts = (different(&w, arena) + FEW - 1) / FEW;
	w.n_parts = w.n_parts < 1 ? 1 : w.n_parts > SR_JIT_SOURCE_FILES ? SR_JIT_SOURCE_FILES : w.n_parts;
	w.of = SR_NEWS(arena, int, n_steps + 1);
	w.within = SR_NEWS(arena, bool, n_steps + 1);
	for (uint64_t i = 0; i < n_steps; i++)
		w.of[i] = -1;
	*counts = (struct sr_jit_counts){0};
	for (int k = 0; k < w.n_parts; k++) {
		sr_buf_init(&w.parts[k].body, arena);
		w.parts[k].functions = SR_NEW(arena, struct sr_c_functions);
	}
	make_all(&w, arena);
	out->n = w.n_parts;
	for (int k = 0; k < w.n_parts; k++) {
		struct sr_buf *text = &out->parts[k];
		sr_buf_init(text, arena);
		sr_buf_puts(text, "/* Tiles and loops of a program, as shardrun compiles them. */\n");
		sr_c_prelude(text, w.parts[k].functions);
		sr_buf_put(text, w.parts[k].body.data, w.parts[k].body.n);
		tables(text, &w, k);
	}
}
