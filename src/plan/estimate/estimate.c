/* Estimate the time of a program: add up the costs of its instructions, with a function for each kind; nested computations
 * count as often as they are executed. */
#include "plan/estimate/estimate.h"
#include "collectives/schedule.h"
#include "cost/machine_text.h"
#include <math.h>

struct sr_computation_estimate {
	/* cost of one execution of the computation: of its instructions that compute, and of its collectives */
	struct sr_cost compute, collectives;
	int64_t unknown_loops;
};

typedef struct sr_computation_estimate estimate;
typedef void step_fn(struct sr_estimator *e, const struct sr_instr *instr, estimate *out);

/* Return the estimate of a nested computation. Nested computations come later in the program and are estimated first. */
static const estimate *nested_estimate(const struct sr_estimator *e, int64_t computation)
{
	return &e->computations[computation];
}

static void add_scaled(estimate *sum, const estimate *addend, double n)
{
	struct sr_cost compute = sr_cost_scale(addend->compute, n), collectives = sr_cost_scale(addend->collectives, n);
	sr_cost_add(&sum->compute, &compute);
	sr_cost_add(&sum->collectives, &collectives);
	sum->unknown_loops += addend->unknown_loops;
}

static const void *params_of(const struct sr_estimator *e, const struct sr_instr *instr)
{
	return sr_program_params(e->p) + instr->params;
}

/* The end and the release of a collective cost nothing: its start counts them. */
static void no_cost(struct sr_estimator *e, const struct sr_instr *instr, estimate *out)
{
	(void)e, (void)instr, (void)out;
}

static void fixed_cost(struct sr_estimator *e, const struct sr_instr *instr, estimate *out)
{
	(void)instr;
	out->compute = sr_cost_of_elementwise(&e->machine, &(struct sr_elementwise_work){0});
}

static void kernel(struct sr_estimator *e, const struct sr_instr *instr, estimate *out)
{
	out->compute = sr_estimate_kernel(e->p, instr, &e->machine);
}

static void nest(struct sr_estimator *e, const struct sr_instr *instr, estimate *out)
{
	out->compute = sr_estimate_nest(e->p, instr, &e->machine);
}

static void collective(struct sr_estimator *e, const struct sr_instr *instr, estimate *out)
{
	out->collectives = sr_estimate_collective(e, instr);
}

static void loop(struct sr_estimator *e, const struct sr_instr *instr, estimate *out)
{
	const struct sr_while_instr *w = params_of(e, instr);
	double trips = w->trips < 0 ? 1 : (double)w->trips;
	add_scaled(out, nested_estimate(e, w->body), trips);
	add_scaled(out, nested_estimate(e, w->cond), trips + 1);
	out->unknown_loops += w->trips < 0;
}

static void branches(struct sr_estimator *e, const struct sr_instr *instr, estimate *out)
{
	const struct sr_case_instr *c = params_of(e, instr);
	double max_seconds = -1;
	for (int32_t i = 0; i < c->n; i++) {
		const estimate *branch = nested_estimate(e, c->first + i);
		double seconds = branch->compute.seconds + branch->collectives.seconds;
		if (seconds > max_seconds)
			*out = *branch;
		max_seconds = fmax(max_seconds, seconds);
	}
}

static double product(const int64_t *extents, int n)
{
	double n_points = 1;
	for (int i = 0; i < n; i++)
		n_points *= (double)extents[i];
	return n_points;
}

/* Return how many times an instruction with a body executes its computation. */
static double body_runs(const struct sr_body_instr *b)
{
	const struct sr_reduce_params *r = &b->u.reduce;
	const struct sr_reduce_window_params *w = &b->u.window;
	const struct sr_sort_params *s = &b->u.sort;
	double n = 1;
	switch ((enum sr_body_kind)b->kind) {
	case SR_BODY_REDUCE:
		for (int d = 0; d < r->rank; d++)
			n *= r->reduced[d] ? (double)r->shape[d] : 1;
		return n;
	case SR_BODY_REDUCE_WINDOW:
		return product(w->window, w->rank);
	case SR_BODY_SELECT:
		return product(w->window, w->rank) * product(w->out, w->rank);
	case SR_BODY_SORT:
		return (double)s->outer * (double)s->inner * (double)s->length * log2(fmax(2, (double)s->length));
	case SR_BODY_SCATTER:
		return product(b->u.scatter.g.out, b->u.scatter.g.out_rank);
	}
	return n;
}

/* Estimate the cost of an instruction with a body: its computation, and copying the computation's arguments element by element. */
static void body(struct sr_estimator *e, const struct sr_instr *instr, estimate *out)
{
	const struct sr_body_instr *b = params_of(e, instr);
	double runs = body_runs(b);
	struct sr_elementwise_work fetch = {0};
	fetch.elements[SR_WORK_SCATTERED] = runs * (double)b->lanes * b->k * 2;
	struct sr_cost cost = sr_cost_of_elementwise(&e->machine, &fetch);
	add_scaled(out, nested_estimate(e, b->computation), runs);
	sr_cost_add(&out->compute, &cost);
}

