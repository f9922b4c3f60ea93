/* Read the attributes of an xla.HloInstructionProto. Each row of the table lists the fields that hold an attribute of HLO text. The
 * value is printed in the syntax of HLO text and read by the attribute's kind (attr.c), so that ops.def describes the opcodes for
 * both formats. Fields without a row are ignored. In proto3 a field that is 0, false or empty is not written. */
#include "text/hlo/hlo.h"
#include <string.h>

#define PRINT(name)                                                                                                             \
	static bool print_##name(struct sr_hlo *h, const struct sr_hlo_field *row, struct sr_proto m, uint32_t number,          \
				 const struct sr_hlo_instruction *in, struct sr_buf *out)
#define UNUSED(name) (void)(name)

/* Set *last_field to the last occurrence of a field in the message. Return false if the message does not have the field. */
static bool find_last(struct sr_hlo *h, struct sr_proto m, uint32_t number, struct sr_proto_field *last_field)
{
	bool is_found = false;
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		if (f.number == number) {
			*last_field = f;
			is_found = true;
		}
	return is_found;
}

/* ---------------------------------------------------------------- plain values */

PRINT(number)
{
	struct sr_proto_field f;
	UNUSED(row), UNUSED(in);
	if (!find_last(h, m, number, &f) || !f.value)
		return false;
	sr_buf_int(out, sr_proto_int(&f));
	return true;
}

/* Append the id of a channel; 0 and negative ids mean that there is none. */
PRINT(channel)
{
	struct sr_proto_field f;
	return find_last(h, m, number, &f) && sr_proto_int(&f) > 0 && print_number(h, row, m, number, in, out);
}

PRINT(float)
{
	struct sr_proto_field f;
	UNUSED(row), UNUSED(in);
	if (!find_last(h, m, number, &f))
		return false;
	sr_buf_printf(out, "%.9g", (double)sr_proto_float(&f));
	return true;
}

PRINT(string)
{
	struct sr_proto_field f;
	UNUSED(row), UNUSED(in);
	if (!find_last(h, m, number, &f) || !f.n)
		return false;
	sr_hlo_print_string(f.bytes, f.n, out);
	return true;
}

/* Append an enumerator that the field stores as a string. */
PRINT(word)
{
	struct sr_proto_field f;
	UNUSED(row), UNUSED(in);
	if (!find_last(h, m, number, &f) || !f.n)
		return false;
	sr_buf_put(out, (const char *)f.bytes, f.n);
	return true;
}

static const char *name_of_value(struct sr_hlo *h, const struct sr_hlo_field *row, int64_t v)
{
	int64_t n = 0;
	while (row->words[n])
		n++;
	if (v < 0 || v >= n)
		sr_parser_fail(&h->p, NULL, "attribute '%s' has the unknown value %lld", row->attribute, (long long)v);
	return row->words[v];
}

PRINT(enum)
{
	struct sr_proto_field f;
	UNUSED(in);
	const char *name = name_of_value(h, row, find_last(h, m, number, &f) ? sr_proto_int(&f) : 0);
	sr_buf_puts(out, name);
	return *name;
}

PRINT(integers)
{
	sr_integers list = {0};
	UNUSED(row), UNUSED(in);
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		if (f.number == number)
			sr_hlo_field_integers(h, &f, &list);
	sr_hlo_print_integers(&list, out);
	return list.n > 0;
}

/* Append the element of a list that must have exactly one. */
PRINT(element)
{
	sr_integers list = {0};
	UNUSED(row), UNUSED(in);
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		if (f.number == number)
			sr_hlo_field_integers(h, &f, &list);
	if (list.n != 1)
		sr_parser_fail(&h->p, NULL, "'%s' has %zu dimensions instead of one", in->opcode->name, list.n);
	sr_buf_int(out, list.data[0]);
	return true;
}

/* ---------------------------------------------------------------- values of one attribute */

/* Append the operand precisions, unless all are the default. */
PRINT(precisions)
{
	sr_integers list = {0};
	bool has_non_default = false;
	UNUSED(in);
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		if (f.number == number)
			sr_hlo_field_integers(h, &f, &list);
	sr_buf_putc(out, '{');
	for (size_t i = 0; i < list.n; i++) {
		sr_buf_printf(out, "%s%s", i ? "," : "", name_of_value(h, row, list.data[i]));
		has_non_default = has_non_default || list.data[i];
	}
	sr_buf_putc(out, '}');
	return has_non_default;
}

