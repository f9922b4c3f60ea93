/* Read and write machine descriptions as text, by one table of keys. */
#include "cost/machine_text.h"
#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum kind { COUNT, BYTES, REAL };

static const struct key {
	const char *name;
	size_t offset;
	enum kind kind;
	double default_value; /* value for a core of a current server and a fast network, rounded */
	const char *comment; /* comment that is written above the key; NULL: none */
} keys[] = {
#define FIELD_OFFSET(field) offsetof(struct sr_machine, field)
	{"cores_per_node", FIELD_OFFSET(cores_per_node), COUNT, 64, "0: every rank has a core of its own"},
	{"ranks_per_node", FIELD_OFFSET(ranks_per_node), COUNT, 64, "0: all ranks are on one node"},
	{"l1_bytes", FIELD_OFFSET(cache_bytes[SR_LEVEL_L1]), BYTES, 32768, "caches that a core has for itself, and what a rank has of the shared one"},
	{"l2_bytes", FIELD_OFFSET(cache_bytes[SR_LEVEL_L2]), BYTES, 1048576, NULL},
	{"l3_bytes", FIELD_OFFSET(cache_bytes[SR_LEVEL_L3]), BYTES, 2097152, NULL},
	{"l1_bytes_per_s", FIELD_OFFSET(bytes_per_s[SR_LEVEL_L1]), REAL, 1e11, "bytes read and written together, by a core while all are busy"},
	{"l2_bytes_per_s", FIELD_OFFSET(bytes_per_s[SR_LEVEL_L2]), REAL, 6e10, NULL},
	{"l3_bytes_per_s", FIELD_OFFSET(bytes_per_s[SR_LEVEL_L3]), REAL, 3e10, NULL},
	{"memory_bytes_per_s", FIELD_OFFSET(bytes_per_s[SR_LEVEL_MEMORY]), REAL, 1e10, NULL},
	{"cheap_elements_per_s", FIELD_OFFSET(work_per_s[SR_WORK_CHEAP]), REAL, 8e9, "elements of 32 bits, by what is computed of each"},
	{"divided_elements_per_s", FIELD_OFFSET(work_per_s[SR_WORK_DIVIDE]), REAL, 2e9, NULL},
	{"transcendental_elements_per_s", FIELD_OFFSET(work_per_s[SR_WORK_TRANSCENDENTAL]), REAL, 5e8, NULL},
	{"scattered_elements_per_s", FIELD_OFFSET(work_per_s[SR_WORK_SCATTERED]), REAL, 8e8, NULL},
	{"sort_compares_per_s", FIELD_OFFSET(work_per_s[SR_WORK_SORT]), REAL, 2e8, NULL},
	{"product_f32_flops_per_s", FIELD_OFFSET(product_flops_per_s[SR_PRODUCT_F32]), REAL, 4e10, "two for a multiply-add"},
	{"product_f64_flops_per_s", FIELD_OFFSET(product_flops_per_s[SR_PRODUCT_F64]), REAL, 2e10, NULL},
	{"product_f16_flops_per_s", FIELD_OFFSET(product_flops_per_s[SR_PRODUCT_F16]), REAL, 3e10, NULL},
	{"product_bf16_flops_per_s", FIELD_OFFSET(product_flops_per_s[SR_PRODUCT_BF16]), REAL, 3e10, NULL},
	{"product_other_flops_per_s", FIELD_OFFSET(product_flops_per_s[SR_PRODUCT_OTHER]), REAL, 2e10, NULL},
	{"packed_elements_per_s", FIELD_OFFSET(packed_elements_per_s), REAL, 8e8,
	 "of convolutions: elements laid out for products; flops of those that are not products"},
	{"general_convolution_flops_per_s", FIELD_OFFSET(general_convolution_flops_per_s), REAL, 1e9, NULL},
	{"instruction_s", FIELD_OFFSET(instr_s), REAL, 5e-8, "of an instruction, of each product of a batch, whatever their size"},
	{"matmul_call_s", FIELD_OFFSET(matmul_call_s), REAL, 3e-7, NULL},
	{"reduced_bytes_per_s", FIELD_OFFSET(reduced_bytes_per_s), REAL, 2e10, "operands of a collective's reduction"},
	{"node_latency_s", FIELD_OFFSET(links[SR_LINK_NODE].latency_s), REAL, 2e-6,
	 "messages between ranks of a node, its shared segment, messages between nodes"},
	{"node_message_s", FIELD_OFFSET(links[SR_LINK_NODE].message_s), REAL, 5e-7, NULL},
	{"node_bytes_per_s", FIELD_OFFSET(links[SR_LINK_NODE].bytes_per_s), REAL, 1e10, NULL},
	{"segment_round_s", FIELD_OFFSET(segment_round_s), REAL, 1e-6, NULL},
	{"segment_bytes_per_s", FIELD_OFFSET(segment_bytes_per_s), REAL, 1e10, NULL},
	{"network_latency_s", FIELD_OFFSET(links[SR_LINK_NETWORK].latency_s), REAL, 5e-6, NULL},
	{"network_message_s", FIELD_OFFSET(links[SR_LINK_NETWORK].message_s), REAL, 1e-6, NULL},
	{"network_bytes_per_s", FIELD_OFFSET(links[SR_LINK_NETWORK].bytes_per_s), REAL, 12.5e9, "of a node, shared by its ranks"},
#undef FIELD_OFFSET
};
enum { N_KEYS = sizeof keys / sizeof *keys };

