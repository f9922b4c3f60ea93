/* Effects of each kind of instruction on its operands. */
#include "plan/place/effects.h"
#include "collectives/schedule.h"
#include "kernels/sort_runs.h"

static int64_t bytes_of(const struct sr_plan_builder *b, const struct sr_instr *instr, uint32_t k)
{
	return b->buffers.data[b->operands.data[instr->first_operand + k]].bytes;
}

/* ---- kernels ---- */

/* Return true if a move writes its whole destination, which then has as many elements as are moved. */
static bool moves_all(const struct sr_plan_builder *b, const struct sr_instr *instr)
{
	const struct sr_move_params *m = sr_plan_params(b, instr);
	int64_t n = m->bytes;
	for (int d = 0; d < m->rank; d++)
		n *= m->shape[d];
	return n == bytes_of(b, instr, 1);
}

bool sr_instr_is_copy(const struct sr_plan_builder *b, const struct sr_instr *instr)
{
	if (instr->kind != SR_INSTR_KERNEL)
		return false;
	if (instr->kernel == SR_KERNEL_BITCAST) {
		const struct sr_map_params *p = sr_plan_params(b, instr);
		const struct sr_dtype_info *in = &sr_dtypes[p->in], *out = &sr_dtypes[p->out];
		return in->bits == 8 * in->bytes && out->bits == 8 * out->bytes && bytes_of(b, instr, 0) == bytes_of(b, instr, 1);
	}
	if (instr->kernel != SR_KERNEL_MOVE || !moves_all(b, instr) || bytes_of(b, instr, 0) != bytes_of(b, instr, 1))
		return false;
	const struct sr_move_params *m = sr_plan_params(b, instr);
	int64_t stride = 1;
	for (int d = m->rank - 1; d >= 0; d--) {
		if (m->shape[d] != 1 && (m->src_stride[d] != stride || m->dst_stride[d] != stride))
			return false;
		stride *= m->shape[d];
	}
	return !m->src_offset && !m->dst_offset;
}

static void kernel(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	const struct sr_map_params *map = sr_plan_params(b, instr);
	enum sr_kernel k = (enum sr_kernel)instr->kernel;
	uint32_t n_results = (uint32_t)sr_kernel_result_count(k, (enum sr_dtype)instr->dtype, map),
		 n = instr->n_operands - n_results;
	bool may_share = sr_kernel_prefers_other_memory(k, (enum sr_dtype)instr->dtype, map);
	bool is_in_place = !may_share && sr_kernel_first_aliased_operand(k) >= 0, is_copy = sr_instr_is_copy(b, instr);
	for (uint32_t i = 0; i < n; i++) {
		bool is_elementwise = is_copy || (may_share && b->saves_memory) || (sr_kernel_aliases_elementwise(k, map, i) &&
					bytes_of(b, instr, i) == bytes_of(b, instr, n));
		access[i] = is_elementwise ? SR_EFFECT_READ_ELEMENTWISE : SR_EFFECT_READ;
	}
	for (uint32_t i = 0; i < n_results; i++)
		access[n + i] = is_in_place || (k == SR_KERNEL_MOVE && !moves_all(b, instr)) ? SR_EFFECT_UPDATE : SR_EFFECT_WRITE;
}

/* ---- loop nests ---- */

static bool nest_may_share(const struct sr_plan_builder *b, const struct sr_instr *instr, uint32_t i, uint32_t k)
{
	const struct sr_nest *nest = sr_plan_params(b, instr);
	return sr_nest_outputs(nest)[k - (uint32_t)nest->n_inputs].may_share >> i & 1;
}

static void nest(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	uint32_t n_inputs = (uint32_t)((const struct sr_nest *)sr_plan_params(b, instr))->n_inputs;
	for (uint32_t i = 0; i < instr->n_operands; i++)
		access[i] = i < n_inputs ? SR_EFFECT_READ : SR_EFFECT_WRITE;
	for (uint32_t i = 0; i < n_inputs; i++)
		for (uint32_t k = n_inputs; k < instr->n_operands; k++)
			if (nest_may_share(b, instr, i, k))
				access[i] = SR_EFFECT_READ_ELEMENTWISE;
}

/* ---- collectives, calls and checks ---- */

