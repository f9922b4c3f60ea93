/* Read an HLO module as text: header, tables and computations; then emit its functions. */
#include "text/hlo/hlo.h"
#include <string.h>

bool sr_is_hlo(const char *text, size_t n)
{
	const char *s = text, *end = text + n;
	while (s < end) {
		bool is_line_comment = end - s > 1 && s[0] == '/' && s[1] == '/',
		     is_block_comment = end - s > 1 && s[0] == '/' && s[1] == '*';
		if (is_line_comment) {
			const char *eol = memchr(s, '\n', (size_t)(end - s));
			s = eol ? eol + 1 : end;
		} else if (is_block_comment) {
			for (s += 2; end - s > 1 && !(s[0] == '*' && s[1] == '/'); s++)
				;
			s += end - s > 1 ? 2 : end - s;
		} else if (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r') {
			s++;
		} else {
			break;
		}
	}
	static const char word[] = "HloModule";
	size_t n_remaining = (size_t)(end - s), m = sizeof word - 1;
	return n_remaining >= m && !memcmp(s, word, m) && (n_remaining == m || strchr(" \t\r\n,", s[m]));
}

/* ---------------------------------------------------------------- header */

static void read_entry_layout(struct sr_hlo *h)
{
	h->layout_text = h->at;
	sr_hlo_expect(h, "{");
	h->arguments = sr_hlo_read_shape(h);
	sr_hlo_expect(h, "->");
	h->results = sr_hlo_read_shape(h);
	sr_hlo_expect(h, "}");
}

/* Read a parameter number and the index path of an element in it: (1, {}) or (1, {}, may-alias). */
static void read_donated_parameter(struct sr_hlo *h, struct sr_hlo_donation *d)
{
	if (!sr_hlo_accept(h, "(")) {
		d->parameter = sr_hlo_count(h, "a parameter's number");
		return;
	}
	d->parameter = sr_hlo_count(h, "a parameter's number");
	if (sr_hlo_accept(h, ","))
		sr_hlo_integers(h, &d->index);
	if (sr_hlo_accept(h, ","))
		sr_hlo_word(h, "may-alias or must-alias");
	sr_hlo_expect(h, ")");
}

/* Read input_output_alias: { {0}: (1, {}, may-alias) }. */
static void read_aliases(struct sr_hlo *h)
{
	sr_hlo_expect(h, "{");
	for (int n = 0; !sr_hlo_accept(h, "}"); n++) {
		struct sr_hlo_donation d = {.has_output = true};
		if (n)
			sr_hlo_expect(h, ",");
		d.position = h->at;
		sr_hlo_integers(h, &d.output);
		sr_hlo_expect(h, ":");
		read_donated_parameter(h, &d);
		sr_push(h->arena, &h->donations, d);
	}
}

/* Read buffer_donor: { (0, {}), (1, {}) }. */
static void read_buffer_donors(struct sr_hlo *h)
{
	sr_hlo_expect(h, "{");
	for (int n = 0; !sr_hlo_accept(h, "}"); n++) {
		struct sr_hlo_donation d = {0};
		if (n)
			sr_hlo_expect(h, ",");
		d.position = h->at;
		read_donated_parameter(h, &d);
		sr_push(h->arena, &h->donations, d);
	}
}

int64_t sr_hlo_check_device_count(struct sr_hlo *h, int64_t n, const char *position)
{
	if (n < 1 || n > INT32_MAX)
		sr_parser_fail(&h->p, position, "the module requires %s devices", n > 0 ? "too many" : "no");
	return n;
}

static void read_partition_count(struct sr_hlo *h)
{
	const char *position = h->at;
	h->n_partitions = sr_hlo_check_device_count(h, sr_hlo_count(h, "a number of devices"), position);
}

static void read_replica_count(struct sr_hlo *h)
{
	const char *position = h->at;
	h->n_replicas = sr_hlo_check_device_count(h, sr_hlo_count(h, "a number of devices"), position);
}

static void read_frontend(struct sr_hlo *h)
{
	h->frontend_attrs = sr_hlo_frontend(h);
}

/* Read is_scheduled. A scheduled module has been partitioned. */
static void read_is_scheduled(struct sr_hlo *h)
{
	h->is_partitioned = sr_hlo_bool(h) || h->is_partitioned;
}

static const struct {
	const char *name;
	void (*read)(struct sr_hlo *h);
} header[] = {
	{"alias_passthrough_params", sr_hlo_skip_value},
	{"allow_spmd_sharding_propagation_to_output", sr_hlo_skip_value},
	{"allow_spmd_sharding_propagation_to_parameters", sr_hlo_skip_value},
	{"buffer_donor", read_buffer_donors},
	{"entry_computation_layout", read_entry_layout},
	{"frontend_attributes", read_frontend},
	{"input_output_alias", read_aliases},
	{"is_scheduled", read_is_scheduled},
	{"num_partitions", read_partition_count},
	{"origin_recovery_table", sr_hlo_skip_value},
	{"replica_count", read_replica_count},
};

static void read_header(struct sr_hlo *h)
{
	sr_hlo_expect(h, "HloModule");
	h->name = sr_hlo_name(h, "the module's name");
	while (sr_hlo_accept(h, ",")) {
		const char *position = h->at, *name = sr_hlo_word(h, "an attribute of the module");
		size_t i = 0, n = sizeof header / sizeof *header;
		while (i < n && strcmp(header[i].name, name) != 0)
			i++;
		if (i == n)
			sr_parser_fail(&h->p, position, "modules have no attribute '%s'", name);
		sr_hlo_expect(h, "=");
		header[i].read(h);
	}
}

/* ---------------------------------------------------------------- module */

