/* Lower interpreter.run_parallel, which runs a program per device, and ops that only occur there: infeeds, and channels between
 * two programs.
 *
 * Each function of the grid becomes one computation, however many grid entries name it, so that its collectives are the same
 * instructions on all devices. The instruction's operands are the op's inputs and results, then the arguments and results of
 * every function. A send and the recv of its channel become one permute between the two devices. */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "plan/lower/lower.h"
#include <string.h>

struct sr_transfer { /* a send or receive of one device on a channel */
	int64_t channel, device;
	bool is_send;
	struct sr_transfer *next;
};

struct program {
	const char *name;
	struct sr_op *func;
	int computation;
	int *arguments, *results;
	int n_arguments, n_results;
};

struct grid {
	int rows, columns, n_programs;
	struct program *programs;
	int *program_of; /* for each device of the grid, the index of its program; length rows * columns */
};

static enum sr_status read_grid(struct sr_plan_builder *b, struct sr_op *op, struct grid *g)
{
	const struct sr_attr *programs = sr_op_attr(op, SR_NAME_programs);
	bool is_grid = programs && programs->kind == SR_ATTR_ARRAY && programs->n;
	g->rows = is_grid ? programs->n : 0;
	for (int r = 0; is_grid && r < g->rows; r++) {
		const struct sr_attr *row = programs->list[r];
		is_grid = row->kind == SR_ATTR_ARRAY && row->n && row->n == programs->list[0]->n;
		g->columns = row->n;
	}
	if (!is_grid)
		return sr_lower_unsupported(b, op, "needs programs in rows of equal length");
	g->programs = SR_NEW_ARRAY(b->arena, struct program, g->rows * g->columns);
	g->program_of = SR_NEW_ARRAY(b->arena, int, g->rows * g->columns);
	for (int i = 0; i < g->rows * g->columns; i++) {
		const struct sr_attr *symbol = programs->list[i / g->columns]->list[i % g->columns];
		struct sr_op *func = symbol->kind == SR_ATTR_SYMBOL ? sr_symbol_find(b->module, symbol->s) : NULL;
		int k = 0;
		if (!func || !sr_op_is(func, SR_OP_func_func) || !sr_func_entry(func))
			return sr_lower_unsupported(b, op, "names a program that is not a function of the module");
		while (k < g->n_programs && g->programs[k].func != func)
			k++;
		if (k == g->n_programs)
			g->programs[g->n_programs++] = (struct program){.name = symbol->s, .func = func};
		g->program_of[i] = k;
	}
	return SR_OK;
}

/* ---- channels ---- */

struct transfer_search {
	struct sr_plan_builder *b;
	int64_t device;
	struct sr_transfer **last;
};

static int64_t channel_of(const struct sr_op *op)
{
	const struct sr_attr *c = sr_op_attr(op, SR_NAME_channel_handle), *h = c ? sr_attr_field(c, SR_NAME_handle) : NULL;
	return h ? h->i : 0;
}

static bool note_transfer(void *data, struct sr_op *op)
{
	struct transfer_search *f = data;
	bool is_send = sr_op_is(op, SR_OP_stablehlo_send);
	if (!is_send && !sr_op_is(op, SR_OP_stablehlo_recv))
		return true;
	struct sr_transfer *t = SR_NEW(f->b->arena, struct sr_transfer);
	*t = (struct sr_transfer){.channel = channel_of(op), .device = f->device, .is_send = is_send};
	*f->last = t;
	f->last = &t->next;
	return true;
}

static const struct sr_transfer *find_transfers(struct sr_plan_builder *b, const struct grid *g)
{
	struct sr_transfer *first = NULL;
	struct transfer_search f = {b, 0, &first};
	for (; f.device < g->rows * g->columns; f.device++)
		sr_walk(g->programs[g->program_of[f.device]].func, note_transfer, &f);
	return first;
}

/* Return the only device that sends to, or receives from, a channel; -1: none, or several. */
static int64_t channel_end(const struct sr_transfer *t, int64_t channel, bool is_send)
{
	int64_t device = -1;
	for (; t; t = t->next) {
		if (t->channel != channel || t->is_send != is_send || t->device == device)
			continue;
		if (device >= 0)
			return -1;
		device = t->device;
	}
	return device;
}