/* Estimate the cost of a grid of programs. Its functions run at the same time, so the most expensive one counts. */
static void parallel(struct sr_estimator *e, const struct sr_instr *instr, estimate *out)
{
	const struct sr_parallel_instr *k = params_of(e, instr);
	const int64_t *functions = sr_program_ids(e->p) + k->functions;
	double max_seconds = -1;
	for (int32_t i = 0; i < k->n_functions; i++) {
		const estimate *f = nested_estimate(e, functions[5 * i]);
		double seconds = f->compute.seconds + f->collectives.seconds;
		if (seconds > max_seconds)
			*out = *f;
		max_seconds = fmax(max_seconds, seconds);
	}
}

static step_fn *const estimators[SR_INSTR_COUNT] = {
	[SR_INSTR_KERNEL] = kernel,
	[SR_INSTR_COLLECTIVE] = collective,
	[SR_INSTR_WHILE] = loop,
	[SR_INSTR_CASE] = branches,
	[SR_INSTR_DEVICE_ID] = fixed_cost,
	[SR_INSTR_BODY] = body,
	[SR_INSTR_CUSTOM_CALL] = fixed_cost,
	[SR_INSTR_CHECK] = fixed_cost,
	[SR_INSTR_PARALLEL] = parallel,
	[SR_INSTR_NEST] = nest,
	[SR_INSTR_FINISH] = no_cost,
	[SR_INSTR_RELEASE] = no_cost,
};

static void estimate_computation(struct sr_estimator *e, const struct sr_computation *computation, estimate *out)
{
	for (uint32_t i = 0; i < computation->n; i++) {
		const struct sr_instr *instr = sr_program_instrs(e->p) + computation->first + i;
		estimate one = {0};
		estimators[instr->kind](e, instr, &one);
		add_scaled(out, &one, 1);
	}
}

static bool has_collectives(const struct sr_program *p)
{
	for (uint64_t i = 0; i < p->instrs.n; i++)
		if (sr_program_instrs(p)[i].kind == SR_INSTR_COLLECTIVE)
			return true;
	return false;
}

static struct sr_estimator estimator_new(const struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena)
{
	struct sr_estimator e = {.p = p, .arena = arena, .computations = SR_NEW_ARRAY(arena, estimate, p->computations.n)};
	struct sr_machine default_machine;
	struct sr_selection *selection;
	const char *message;
	sr_machine_default(&default_machine);
	sr_machine_of_rank(machine ? machine : &default_machine, p->n_devices, &e.machine);
	if (has_collectives(p) && !sr_selection_parse(arena, NULL, &selection, &message))
		e.selection = selection;
	return e;
}

void sr_estimate_instrs(const struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena, struct sr_cost *instrs)
{
	struct sr_estimator e = estimator_new(p, machine, arena);
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *instr = sr_program_instrs(p) + i;
		estimate one = {0};
		if (instr->kind == SR_INSTR_KERNEL || instr->kind == SR_INSTR_NEST || instr->kind == SR_INSTR_COLLECTIVE)
			estimators[instr->kind](&e, instr, &one);
		instrs[i] = one.compute;
		sr_cost_add(&instrs[i], &one.collectives);
	}
}

void sr_estimate_collectives(struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena)
{
	struct sr_estimator e = estimator_new(p, machine, arena);
	char *params = (char *)p + p->params.offset;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *instr = sr_program_instrs(p) + i;
		if (instr->kind == SR_INSTR_COLLECTIVE)
			((struct sr_collective_instr *)(void *)(params + instr->params))->seconds =
			    sr_estimate_collective(&e, instr).seconds;
	}
}

void sr_estimate_program(const struct sr_program *p, const struct sr_machine *machine, struct sr_arena *arena, struct sr_estimate *out)
{
	struct sr_estimator e = estimator_new(p, machine, arena);
	for (uint64_t i = p->computations.n; i-- > 0;)
		estimate_computation(&e, sr_program_computations(p) + i, &e.computations[i]);
	const struct sr_cost *compute = &e.computations[0].compute, *collectives = &e.computations[0].collectives;
	*out = (struct sr_estimate){.compute_s = compute->seconds,
				    .collectives_s = collectives->seconds,
				    .memory_s = (double)compute->memory_bytes / e.machine.bytes_per_s[SR_LEVEL_MEMORY],
				    .memory_bytes = compute->memory_bytes,
				    .unknown_loops = e.computations[0].unknown_loops};
	for (int l = 0; l < SR_LINK_COUNT; l++)
		out->wire_bytes[l] = collectives->wire_bytes[l];
	out->step_s = out->compute_s + out->collectives_s;
}