static const struct key *find(const char *name, size_t n)
{
	for (int k = 0; k < N_KEYS; k++)
		if (strlen(keys[k].name) == n && !memcmp(keys[k].name, name, n))
			return &keys[k];
	return NULL;
}

static void set(struct sr_machine *m, const struct key *key, double value)
{
	char *at = (char *)m + key->offset;
	if (key->kind == COUNT)
		*(int *)at = (int)value;
	else if (key->kind == BYTES)
		*(int64_t *)at = (int64_t)value;
	else
		*(double *)at = value;
}

/* Parse the text [p, end) as a number. Return false if it is no number, or out of the key's range. Rates and times must be
 * positive. */
static bool parse_value(const char *p, const char *end, const struct key *key, double *value)
{
	char text[64], *number_end;
	size_t n = (size_t)(end - p);
	if (!n || n >= sizeof text || !(isdigit((unsigned char)*p) || *p == '.'))
		return false;
	memcpy(text, p, n);
	text[n] = 0;
	*value = strtod(text, &number_end);
	if (*number_end || !isfinite(*value))
		return false;
	if (key->kind == REAL)
		return *value > 0;
	return *value == floor(*value) && *value <= (key->kind == COUNT ? 1e9 : 9e15);
}

static void trim(const char **p, const char **end)
{
	while (*p < *end && isspace((unsigned char)**p))
		++*p;
	while (*end > *p && isspace((unsigned char)(*end)[-1]))
		--*end;
}

static enum sr_status parse_line(const char *p, const char *end, struct sr_src_loc place, struct sr_diags *diags, bool *is_set,
				 struct sr_machine *out)
{
	const char *comment = memchr(p, '#', (size_t)(end - p)), *name_end, *value_begin;
	double value;
	end = comment ? comment : end;
	trim(&p, &end);
	if (p == end)
		return SR_OK;
	const char *equals = memchr(p, '=', (size_t)(end - p));
	if (!equals)
		return sr_error(diags, SR_USAGE, place, "expected 'key = value' in a machine's text, found '%.*s'", (int)(end - p), p);
	name_end = equals, value_begin = equals + 1;
	trim(&p, &name_end);
	trim(&value_begin, &end);
	const struct key *key = find(p, (size_t)(name_end - p));
	if (!key)
		return sr_error(diags, SR_USAGE, place, "unknown key '%.*s' in a machine's text", (int)(name_end - p), p);
	if (is_set[key - keys])
		return sr_error(diags, SR_USAGE, place, "'%s' is given twice", key->name);
	is_set[key - keys] = true;
	if (!parse_value(value_begin, end, key, &value))
		return sr_error(diags, SR_USAGE, place, "'%s' must be a %s, not '%.*s'", key->name,
				key->kind == REAL ? "number above zero" : "whole number", (int)(end - value_begin), value_begin);
	set(out, key, value);
	out->knows_nodes = out->knows_nodes || key->offset == offsetof(struct sr_machine, ranks_per_node);
	return SR_OK;
}

static enum sr_status parse(const char *file, const char *p, const char *end, struct sr_diags *diags, struct sr_machine *out)
{
	bool is_set[N_KEYS] = {false};
	enum sr_status status = SR_OK;
	for (int line = 1; p < end && !status; line++) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		eol = eol ? eol : end;
		status = parse_line(p, eol, (struct sr_src_loc){file, line, 0}, diags, is_set, out);
		p = eol + (eol < end);
	}
	return status;
}

enum sr_status sr_machine_parse(const char *file, const char *text, size_t n, struct sr_diags *diags, struct sr_machine *out)
{
	struct sr_machine m;
	sr_machine_default(&m);
	enum sr_status status = parse(file, text, text + n, diags, &m);
	if (!status)
		*out = m;
	return status;
}

void sr_machine_default(struct sr_machine *out)
{
	*out = (struct sr_machine){0};
	for (int k = 0; k < N_KEYS; k++)
		set(out, &keys[k], keys[k].default_value);
}

void sr_machine_write(const struct sr_machine *machine, struct sr_buf *out)
{
	for (int k = 0; k < N_KEYS; k++) {
		const char *at = (const char *)machine + keys[k].offset;
		if (keys[k].comment)
			sr_buf_printf(out, "# %s\n", keys[k].comment);
		sr_buf_printf(out, "%s = ", keys[k].name);
		if (keys[k].kind == REAL)
			sr_buf_printf(out, "%.6g\n", *(const double *)at);
		else
			sr_buf_printf(out, "%lld\n", keys[k].kind == COUNT ? (long long)*(const int *)at : (long long)*(const int64_t *)at);
	}
}