/* Lower send or recv. The values are the send's operands, or the recv's results; the last operand or result is a token. */
static enum sr_status lower_transfer(struct sr_plan_builder *b, struct sr_op *op, bool is_send)
{
	int64_t channel = channel_of(op), ends[] = {channel_end(b->transfers, channel, true), channel_end(b->transfers, channel, false)};
	int n = (is_send ? op->n_operands : op->n_results) - 1;
	if (b->lanes || ends[0] < 0 || ends[1] < 0)
		return sr_op_error(
			op, &b->ctx->diags, SR_UNSUPPORTED,
			"uses channel %lld, which does not connect one sending and one receiving program of interpreter.run_parallel",
			(long long)channel);
	struct sr_groups members = {ends, 1, 2};
	struct sr_collective_instr c = {.coll = SR_PERMUTE,
				       .group = -1,
				       .n_pairs = 1,
				       .pairs = sr_plan_add_ids(b, ends, 2),
				       .members = sr_plan_add_group(b, members)};
	for (int k = 0; k < n; k++) {
		struct sr_value *v = is_send ? sr_operand(op, k) : sr_result(op, k);
		int own_buffer = sr_plan_buffer_for(b, v),
		    peer_buffer = sr_plan_buffer(b, sr_plan_dtype(v), sr_plan_elements(b, v));
		c.count = sr_plan_elements(b, v);
		struct sr_instr *instr = sr_plan_add_instr(
		    b, SR_INSTR_COLLECTIVE, is_send ? (int[]){own_buffer, peer_buffer} : (int[]){peer_buffer, own_buffer}, 2, &c,
		    sizeof c);
		instr->dtype = (uint8_t)sr_plan_dtype(v);
	}
	return SR_OK;
}

enum sr_status sr_lower_send(struct sr_plan_builder *b, struct sr_op *op)
{
	return lower_transfer(b, op, true);
}

enum sr_status sr_lower_recv(struct sr_plan_builder *b, struct sr_op *op)
{
	return lower_transfer(b, op, false);
}

/* ---- feeds ---- */

/* Lower infeed: the next function of run_parallel's infeed list computes the values. */
enum sr_status sr_lower_infeed(struct sr_plan_builder *b, struct sr_op *op)
{
	const struct sr_attr *list = b->infeed;
	if (!list || b->n_infeeds >= list->n || list->list[b->n_infeeds]->kind != SR_ATTR_SYMBOL)
		return sr_lower_unsupported(b, op,
					    "has no data: only interpreter.run_parallel's infeed feeds programs");
	struct sr_op *func = sr_symbol_find(b->module, list->list[b->n_infeeds++]->s);
	int n = 0, *out = NULL;
	enum sr_status status = sr_lower_inlined(b, op, func, &out, &n);
	for (int i = 0; !status && i < n && i + 1 < op->n_results; i++)
		sr_plan_bind_value(b, sr_result(op, i), out[i]);
	return status;
}

/* Lower outfeed: programs of run_parallel have no reader of its values, as in upstream's interpreter. */
enum sr_status sr_lower_outfeed(struct sr_plan_builder *b, struct sr_op *op)
{
	return b->in_parallel ? SR_OK : sr_lower_unsupported(b, op, "has no reader: return its values from the program");
}

/* ---- programs ---- */

static enum sr_status lower_program(struct sr_plan_builder *b, struct program *p)
{
	struct sr_block *entry = sr_func_entry(p->func);
	int *out;
	struct sr_plan_scope scope = sr_plan_begin_computation(b);
	p->computation = scope.computation;
	p->n_arguments = entry->n_args;
	p->arguments = SR_NEW_ARRAY(b->arena, int, p->n_arguments);
	for (int i = 0; i < p->n_arguments; i++)
		p->arguments[i] = sr_plan_buffer(b, sr_plan_dtype(entry->args[i]), sr_plan_elements(b, entry->args[i]));
	enum sr_status status = sr_lower_body(b, p->func, p->arguments, &out, &p->n_results);
	p->results = SR_NEW_ARRAY(b->arena, int, status ? 0 : p->n_results);
	for (int i = 0; !status && i < p->n_results; i++) {
		const struct sr_buffer *result = &b->buffers.data[out[i]];
		enum sr_dtype type = (enum sr_dtype)result->dtype;
		p->results[i] = sr_plan_buffer(b, type, result->bytes / sr_dtype_bytes(type));
		sr_plan_add_copy(b, out[i], p->results[i]);
	}
	sr_plan_end_computation(b, scope);
	return status;
}

