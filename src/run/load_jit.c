/* The program's tiles compiled: by rank 0 for the least instruction set of the ranks, or as the program's file has them; loaded
 * by every device, or by none. */
#include "run/executable.h"
#include <string.h>
#include <time.h>

/* What an execution must go through for tiles to be worth compiling without being asked, and for each function that there would be:
 * what a compiler takes is gained by then. What is executed more than once is taken to be so often. */
static const struct worth {
	int64_t bytes, of_function;
} once = {64 << 20, 64 << 20}, often = {1 << 20, 256 << 10};

/* What compiled code may use beside kernels of an instruction set. */
static const uint64_t target_of[SR_ISA_COUNT] = {[SR_ISA_BASE] = SR_TARGET_BASE, [SR_ISA_AVX2] = SR_TARGET_AVX2,
    [SR_ISA_AVX512] = SR_TARGET_AVX512};

/* From where units may come, one after the other; what no comment says otherwise of is rank 0's. */
struct making {
	struct sr_executable *e; /* all ranks */
	const struct sr_codegen_options *o;
	struct sr_arena *arena;  /* all ranks */
	struct sr_diags *diags;
	struct sr_buf *say;
	enum sr_target most;     /* all ranks: that all run */
	bool want;               /* all ranks: there is something to try */
	bool looked, compiled; /* in the file, by the compiler */
	bool worth;            /* compiling them */
	struct sr_jit_counts counts;
	struct sr_jit_source text;
	struct sr_program_object unit; /* all ranks: of it, n */
	char *object;            /* all ranks: its bytes */
	const char *why;         /* all ranks: why it cannot be loaded; NULL: not known */
	double seconds;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void say_counts(struct making *m, const char *how)
{
	sr_buf_printf(m->say, "\n  tiles: %d of %d %s for %s by %s, and %d loops, %d functions", m->counts.compiled,
		      m->counts.tiles, how, m->unit.target, m->unit.compiler, m->counts.loops, m->counts.functions);
}

static int number_of(const char *target)
{
	for (int i = 0; i < SR_TARGET_COUNT; i++)
		if (!strcmp(target, sr_target_names[i]))
			return i;
	return SR_TARGET_COUNT;
}

/* NULL, or why a unit of the file cannot be used. */
static const char *misfit(const struct making *m, const struct sr_program_object *unit, const struct sr_digest *key)
{
	int number = number_of(unit->target);
	if (strcmp(unit->machine, sr_target_arch) != 0)
		return "another kind of machine";
	if (memcmp(&unit->key, key, sizeof *key) != 0)
		return "made by another version of shardrun";
	if (number > (int)m->most)
		return "more than all ranks have";
	return m->o->targets && !(m->o->targets >> number & 1) ? "not the --target" : NULL;
}

/* The best of the file that all ranks run. */
static bool look(struct making *m)
{
	const struct sr_program_objects *units = m->o->units;
	int best = -1;
	if (!units || !units->n || !m->counts.functions)
		return false;
	struct sr_digest key = sr_jit_key(&m->text);
	for (int i = 0; i < units->n; i++)
		if (!misfit(m, &units->at[i], &key) &&
		    (best < 0 || number_of(units->at[i].target) > number_of(units->at[best].target)))
			best = i;
	for (int i = 0; best < 0 && i < units->n; i++)
		sr_buf_printf(m->say, "\n  tiles: those of the program's file for %s %s are not used: %s", units->at[i].machine,
			      units->at[i].target, misfit(m, &units->at[i], &key));
	if (best < 0)
		return false;
	m->unit = units->at[best];
	say_counts(m, "taken from the program's file, compiled");
	return true;
}

/* The best target that is asked for and that all ranks run; where none is, the best that they run. */
static enum sr_target choose(const struct making *m)
{
	for (int i = (int)m->most; i >= 0; i--)
		if (m->o->targets >> i & 1)
			return (enum sr_target)i;
	return m->most;
}

static bool compile(struct making *m)
{
	const char *why = NULL;
	struct sr_jit_options u = {.compiler = m->o->compiler ? m->o->compiler : "cc",
				    .target = choose(m),
				    .seconds = SR_JIT_COMPILE_SECONDS,
				    .cache = m->o->cache};
	double start = now();
	if (!m->worth || !m->counts.functions)
		return false;
	u.memory = sr_executable_free_memory(m->e, m->arena);
	if (!sr_jit_compile(&u, &m->text, m->arena, &m->unit, &why)) {
		sr_buf_printf(m->say, "\n  tiles: interpreted: %s", why);
		return false;
	}
	m->seconds += now() - start;
	say_counts(m, "compiled");
	sr_buf_printf(m->say, " in %.2f s", m->seconds);
	return true;
}

/* Rank 0: the next object to try; n 0: there is none. */
static enum sr_status next(void *data)
{
	struct making *m = data;
	m->unit = (struct sr_program_object){0};
	if (!m->looked && (m->looked = true) && look(m))
		return SR_OK;
	if (!m->compiled && (m->compiled = true))
		compile(m);
	return SR_OK;
}

static bool worth(const struct sr_executable *e, const struct sr_codegen_options *o, int functions)
{
	const struct worth *w = o->executions == 1 ? &once : &often;
	int64_t all = functions * w->of_function, least = all > w->bytes ? all : w->bytes;
	return o->mode == SR_CODEGEN_ON || (o->mode == SR_CODEGEN_AUTO && sr_jit_benefit_bytes(e->program) >= least);
}

static void decide(struct making *m, int functions)
{
	m->worth = worth(m->e, m->o, functions);
	m->want = m->o->mode != SR_CODEGEN_OFF && (m->worth || (m->o->units && m->o->units->n));
}

/* On rank 0: whether there is something to try, and its text. */
static enum sr_status begin(void *data)
{
	struct making *m = data;
	const struct sr_program *p = m->e->program;
	const char *why;
	if (m->e->client->launch.rank)
		return SR_OK;
	decide(m, 0);
	if (!m->want && !m->o->emit)
		return SR_OK;
	sr_jit_generate(p, sr_jit_nests(p, m->arena), p->instrs.n, m->arena, &m->text, &m->counts);
	decide(m, m->counts.functions);
	if (m->o->emit && !sr_jit_emit_source(m->o->emit, &m->text, m->arena, &why))
		return sr_error(m->diags, SR_USAGE, (struct sr_src_loc){.file = m->o->emit},
				"the C of compiled loops cannot be written: %s", why);
	return SR_OK;
}

/* Collective: the least of a number of all ranks. */
static uint64_t least(struct sr_launch *l, uint64_t mine)
{
	uint64_t all, most;
	sr_launch_min_max(l, mine, &all, &most);
	return all;
}

static enum sr_status make_room(void *data)
{
	struct making *m = data;
	m->object = m->e->client->launch.rank ? sr_alloc(m->arena, m->unit.n, 1) : (char *)(uintptr_t)m->unit.object;
	return SR_OK;
}

static enum sr_status load_object(void *data)
{
	struct making *m = data;
	bool loaded = sr_executable_is_idle(m->e) ||
		      sr_jit_load(m->object, m->unit.n, m->e->program->instrs.n, &m->e->unit, m->arena, &m->why);
	return loaded ? SR_OK : SR_UNSUPPORTED;
}

/* Collective: the object from rank 0 to all, loaded by all devices or by none. */
static bool load(struct making *m)
{
	struct sr_launch *l = &m->e->client->launch;
	if (!least(l, !sr_arena_guarded(m->arena, make_room, m)))
		return false;
	sr_launch_broadcast(l, m->object, m->unit.n);
	if (least(l, !sr_arena_guarded(m->arena, load_object, m)))
		return true;
	sr_jit_release(m->e->unit);
	m->e->unit = NULL;
	return false;
}

enum sr_status sr_executable_load_jit(struct sr_executable *e, const struct sr_executable_options *o, struct sr_arena *arena,
					struct sr_diags *diags)
{
	struct sr_launch *l = &e->client->launch;
	struct sr_buf say;
	struct making m = {.e = e, .arena = arena, .diags = diags, .say = &say, .o = &o->codegen};
	bool loaded = false;
	double start = now();
	sr_buf_init(&say, arena);
	enum sr_status status = sr_client_stage(e->client, begin, &m, diags);
	if (status)
		return status;
	sr_launch_broadcast(l, &m.want, sizeof m.want);
	if (m.want) {
		uint64_t here = (uint64_t)sr_target_host(), most = target_of[e->client->isa];
		m.most = (enum sr_target)least(l, here < most ? here : most);
	}
	while (m.want && !loaded) {
		if (!l->rank && sr_arena_guarded(arena, next, &m))
			m.unit.n = 0;
		sr_launch_broadcast(l, &m.unit.n, sizeof m.unit.n);
		if (!m.unit.n)
			break;
		loaded = load(&m);
		if (!loaded)
			sr_buf_printf(&say, "\n  tiles: these are not used: %s", m.why ? m.why : "a rank cannot load them");
	}
	if (!l->rank && !loaded && !m.worth && o->codegen.mode == SR_CODEGEN_AUTO && sr_jit_benefit_bytes(e->program))
		sr_buf_puts(&say, "\n  loop nests: interpreted, since compiling them takes longer than it gains"
				  " (--codegen=on compiles them)");
	e->jit_s = now() - start;
	if (o->node)
		sr_buf_put(o->node, say.data, say.n);
	return SR_OK;
}