static bool has_same_leaves(struct sr_hlo *h, const struct sr_type *const *types, int n, const struct sr_hlo_shape *shape)
{
	sr_types leaves = {0};
	sr_hlo_leaf_types(h, shape, &leaves);
	return (size_t)n == leaves.n && (!n || !memcmp(types, leaves.data, sizeof *types * (size_t)n));
}

static void check_layout(struct sr_hlo *h, const struct sr_op *main)
{
	const struct sr_type *type = sr_func_type(main);
	bool matches_layout = !h->layout_text || (has_same_leaves(h, type->inputs, type->n_inputs, h->arguments) &&
						  has_same_leaves(h, type->results, type->n_results, h->results));
	if (!matches_layout)
		sr_parser_fail(&h->p, h->layout_text, "entry_computation_layout has other shapes than the entry computation");
}

static void set_donations(struct sr_hlo *h, struct sr_op *main)
{
	const struct sr_hlo_computation *c = h->entry;
	const struct sr_attr **dicts = sr_func_arg_dicts(h->ctx, main);
	/* Index of each parameter's first argument; length: number of parameters + 1. */
	int *first_arguments = SR_NEW_ARRAY(h->arena, int, c->parameters.n + 1);
	for (size_t i = 0; i < c->parameters.n; i++)
		first_arguments[i + 1] = first_arguments[i] + c->instructions.data[c->parameters.data[i]].shape->n_leaves;
	for (size_t i = 0; i < h->donations.n; i++) {
		const struct sr_hlo_donation *d = &h->donations.data[i];
		const struct sr_hlo_shape *subshape = NULL, *result = NULL;
		int first_leaf = 0, output_leaf = 0;
		if (d->parameter >= 0 && d->parameter < (int64_t)c->parameters.n)
			subshape = sr_hlo_subshape(c->instructions.data[c->parameters.data[d->parameter]].shape, d->index.data,
						   d->index.n,
					   &first_leaf);
		if (d->has_output)
			result = sr_hlo_subshape(c->instructions.data[c->root].shape, d->output.data, d->output.n, &output_leaf);
		if (!subshape || !subshape->type || (d->has_output && (!result || !result->type)))
			sr_parser_fail(&h->p, d->position, "the entry computation has no such argument or result");
		const struct sr_attr **dict = &dicts[first_arguments[d->parameter] + first_leaf];
		*dict = sr_dict_with(h->ctx, *dict, d->has_output ? "tf.aliasing_output" : "jax.buffer_donor",
				     d->has_output ? sr_attr_i32(h->ctx, output_leaf) : sr_attr_bool(h->ctx, true));
	}
	sr_func_set_arg_dicts(h->ctx, main, dicts);
}

static void set_module_attrs(struct sr_hlo *h)
{
	sr_op_set_attr(h->ctx, h->module, "sym_name", sr_attr_string(h->ctx, h->name, strlen(h->name)));
	if (h->n_partitions)
		sr_op_set_attr(h->ctx, h->module, "mhlo.num_partitions", sr_attr_i32(h->ctx, h->n_partitions));
	if (h->n_replicas)
		sr_op_set_attr(h->ctx, h->module, "mhlo.num_replicas", sr_attr_i32(h->ctx, h->n_replicas));
	if (h->frontend_attrs)
		sr_op_set_attr(h->ctx, h->module, "mhlo.frontend_attributes", h->frontend_attrs);
}

/* Return true if the entry's name was made by XLA's SPMD partitioner: main.2_spmd, main.2_spmd.clone. */
static bool is_partitioner_name(const char *entry)
{
	static const char suffix[] = "_spmd";
	const char *s = strstr(entry, suffix), *end = s ? s + strlen(suffix) : NULL;
	return end && (!*end || *end == '.');
}

static void read_module(struct sr_hlo *h)
{
	read_header(h);
	while (h->at < h->p.end)
		if (!sr_hlo_read_stack_frame_table(h))
			sr_hlo_read_computation(h);
	if (!h->last_computation)
		sr_hlo_expected(h, "a computation");
}

struct sr_hlo *sr_hlo_new(struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset)
{
	struct sr_hlo *h = SR_NEW(ctx->arena, struct sr_hlo);
	h->ctx = ctx;
	h->arena = ctx->arena;
	h->status = SR_INVALID;
	sr_map_init(&h->computations, h->arena);
	sr_parser_init(&h->p, ctx, file, text, n, line_offset);
	h->at = text;
	return h;
}

enum sr_status sr_hlo_emit_module(struct sr_hlo *h, struct sr_op **module)
{
	if (!h->entry)
		h->entry = h->last_computation;
	h->is_partitioned = h->is_partitioned || is_partitioner_name(h->entry->name);
	h->module = sr_module_new(h->ctx);
	h->module->loc = sr_loc_file(h->ctx, h->p.file, 0, 0);
	set_module_attrs(h);
	struct sr_op *main = sr_hlo_emit_function(h, h->entry, h->entry->position);
	check_layout(h, main);
	set_donations(h, main);
	/* Verify the module before the locations that point into the input are replaced, so that errors name positions in the input. */
	enum sr_status status = sr_verify(h->ctx, h->module);
	for (size_t i = 0; i < h->final_locs.n; i++)
		h->final_locs.data[i].op->loc = h->final_locs.data[i].loc;
	*module = h->module;
	return status;
}

enum sr_status sr_parse_hlo(struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset,
			    struct sr_op **module)
{
	struct sr_hlo *h = sr_hlo_new(ctx, file, text, n, line_offset);
	if (setjmp(h->p.error_jump))
		return h->status;
	sr_hlo_skip(h);
	read_module(h);
	return sr_hlo_emit_module(h, module);
}
