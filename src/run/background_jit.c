/* Implementation of JIT compilation in the background: the thread that compiles programs, and its queue (see background_jit.h). */
#include "run/background_jit.h"
#include "run/executable.h"
#include "support/checked.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	MAX_QUEUED = 64,            /* maximum number of queued requests; further ones are repeated later */
	/* compiling one function takes about as long as interpreted loop nests take to access this many bytes */
	BYTES_OF_FUNCTION = 64 << 20,
	/* finding the compiler and computing the key of a module takes as long as interpreted loop nests take to access this many bytes */
	BYTES_OF_LOOKUP = 32 << 10
};

enum state { WATCHED, QUEUED, RUNNING, ENDED };

struct sr_jit_request {
	/* number of executions of the first device until compilation is requested; 0: it has been requested, or never will be */
	_Atomic int64_t countdown;
	struct sr_jit_module *_Atomic module; /* the compiled module; NULL: not compiled yet */
	struct sr_executable *e;
	struct sr_jit_options options;
	struct sr_cache cache;
	int64_t benefit;           /* bytes that one execution accesses in loop nests (sr_jit_benefit_bytes) */
	int64_t executions;        /* number of executions that were waited for before compiling */
	enum state state;          /* state of the request; protected by the lock */
	_Atomic bool is_cancelled;
	struct sr_jit_request *next;
	struct sr_jit_counts counts;
	char reason[200];          /* reason why the program stays interpreted; "": unknown */
};

struct sr_background_jit {
	pthread_mutex_t lock;
	/* signalled when a request is queued or the thread must end; signalled when a request has ended */
	pthread_cond_t request, end;
	pthread_t thread;
	bool has_thread, is_closing;
	struct sr_jit_request *first, **last;
	int n;
};

struct sr_background_jit *sr_background_jit_new(void)
{
	struct sr_background_jit *b = calloc(1, sizeof *b);
	if (!b)
		return NULL;
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->request, NULL);
	pthread_cond_init(&b->end, NULL);
	b->last = &b->first;
	return b;
}

void sr_background_jit_free(struct sr_background_jit *b)
{
	if (!b)
		return;
	pthread_mutex_lock(&b->lock);
	b->is_closing = true;
	pthread_cond_signal(&b->request);
	pthread_mutex_unlock(&b->lock);
	if (b->has_thread)
		pthread_join(b->thread, NULL);
	pthread_cond_destroy(&b->end);
	pthread_cond_destroy(&b->request);
	pthread_mutex_destroy(&b->lock);
	free(b);
}

/* ---- compiling ---- */

/* Set the number of executions to wait for before compiling, so that the bytes they access take as long as compiling `functions`
 * functions. */
static void wait_for_executions(struct sr_jit_request *r, int64_t functions)
{
	int64_t bytes;
	if (sr_mul_overflows(functions, (int64_t)BYTES_OF_FUNCTION, &bytes))
		bytes = INT64_MAX;
	int64_t total = bytes / r->benefit + 1;
	int64_t n_more_executions = total > r->executions ? total - r->executions : 1;
	r->executions += n_more_executions;
	atomic_store_explicit(&r->countdown, n_more_executions, memory_order_relaxed);
}

/* Return true if another process of this node compiles the program; its object code is then taken from the cache. */
static bool is_compiled_elsewhere(const struct sr_jit_request *r)
{
	const struct sr_client *c = r->e->client;
	return r->options.cache && r->options.cache->folder && c->n_node_ranks > 1 && c->node_ranks[0].rank != c->launch.rank;
}

struct compilation {
	struct sr_jit_request *r;
	struct sr_arena *arena;
	struct sr_digest key;
	bool awaits_executions; /* set if the program must be executed more often before it is compiled */
};

/* Wait until another process of this node, which compiles the program, has put it into the cache. Returns false if that takes too
 * long. */
static bool wait_for_cache(struct compilation *c, struct sr_program_object *out)
{
	enum { POLLS_PER_S = 10 };
	struct sr_jit_request *r = c->r;
	bool is_found = false;
	for (int i = 0; !is_found && i < SR_JIT_COMPILE_SECONDS * POLLS_PER_S && !atomic_load(&r->is_cancelled); i++) {
		nanosleep(&(struct timespec){.tv_nsec = 1000000000 / POLLS_PER_S}, NULL);
		is_found = sr_jit_cache_get(&r->options, &c->key, c->arena, out, &r->counts);
	}
	return is_found;
}