static enum sr_status check_counts(struct sr_plan_builder *b, struct sr_op *op, const struct grid *g)
{
	int inputs = 0, results = 0;
	for (int i = 0; i < g->rows * g->columns; i++) {
		const struct program *p = &g->programs[g->program_of[i]];
		for (int k = 0; k < p->n_arguments; k++)
			if (inputs + k < op->n_operands &&
			    sr_operand(op, inputs + k)->type != sr_func_entry(p->func)->args[k]->type)
				return sr_lower_unsupported(b, op, "passes a program inputs of other types than its arguments");
		inputs += p->n_arguments;
		results += p->n_results;
	}
	if (inputs != op->n_operands || results != op->n_results)
		return sr_lower_unsupported(b, op, "has other numbers of inputs or results than its programs together");
	return SR_OK;
}

/* Append the instruction with its tables: its operands are the inputs, the results, then the arguments and results of each
 * function. */
static void add_parallel_instr(struct sr_plan_builder *b, struct sr_op *op, const struct grid *g)
{
	int max_operands = op->n_operands + op->n_results, n = 0, entries = g->rows * g->columns;
	for (int i = 0; i < g->n_programs; i++)
		max_operands += g->programs[i].n_arguments + g->programs[i].n_results;
	int *buffers = SR_NEW_ARRAY(b->arena, int, max_operands);
	struct sr_parallel_instr s = {.replicas = g->rows, .partitions = g->columns, .n_functions = g->n_programs};
	for (int i = 0; i < op->n_operands; i++)
		buffers[n++] = sr_plan_buffer_for(b, sr_operand(op, i));
	for (int i = 0; i < op->n_results; i++)
		buffers[n++] = sr_plan_buffer_for(b, sr_result(op, i));
	s.functions = b->ids.n;
	for (int i = 0; i < g->n_programs; i++) {
		const struct program *p = &g->programs[i];
		sr_plan_add_ids(b, (int64_t[]){p->computation, n, p->n_arguments, n + p->n_arguments, p->n_results}, 5);
		memcpy(buffers + n, p->arguments, sizeof(int) * (size_t)p->n_arguments);
		memcpy(buffers + n + p->n_arguments, p->results, sizeof(int) * (size_t)p->n_results);
		n += p->n_arguments + p->n_results;
	}
	s.entries = b->ids.n;
	for (int i = 0, input = 0, result = op->n_operands; i < entries; i++) {
		const struct program *p = &g->programs[g->program_of[i]];
		sr_plan_add_ids(b, (int64_t[]){g->program_of[i], input, result}, 3);
		input += p->n_arguments;
		result += p->n_results;
	}
	sr_plan_add_instr(b, SR_INSTR_PARALLEL, buffers, n, &s, sizeof s);
}

enum sr_status sr_lower_parallel(struct sr_plan_builder *b, struct sr_op *op)
{
	struct grid g = {0};
	enum sr_status status = read_grid(b, op, &g);
	int64_t devices = b->n_devices, replicas = b->n_replicas;
	if (status)
		return status;
	if (b->lanes || b->in_parallel)
		return sr_lower_unsupported(b, op, "is nested in another run_parallel or in a body");
	if ((int64_t)g.rows * g.columns > b->options->n_devices)
		return sr_lower_unsupported(b, op, "runs more programs than there are devices");
	b->n_devices = (int64_t)g.rows * g.columns, b->n_replicas = g.rows;
	b->in_parallel = true;
	b->transfers = find_transfers(b, &g);
	b->infeed = sr_op_attr(op, SR_NAME_infeed);
	for (int i = 0; !status && i < g.n_programs; i++) {
		b->n_infeeds = 0;
		status = lower_program(b, &g.programs[i]);
	}
	b->n_devices = devices, b->n_replicas = replicas;
	b->in_parallel = false, b->transfers = NULL, b->infeed = NULL;
	if (!status)
		status = check_counts(b, op, &g);
	if (!status)
		add_parallel_instr(b, op, &g);
	return status;
}

/* Raise *n to the number of devices that a run_parallel op needs, if that is larger. */
static bool max_devices(void *data, struct sr_op *op)
{
	int64_t *n = data;
	const struct sr_attr *p = sr_op_is(op, SR_OP_interpreter_run_parallel) ? sr_op_attr(op, SR_NAME_programs) : NULL;
	if (p && p->kind == SR_ATTR_ARRAY && p->n && p->list[0]->kind == SR_ATTR_ARRAY && (int64_t)p->n * p->list[0]->n > *n)
		*n = (int64_t)p->n * p->list[0]->n;
	return true;
}

int64_t sr_parallel_devices(struct sr_op *module)
{
	int64_t n = 1;
	sr_walk(module, max_devices, &n);
	return n;
}