static void collective(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	const struct sr_collective_instr *c = sr_plan_params(b, instr);
	access[0] = sr_coll_supports_in_place((enum sr_coll)c->coll) ? SR_EFFECT_READ_ELEMENTWISE : SR_EFFECT_READ;
	access[1] = SR_EFFECT_WRITE;
}

/* Effects of a FINISH: the operand is read until this instruction, and the result is complete after it. */
static void finish(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	(void)b;
	access[0] = SR_EFFECT_READ;
	access[instr->n_operands - 1] = SR_EFFECT_UPDATE;
}

static void custom(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	const struct sr_custom_call_instr *c = sr_plan_params(b, instr);
	for (uint32_t i = 0; i < instr->n_operands; i++)
		access[i] = (int64_t)i < c->n_inputs ? SR_EFFECT_READ : SR_EFFECT_WRITE;
}

static void write_all(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	(void)b;
	for (uint32_t i = 0; i < instr->n_operands; i++)
		access[i] = SR_EFFECT_WRITE;
}

static void check(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	const struct sr_check_instr *c = sr_plan_params(b, instr);
	uint32_t n_read = c->kind <= SR_CHECK_CLOSE ? 2 : 1;
	for (uint32_t i = 0; i < instr->n_operands; i++)
		access[i] = i < n_read ? SR_EFFECT_READ : SR_EFFECT_WRITE;
}

/* ---- control ---- */

static void read_first(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	(void)b, (void)instr;
	access[0] = SR_EFFECT_READ;
}

/* Effects at the start of a loop: state without an initial value counts as written, so that it is live from there on. Otherwise
 * its content would seem to begin in each iteration, and would not stay from one iteration to the next. */
static void begin_loop(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	for (uint32_t i = 1; i < instr->n_operands; i++)
		if (b->uses.data[b->operands.data[instr->first_operand + i]] & SR_USE_NO_INITIAL_VALUE)
			access[i] = SR_EFFECT_WRITE;
}

static int loop_computation(const struct sr_plan_builder *b, const struct sr_instr *instr, int i)
{
	const struct sr_while_instr *w = sr_plan_params(b, instr);
	return i == 0 ? w->cond : i == 1 ? w->body : -1;
}

static int branch_computation(const struct sr_plan_builder *b, const struct sr_instr *instr, int i)
{
	const struct sr_case_instr *c = sr_plan_params(b, instr);
	return i < c->n ? c->first + i : -1;
}

/* Effects of an instruction with a body: results are initialized before the first iteration and updated in every iteration;
 * operands that iterations read are live until the iterations end. */
static void body(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access, bool is_at_end)
{
	const struct sr_body_instr *body = sr_plan_params(b, instr);
	enum sr_operand_effect written = is_at_end ? SR_EFFECT_UPDATE : SR_EFFECT_WRITE;
	/* index of the first result; a scatter initializes its results with its operands */
	int first_result = body->arguments - body->k;
	for (int i = 0; i < (int)instr->n_operands; i++)
		access[i] = (uint8_t)(i < first_result	  ? SR_EFFECT_READ
				      : i < body->results ? written
				      : is_at_end		  ? SR_EFFECT_READ
							  : SR_EFFECT_NONE);
	for (int i = first_result; body->kind == SR_BODY_SCATTER && i < body->arguments; i++)
		access[i] = SR_EFFECT_UPDATE;
}

static void body_start(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	body(b, instr, access, false);
}

static void body_end(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	body(b, instr, access, true);
}

static int body_computation(const struct sr_plan_builder *b, const struct sr_instr *instr, int i)
{
	return i == 0 ? ((const struct sr_body_instr *)sr_plan_params(b, instr))->computation : -1;
}

/* Effects of a grid of programs. Operands: inputs, results, then the arguments and results of each function
 * (sr_parallel_instr). Functions that a device does not execute leave their results unchanged, so these results count as
 * written before. */