/* Append the type of a comparison, unless it is the default for the operands' type. */
PRINT(comparison)
{
	struct sr_proto_field f;
	const char *default_type = "FLOAT";
	UNUSED(row);
	if (!find_last(h, m, number, &f) || !f.n || !in->operands.n)
		return false;
	const struct sr_type *type = sr_hlo_operand_shape(h, in, 0)->type;
	int class = type && type->kind == SR_TYPE_TENSOR ? (int)sr_dtypes[type->dtype].class : -1;
	if (class == SR_CLASS_SINT)
		default_type = "SIGNED";
	if (class == SR_CLASS_UINT || class == SR_CLASS_BOOL)
		default_type = "UNSIGNED";
	if (strlen(default_type) == f.n && !memcmp(default_type, f.bytes, f.n))
		return false;
	sr_buf_put(out, (const char *)f.bytes, f.n);
	return true;
}

/* Append the configuration of a custom call: a dictionary unchanged, other text in quotes. */
PRINT(config)
{
	enum { API_VERSION = 77, TYPED_FFI = 4 };
	struct sr_proto_field f, version;
	UNUSED(row), UNUSED(in);
	if (!find_last(h, m, number, &f) || !f.n)
		return false;
	bool is_typed_ffi = find_last(h, m, API_VERSION, &version) && sr_proto_int(&version) == TYPED_FFI;
	if (is_typed_ffi && f.bytes[0] == '{')
		sr_buf_put(out, (const char *)f.bytes, f.n);
	else
		sr_hlo_print_string(f.bytes, f.n, out);
	return true;
}

/* ---------------------------------------------------------------- called computations */

static void print_called(struct sr_hlo *h, size_t i, struct sr_buf *out)
{
	const char *name = i < h->called_ids.n ? sr_hlo_computation_name(h, h->called_ids.data[i]) : NULL;
	if (i < h->called_ids.n && !name)
		sr_parser_fail(&h->p, NULL, "the module has no computation with id %lld", (long long)h->called_ids.data[i]);
	if (name)
		sr_buf_printf(out, "%%%s", name);
}

PRINT(first_called)
{
	UNUSED(row), UNUSED(m), UNUSED(number), UNUSED(in);
	print_called(h, 0, out);
	return h->called_ids.n > 0;
}

PRINT(second_called)
{
	UNUSED(row), UNUSED(m), UNUSED(number), UNUSED(in);
	print_called(h, 1, out);
	return h->called_ids.n > 1;
}

PRINT(all_called)
{
	UNUSED(row), UNUSED(m), UNUSED(number), UNUSED(in);
	for (size_t i = 0; i < h->called_ids.n; i++) {
		sr_buf_putc(out, i ? ',' : '{');
		print_called(h, i, out);
	}
	sr_buf_putc(out, '}');
	return h->called_ids.n > 0;
}

PRINT(nothing)
{
	UNUSED(h), UNUSED(row), UNUSED(m), UNUSED(number), UNUSED(in), UNUSED(out);
	return false;
}

/* ---------------------------------------------------------------- table */