/* Compile the program. Sets c->awaits_executions instead if it must be executed more often before compiling pays off. */
static bool compile(struct compilation *c, struct sr_program_object *out, const char **why)
{
	struct sr_jit_request *r = c->r;
	const struct sr_program *p = r->e->program;
	struct sr_jit_source text = {0};
	struct sr_jit_options o = r->options;
	sr_jit_generate(p, sr_jit_nests(p, c->arena), p->instrs.n, c->arena, &text, &r->counts);
	if (!r->counts.functions) {
		*why = "no loop nest can be compiled";
		return false;
	}
	c->awaits_executions = r->executions < (int64_t)BYTES_OF_FUNCTION / r->benefit * r->counts.functions;
	o.memory = sr_executable_free_memory(r->e, c->arena);
	if (c->awaits_executions || (is_compiled_elsewhere(r) && wait_for_cache(c, out)))
		return !c->awaits_executions;
	if (!sr_jit_compile(&o, &text, c->arena, out, why))
		return false;
	sr_jit_cache_put(&o, &c->key, c->arena, out, &r->counts);
	return true;
}

/* Get the JIT module of the request's program: one that this process has loaded, one from the cache, or a newly compiled one. */
static enum sr_status compile_request(void *data)
{
	struct compilation *c = data;
	struct sr_jit_request *r = c->r;
	struct sr_program_object object;
	struct sr_jit_module *module = NULL;
	const char *why = "";
	bool succeeded = sr_jit_key(&r->options, r->e->program, c->arena, &c->key, &why);
	if (succeeded)
		module = sr_jit_module_find(&c->key, &r->counts);
	if (succeeded && !module) {
		succeeded = sr_jit_cache_get(&r->options, &c->key, c->arena, &object, &r->counts) || compile(c, &object, &why);
		succeeded = succeeded && sr_jit_load(object.object, object.n, r->e->program->instrs.n,
						     &module, c->arena, &why);
		if (succeeded)
			sr_jit_module_add(module, &c->key, &r->counts);
	}
	if (succeeded)
		atomic_store_explicit(&r->module, module, memory_order_release);
	else if (!c->awaits_executions)
		snprintf(r->reason, sizeof r->reason, "%s", why);
	return SR_OK;
}

/* Process a request whose state is RUNNING. Returns its next state. */
static enum state process_request(struct sr_jit_request *r)
{
	struct compilation c = {.r = r, .arena = sr_arena_new()};
	enum sr_status status = c.arena ? sr_arena_guarded(c.arena, compile_request, &c) : SR_NO_MEMORY;
	sr_arena_free(c.arena);
	if (status)
		snprintf(r->reason, sizeof r->reason, "out of memory");
	if (c.awaits_executions)
		return WATCHED;
	return ENDED;
}