static void grid(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access, bool is_at_end)
{
	const struct sr_parallel_instr *p = sr_plan_params(b, instr);
	const int64_t *functions = b->ids.data + p->functions, *entries = b->ids.data + p->entries;
	int64_t n_entries = (int64_t)p->replicas * p->partitions;
	for (int64_t i = 0; i < n_entries; i++) {
		const int64_t *e = entries + 3 * i, *f = functions + 5 * e[0];
		for (int64_t k = 0; !is_at_end && k < f[2]; k++)
			access[e[1] + k] = SR_EFFECT_READ;
		for (int64_t k = 0; k < f[4]; k++)
			access[e[2] + k] = is_at_end ? SR_EFFECT_UPDATE : SR_EFFECT_WRITE;
	}
	for (int64_t i = 0; i < p->n_functions; i++) {
		const int64_t *f = functions + 5 * i;
		for (int64_t k = 0; !is_at_end && k < f[2]; k++)
			access[f[1] + k] = SR_EFFECT_WRITE;
		for (int64_t k = 0; k < f[4]; k++)
			access[f[3] + k] = is_at_end ? SR_EFFECT_READ : SR_EFFECT_WRITE;
	}
}

static void grid_start(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	grid(b, instr, access, false);
}

static void grid_end(const struct sr_plan_builder *b, const struct sr_instr *instr, uint8_t *access)
{
	grid(b, instr, access, true);
}

static int grid_computation(const struct sr_plan_builder *b, const struct sr_instr *instr, int i)
{
	const struct sr_parallel_instr *p = sr_plan_params(b, instr);
	return i < p->n_functions ? (int)b->ids.data[p->functions + 5 * (uint64_t)i] : -1;
}

const struct sr_instr_traits *sr_instr_traits_of(const struct sr_instr *instr)
{
	static const struct sr_instr_traits traits[SR_INSTR_COUNT] = {
		[SR_INSTR_KERNEL] = {.start = kernel},
		[SR_INSTR_COLLECTIVE] = {.start = collective},
		[SR_INSTR_WHILE] = {SR_FLOW_WHILE, begin_loop, read_first, .computation = loop_computation},
		[SR_INSTR_CASE] = {SR_FLOW_BRANCHES, .start = read_first, .computation = branch_computation},
		[SR_INSTR_DEVICE_ID] = {.start = write_all},
		[SR_INSTR_BODY] = {SR_FLOW_REPEAT, body_start, body_end, .computation = body_computation},
		[SR_INSTR_CUSTOM_CALL] = {.start = custom},
		[SR_INSTR_CHECK] = {.start = check},
		[SR_INSTR_PARALLEL] = {SR_FLOW_BRANCHES, grid_start, grid_end, .computation = grid_computation},
		[SR_INSTR_NEST] = {.start = nest, .may_share = nest_may_share},
		[SR_INSTR_FINISH] = {.start = finish},
		[SR_INSTR_RELEASE] = {0},
	};
	return &traits[instr->kind];
}

void sr_instr_effects(const struct sr_plan_builder *b, const struct sr_instr *instr, sr_instr_effects_fn *fn, sr_effects *effects)
{
	effects->n = 0;
	for (uint32_t i = 0; i < instr->n_operands; i++)
		sr_push(b->arena, effects, SR_EFFECT_NONE);
	fn(b, instr, effects->data);
	for (uint32_t i = 0; i < instr->n_dynamic_offsets; i++) {
		uint8_t *at = &effects->data[b->dynamic_offsets.data[instr->first_dynamic_offset + i].operand];
		*at = *at == SR_EFFECT_READ_ELEMENTWISE ? SR_EFFECT_READ : *at == SR_EFFECT_WRITE ? SR_EFFECT_UPDATE : *at;
	}
}

void sr_instr_visit_effects(const struct sr_plan_builder *b, const struct sr_instr *instr, sr_effects_visitor *visit, void *data)
{
	const struct sr_instr_traits *traits = sr_instr_traits_of(instr);
	int nested_computation;
	if (traits->start)
		visit(data, instr, traits->start);
	if (traits->end)
		visit(data, instr, traits->end);
	for (int i = 0; traits->computation && (nested_computation = traits->computation(b, instr, i)) >= 0; i++)
		for (size_t k = 0; k < b->computations.data[nested_computation].instrs.n; k++)
			sr_instr_visit_effects(b, &b->computations.data[nested_computation].instrs.data[k], visit, data);
}

int *sr_plan_count_references(struct sr_plan_builder *b)
{
	int *n_references = SR_NEW_ARRAY(b->arena, int, b->buffers.n);
	for (size_t i = 0; i < b->operands.n; i++)
		n_references[b->operands.data[i]]++;
	for (size_t i = 0; i < b->dynamic_offsets.n; i++)
		if (b->dynamic_offsets.data[i].start >= 0)
			n_references[b->dynamic_offsets.data[i].start]++;
	return n_references;
}