static const char *const fft_types[] = {"FFT", "IFFT", "RFFT", "IRFFT", NULL};
static const char *const distributions[] = {"", "rng_uniform", "rng_normal", NULL};
static const char *const rng_algorithms[] = {"rng_default", "rng_three_fry", "rng_philox", NULL};
static const char *const transposes[] = {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT", NULL};
static const char *const precisions[] = {"default", "high", "highest", "packed_nibble", NULL};
static const char *const api_versions[] = {
	"", "", "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI", NULL};
static const char *const dot_algorithms[] = {"",
					     "dot_any_f8_any_f8_f32",
					     "dot_any_f8_any_f8_f32_fast_accum",
					     "dot_f16_f16_f16",
					     "dot_f16_f16_f32",
					     "dot_bf16_bf16_bf16",
					     "dot_bf16_bf16_f32",
					     "dot_bf16_bf16_f32_x3",
					     "dot_bf16_bf16_f32_x6",
					     "dot_tf32_tf32_f32",
					     "dot_tf32_tf32_f32_x3",
					     "dot_f32_f32_f32",
					     "dot_f64_f64_f64",
					     "dot_bf16_bf16_f32_x9",
					     NULL};

/* Rows: attribute, opcode, path of field numbers, function, names of values, value of a required attribute without a field. The
 * first matching row is used, so rows for one opcode precede the row for all others. */
static const struct sr_hlo_field fields[] = {
	{"algorithm", "rng-bit-generator", {70}, print_enum, rng_algorithms, NULL},
	{"algorithm", NULL, {51, 2}, print_enum, dot_algorithms, NULL},
	{"api_version", NULL, {77}, print_enum, api_versions, NULL},
	{"backend_config", "custom-call", {43}, print_config, NULL, NULL},
	{"batch_group_count", "convolution", {58}, print_number, NULL, NULL},
	{"body", NULL, {38}, print_first_called, NULL, NULL},
	{"branch_computations", NULL, {38}, print_all_called, NULL, NULL},
	{"called_computations", NULL, {38}, print_all_called, NULL, NULL},
	{"calls", NULL, {38}, print_first_called, NULL, NULL},
	{"channel_id", NULL, {26}, print_channel, NULL, NULL},
	{"collapsed_slice_dims", NULL, {33, 2}, print_integers, NULL, "{}"},
	{"condition", NULL, {38}, print_second_called, NULL, NULL},
	{"custom_call_has_side_effect", NULL, {65}, print_number, NULL, NULL},
	{"custom_call_target", NULL, {28}, print_string, NULL, "\"\""},
	{"dim_labels", "convolution", {16}, sr_hlo_print_labels, NULL, NULL},
	{"dimensions", NULL, {14}, print_integers, NULL, "{}"},
	{"direction", NULL, {63}, print_word, NULL, NULL},
	{"distribution", NULL, {23}, print_enum, distributions, NULL},
	{"dynamic_slice_sizes", NULL, {20}, print_integers, NULL, "{}"},
	{"epsilon", NULL, {24}, print_float, NULL, "0"},
	{"exponent_bits", NULL, {18}, print_number, NULL, "0"},
	{"feature_group_count", "convolution", {50}, print_number, NULL, NULL},
	{"feature_index", NULL, {25}, print_number, NULL, "0"},
	{"fft_length", NULL, {32}, print_integers, NULL, "{}"},
	{"fft_type", NULL, {31}, print_enum, fft_types, NULL},
	{"frontend_attributes", NULL, {68}, sr_hlo_print_frontend, NULL, NULL},
	{"index", NULL, {13}, print_number, NULL, "0"},
	{"index_vector_dim", "scatter", {48, 4}, print_number, NULL, "0"},
	{"index_vector_dim", NULL, {33, 4}, print_number, NULL, "0"},
	{"indices_are_sorted", NULL, {67}, print_number, NULL, NULL},
	{"input_batching_dims", NULL, {48, 5}, print_integers, NULL, "{}"},
	{"inserted_window_dims", NULL, {48, 2}, print_integers, NULL, "{}"},
	{"iota_dimension", NULL, {14}, print_element, NULL, NULL},
	{"is_stable", NULL, {60}, print_number, NULL, NULL},
	{"k", NULL, {81}, print_number, NULL, "0"},
	{"largest", NULL, {85}, print_number, NULL, "0"},
	{"left_side", NULL, {59, 1}, print_number, NULL, NULL},
	{"lhs_batch_dims", "ragged-dot", {90, 1, 3}, print_integers, NULL, "{}"},
	{"lhs_batch_dims", NULL, {30, 3}, print_integers, NULL, "{}"},
	{"lhs_contracting_dims", "ragged-dot", {90, 1, 1}, print_integers, NULL, "{}"},
	{"lhs_contracting_dims", NULL, {30, 1}, print_integers, NULL, "{}"},
	{"lhs_ragged_dims", NULL, {90, 2}, print_integers, NULL, "{}"},
	{"lower", "cholesky", {62, 1}, print_number, NULL, NULL},
	{"lower", NULL, {59, 2}, print_number, NULL, NULL},
	{"mantissa_bits", NULL, {19}, print_number, NULL, "0"},
	{"metadata", NULL, {7}, sr_hlo_print_metadata, NULL, NULL},
	{"offset_dims", NULL, {33, 1}, print_integers, NULL, "{}"},
	{"operand_batching_dims", NULL, {33, 5}, print_integers, NULL, "{}"},
	{"operand_layout_constraints", NULL, {57}, sr_hlo_print_layouts, NULL, NULL},
	{"operand_precision", NULL, {51, 1}, print_precisions, precisions, NULL},
	{"output_to_operand_aliasing", "custom-call", {74}, sr_hlo_print_aliases, NULL, NULL},
	{"padding", NULL, {21}, sr_hlo_print_padding, NULL, ""},
	{"replica_groups", NULL, {49}, sr_hlo_print_groups, NULL, NULL},
	{"rhs_batch_dims", "ragged-dot", {90, 1, 4}, print_integers, NULL, "{}"},
	{"rhs_batch_dims", NULL, {30, 4}, print_integers, NULL, "{}"},
	{"rhs_contracting_dims", "ragged-dot", {90, 1, 2}, print_integers, NULL, "{}"},
	{"rhs_contracting_dims", NULL, {30, 2}, print_integers, NULL, "{}"},
	{"rhs_group_dims", NULL, {90, 3}, print_integers, NULL, "{}"},
	{"scatter", NULL, {38}, print_second_called, NULL, NULL},
	{"scatter_dims_to_operand_dims", NULL, {48, 3}, print_integers, NULL, "{}"},
	{"scatter_indices_batching_dims", NULL, {48, 6}, print_integers, NULL, "{}"},
	{"select", NULL, {38}, print_first_called, NULL, NULL},
	{"sharding", NULL, {40}, sr_hlo_print_sharding, NULL, NULL},
	{"slice", NULL, {17}, sr_hlo_print_slices, NULL, NULL},
	{"slice_sizes", NULL, {34}, print_integers, NULL, "{}"},
	{"source_target_pairs", NULL, {52}, sr_hlo_print_pairs, NULL, NULL},
	{"start_index_map", NULL, {33, 3}, print_integers, NULL, "{}"},
	{"start_indices_batching_dims", NULL, {33, 6}, print_integers, NULL, "{}"},
	{"to_apply", "custom-call", {38}, print_nothing, NULL, NULL},
	{"to_apply", NULL, {38}, print_first_called, NULL, NULL},
	{"transpose_a", NULL, {59, 4}, print_enum, transposes, NULL},
	{"type", NULL, {72}, print_comparison, NULL, NULL},
	{"unique_indices", NULL, {69}, print_number, NULL, NULL},
	{"unit_diagonal", NULL, {59, 3}, print_number, NULL, NULL},
	{"update_window_dims", NULL, {48, 1}, print_integers, NULL, "{}"},
	{"use_global_device_ids", NULL, {71}, print_number, NULL, NULL},
	{"window", "custom-call", {15}, print_nothing, NULL, NULL},
	{"window", NULL, {15}, sr_hlo_print_window, NULL, NULL},
};

static const struct sr_hlo_field *find_row(const char *attribute, const char *opcode)
{
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (!strcmp(fields[i].attribute, attribute) && (!fields[i].opcode || !strcmp(fields[i].opcode, opcode)))
			return &fields[i];
	return NULL;
}

bool sr_hlo_has_field(const char *attribute, const char *opcode)
{
	return find_row(attribute, opcode) != NULL;
}

/* Return the message that holds the last field of a row's path; an empty message if it is not present. */
static struct sr_proto innermost_message(struct sr_hlo *h, const struct sr_hlo_field *row, struct sr_proto m, uint32_t *number)
{
	for (int i = 0; i < 3 && row->path[i]; i++) {
		struct sr_proto_field f;
		*number = row->path[i];
		if (i == 2 || !row->path[i + 1])
			break;
		m = find_last(h, m, *number, &f) ? sr_proto_message(&f) : (struct sr_proto){0};
	}
	return m;
}

void sr_hlo_proto_attrs(struct sr_hlo *h, struct sr_hlo_instruction *in, struct sr_proto m)
{
	const struct sr_hlo_opcode_state *state = sr_hlo_opcode_state_of(h, in->opcode);
	for (int i = 0; i < state->n_slots; i++) {
		const struct sr_hlo_attr_slot *slot = &state->slots[i];
		const struct sr_hlo_field *row = find_row(slot->name, in->opcode->name);
		if (!row || (in->phase > SR_HLO_START && slot->kind->role != SR_HLO_OTHER) || sr_hlo_find_attr(in, slot->name))
			continue;
		struct sr_buf text;
		uint32_t number = 0;
		sr_buf_init(&text, h->arena);
		struct sr_proto message = innermost_message(h, row, m, &number);
		bool is_present = row->print(h, row, message, number, in, &text);
		if (!is_present && (slot->is_optional || !row->default_text))
			continue;
		if (!is_present) {
			sr_buf_init(&text, h->arena);
			sr_buf_puts(&text, row->default_text);
		}
		sr_hlo_set_attr(h, in, slot, sr_buf_string(&text), text.n);
	}
	sr_hlo_set_defaults(h, in);
}