static void *thread_main(void *data)
{
	struct sr_background_jit *b = data;
	pthread_mutex_lock(&b->lock);
	for (;;) {
		while (!b->first && !b->is_closing)
			pthread_cond_wait(&b->request, &b->lock);
		struct sr_jit_request *r = b->first;
		if (!r)
			break;
		b->first = r->next;
		b->last = b->first ? b->last : &b->first;
		b->n--;
		r->state = RUNNING;
		pthread_mutex_unlock(&b->lock);
		enum state state = process_request(r);
		pthread_mutex_lock(&b->lock);
		r->state = state;
		if (state == WATCHED)
			wait_for_executions(r, r->counts.functions);
		pthread_cond_broadcast(&b->end);
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

/* ---- requests ---- */

static void request(struct sr_jit_request *r)
{
	struct sr_background_jit *b = r->e->client->background_jit;
	pthread_mutex_lock(&b->lock);
	if (!b->has_thread)
		b->has_thread = sr_thread_begin(&b->thread, thread_main, b);
	if (!b->has_thread) {
		snprintf(r->reason, sizeof r->reason, "no thread can be started");
		r->state = ENDED;
	} else if (b->n == MAX_QUEUED) {
		wait_for_executions(r, 1);
	} else if (r->state == WATCHED) {
		r->state = QUEUED;
		r->next = NULL;
		*b->last = r;
		b->last = &r->next;
		b->n++;
		pthread_cond_signal(&b->request);
	}
	pthread_mutex_unlock(&b->lock);
}

const struct sr_jit_module *sr_background_jit_module(const struct sr_jit_request *r)
{
	return atomic_load_explicit(&r->module, memory_order_acquire);
}

const struct sr_jit_module *sr_background_jit_poll(struct sr_jit_request *r, bool counts, const struct sr_jit_module *loaded)
{
	const struct sr_jit_module *module = sr_background_jit_module(r);
	if (module)
		return module;
	if (counts && sr_relaxed_load(r->countdown) > 0 && atomic_fetch_sub_explicit(&r->countdown, 1, memory_order_relaxed) == 1)
		request(r);
	return loaded;
}

void sr_background_jit_watch(struct sr_executable *e, const struct sr_codegen_options *o, enum sr_isa target,
			     struct sr_arena *arena)
{
	int64_t benefit = sr_jit_benefit_bytes(e->program);
	struct sr_digest key;
	struct sr_jit_counts counts;
	const char *why;
	const struct sr_jit_options options = {.compiler = o->compiler ? o->compiler : "cc", .target = target};
	if (!benefit || !e->client->background_jit || sr_executable_is_idle(e))
		return;
	/* a module of a smaller program is looked up when compilation is requested */
	if (benefit >= BYTES_OF_LOOKUP && sr_jit_key(&options, e->program, arena, &key, &why) && (e->jit = sr_jit_module_find(&key, &counts)))
		return;
	struct sr_jit_request *r = SR_NEW(arena, struct sr_jit_request);
	*r = (struct sr_jit_request){.e = e, .benefit = benefit};
	if (o->cache)
		r->cache = *o->cache;
	r->options = (struct sr_jit_options){.compiler = sr_strdup(arena, o->compiler ? o->compiler : "cc"),
					     .target = target,
					     .timeout_s = SR_JIT_COMPILE_SECONDS,
					     .cache = o->cache ? &r->cache : NULL,
					     .cancel = &r->is_cancelled};
	wait_for_executions(r, 1);
	e->request = r;
}

void sr_background_jit_cancel(struct sr_executable *e)
{
	struct sr_jit_request *r = e->request;
	if (!r)
		return;
	struct sr_background_jit *b = e->client->background_jit;
	pthread_mutex_lock(&b->lock);
	atomic_store(&r->is_cancelled, true);
	for (struct sr_jit_request **at = &b->first; r->state == QUEUED && *at; at = &(*at)->next)
		if (*at == r) {
			*at = r->next;
			b->last = *at ? b->last : at;
			b->n--;
			break;
		}
	while (r->state == RUNNING)
		pthread_cond_wait(&b->end, &b->lock);
	r->state = ENDED;
	atomic_store(&r->countdown, 0);
	pthread_mutex_unlock(&b->lock);
	e->jit = e->jit ? e->jit : atomic_load(&r->module);
}

enum sr_jit_progress sr_background_jit_progress(const struct sr_executable *e)
{
	const struct sr_jit_request *r = e->request;
	if (!r)
		return SR_JIT_NOT_REQUESTED;
	if (atomic_load(&r->module))
		return SR_JIT_COMPILED;
	pthread_mutex_lock(&e->client->background_jit->lock);
	bool has_failed = r->state == ENDED;
	pthread_mutex_unlock(&e->client->background_jit->lock);
	return has_failed ? SR_JIT_FAILED : SR_JIT_PENDING;
}

void sr_background_jit_describe(const struct sr_executable *e, struct sr_buf *out)
{
	const struct sr_jit_request *r = e->request;
	if (!r)
		return;
	if (atomic_load(&r->module))
		sr_buf_printf(out, "\n  loop nests: %d of %d compiled in the background for %s, and %d loops, %d functions",
			      r->counts.compiled, r->counts.nests, sr_isa_names[r->options.target], r->counts.loops,
			      r->counts.functions);
	else
		sr_buf_printf(out, "\n  loop nests: interpreted: %s",
			      *r->reason ? r->reason : "compiling takes longer than they have taken so far");
}
