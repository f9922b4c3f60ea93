/* Print structured fields of xla.HloInstructionProto in the syntax of HLO text: metadata, shardings, windows, groups. */
#include "mesh/tiling.h"
#include "text/hlo/hlo.h"
#include <string.h>

#define PRINT(name)                                                                                                             \
	bool sr_hlo_print_##name(struct sr_hlo *h, const struct sr_hlo_field *row, struct sr_proto m, uint32_t number,          \
				 const struct sr_hlo_instruction *in, struct sr_buf *out)
#define UNUSED(name) (void)(name)

typedef SR_VEC(const char *) sr_hlo_names;

void sr_hlo_print_string(const void *bytes, size_t n, struct sr_buf *out)
{
	const uint8_t *s = bytes;
	sr_buf_putc(out, '"');
	for (size_t i = 0; i < n; i++)
		if (s[i] >= ' ' && s[i] < 0x7f && s[i] != '"' && s[i] != '\\')
			sr_buf_putc(out, (char)s[i]);
		else
			sr_buf_printf(out, "\\%03o", s[i]);
	sr_buf_putc(out, '"');
}

static void print_list(const sr_integers *list, const char *open, const char *separator, const char *close, struct sr_buf *out)
{
	sr_buf_puts(out, open);
	for (size_t i = 0; i < list->n; i++) {
		sr_buf_puts(out, i ? separator : "");
		sr_buf_int(out, list->data[i]);
	}
	sr_buf_puts(out, close);
}

void sr_hlo_print_integers(const sr_integers *list, struct sr_buf *out)
{
	print_list(list, "{", ",", "}", out);
}

/* Read the integer fields 1..n of a message; the last occurrence of a field counts. */
static void read_integers(struct sr_hlo *h, struct sr_proto m, int n, int64_t *values)
{
	memset(values, 0, sizeof *values * (size_t)(n + 1));
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		if (f.number <= (uint32_t)n)
			values[f.number] = sr_proto_int(&f);
}

/* Append all elements of a repeated field of integers. */
static void read_list(struct sr_hlo *h, struct sr_proto m, uint32_t number, sr_integers *out)
{
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		if (f.number == number)
			sr_hlo_field_integers(h, &f, out);
}

/* ---------------------------------------------------------------- metadata, shardings, frontend attributes */

PRINT(metadata)
{
	static const struct {
		uint32_t number;
		const char *name;
	} fields[] = {{2, "op_name"}, {3, "source_file"}, {4, "source_line"}, {18, "source_column"}, {15, "stack_frame_id"}};
	size_t old_length = out->n;
	UNUSED(row), UNUSED(in);
	for (struct sr_proto_field f, g; sr_hlo_next_field(h, &m, &f);) {
		struct sr_proto metadata = sr_proto_message(&f);
		while (f.number == number && sr_hlo_next_field(h, &metadata, &g))
			for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
				if (fields[i].number != g.number)
					continue;
				sr_buf_printf(out, "%s%s=", out->n > old_length ? " " : "{", fields[i].name);
				if (g.wire == SR_PROTO_BYTES)
					sr_hlo_print_string(g.bytes, g.n, out);
				else
					sr_buf_int(out, sr_proto_int(&g));
			}
	}
	if (out->n == old_length)
		return false;
	sr_buf_putc(out, '}');
	return true;
}

PRINT(sharding)
{
	const char *text = NULL;
	UNUSED(row), UNUSED(in);
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		if (f.number == number) {
			text = sr_tiling_text_of_proto(h->arena, f.bytes, f.n);
			if (!text)
				sr_parser_fail(&h->p, NULL, "the sharding is malformed or of a kind that is not supported");
		}
	if (text)
		sr_buf_puts(out, text);
	return text != NULL;
}

PRINT(frontend)
{
	size_t old_length = out->n;
	UNUSED(row), UNUSED(in);
	for (struct sr_proto_field f, g; sr_hlo_next_field(h, &m, &f);) {
		struct sr_proto map_message = sr_proto_message(&f);
		while (f.number == number && sr_hlo_next_field(h, &map_message, &g)) {
			struct sr_proto entry = sr_proto_message(&g);
			struct sr_proto_field text, pair[3] = {{0}};
			while (g.number == 1 && sr_hlo_next_field(h, &entry, &text))
				if (text.number <= 2)
					pair[text.number] = text;
			sr_buf_puts(out, out->n > old_length ? "," : "{");
			sr_hlo_print_string(pair[1].bytes, pair[1].n, out);
			sr_buf_putc(out, '=');
			sr_hlo_print_string(pair[2].bytes, pair[2].n, out);
		}
	}
	if (out->n == old_length)
		return false;
	sr_buf_putc(out, '}');
	return true;
}

/* ---------------------------------------------------------------- windows, padding, slices, convolutions */

PRINT(window)
{
	enum { SIZE = 1, STRIDE, LOW, HIGH, WINDOW_DILATION, BASE_DILATION, REVERSAL, N_FIELDS };
	static const struct {
		const char *name;
		int field, second_field;
	} window_fields[] = {{"size", SIZE, 0},		     {"stride", STRIDE, 0},	     {"pad", LOW, HIGH},
		     {"lhs_dilate", BASE_DILATION, 0}, {"rhs_dilate", WINDOW_DILATION, 0}, {"rhs_reversal", REVERSAL, 0}};
	SR_VEC(struct dimension { int64_t v[N_FIELDS]; }) dimensions = {0};
	UNUSED(row), UNUSED(in);
	for (struct sr_proto_field f, g; sr_hlo_next_field(h, &m, &f);) {
		struct sr_proto window = sr_proto_message(&f);
		while (f.number == number && sr_hlo_next_field(h, &window, &g)) {
			struct dimension d;
			read_integers(h, sr_proto_message(&g), N_FIELDS - 1, d.v);
			if (g.number == 1)
				sr_push(h->arena, &dimensions, d);
		}
	}
	if (!dimensions.n)
		return false;
	for (size_t i = 0; i < sizeof window_fields / sizeof *window_fields; i++) {
		sr_buf_printf(out, "%s%s=", i ? " " : "{", window_fields[i].name);
		for (size_t d = 0; d < dimensions.n; d++) {
			sr_buf_puts(out, d ? "x" : "");
			sr_buf_int(out, dimensions.data[d].v[window_fields[i].field]);
			if (window_fields[i].second_field)
				sr_buf_printf(out, "_%lld", (long long)dimensions.data[d].v[window_fields[i].second_field]);
		}
	}
	sr_buf_putc(out, '}');
	return true;
}

PRINT(padding)
{
	enum { N = 3 }; /* numbers per dimension: low, high, interior padding */
	size_t old_length = out->n;
	UNUSED(row), UNUSED(in);
	for (struct sr_proto_field f, g; sr_hlo_next_field(h, &m, &f);) {
		struct sr_proto config = sr_proto_message(&f);
		while (f.number == number && sr_hlo_next_field(h, &config, &g)) {
			int64_t v[N + 1];
			read_integers(h, sr_proto_message(&g), N, v);
			sr_buf_printf(out, "%s%lld_%lld_%lld", out->n > old_length ? "x" : "", (long long)v[1], (long long)v[2],
				      (long long)v[3]);
		}
	}
	return true;
}

PRINT(slices)
{
	enum { N = 3 }; /* numbers per dimension: start, limit, stride */
	UNUSED(row), UNUSED(in);
	sr_buf_putc(out, '{');
	bool is_first = true;
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);) {
		int64_t v[N + 1];
		if (f.number != number)
			continue;
		read_integers(h, sr_proto_message(&f), N, v);
		sr_buf_printf(out, "%s[%lld:%lld:%lld]", is_first ? "" : ",", (long long)v[1], (long long)v[2], (long long)v[3]);
		is_first = false;
	}
	sr_buf_putc(out, '}');
	return true;
}

/* Append the labels of one operand, e.g. b01f. `at`: dimensions of the two letters, then of the spatial dimensions. */
static void print_label_group(struct sr_hlo *h, const char letters[2], const int64_t at[2], const sr_integers *spatial,
			      struct sr_buf *out)
{
	char text[13] = {0};
	size_t n = spatial->n + 2;
	if (n >= sizeof text)
		sr_hlo_unsupported(h, NULL, "convolutions of more than %zu dimensions are not supported", sizeof text - 3);
	for (size_t i = 0; i < n; i++) {
		int64_t d = i < 2 ? at[i] : spatial->data[i - 2];
		if (d < 0 || d >= (int64_t)n || text[d])
			sr_parser_fail(&h->p, NULL, "the dimension numbers of the convolution are not a permutation");
		text[d] = i < 2 ? letters[i] : (char)('0' + i - 2);
	}
	sr_buf_puts(out, text);
}

PRINT(labels)
{
	enum { KERNEL_IN = 3, KERNEL_OUT, KERNEL_SPATIAL = 6, IN_BATCH, IN_FEATURE, OUT_BATCH, OUT_FEATURE, IN_SPATIAL, OUT_SPATIAL,
	       N_FIELDS };
	sr_integers v[N_FIELDS] = {0};
	bool has_labels = false;
	UNUSED(row), UNUSED(in);
	for (struct sr_proto_field f, g; sr_hlo_next_field(h, &m, &f);) {
		struct sr_proto numbers = sr_proto_message(&f);
		has_labels = has_labels || f.number == number;
		while (f.number == number && sr_hlo_next_field(h, &numbers, &g))
			if (g.number < N_FIELDS)
				sr_hlo_field_integers(h, &g, &v[g.number]);
	}
	if (!has_labels)
		return false;
#define LAST_VALUE(field) (v[field].n ? v[field].data[v[field].n - 1] : 0)
	print_label_group(h, "bf", (int64_t[]){LAST_VALUE(IN_BATCH), LAST_VALUE(IN_FEATURE)}, &v[IN_SPATIAL], out);
	sr_buf_putc(out, '_');
	print_label_group(h, "io", (int64_t[]){LAST_VALUE(KERNEL_IN), LAST_VALUE(KERNEL_OUT)}, &v[KERNEL_SPATIAL], out);
	sr_buf_puts(out, "->");
	print_label_group(h, "bf", (int64_t[]){LAST_VALUE(OUT_BATCH), LAST_VALUE(OUT_FEATURE)}, &v[OUT_SPATIAL], out);
	return true;
}

/* ---------------------------------------------------------------- device groups */

/* Append "{1,2}" for each xla.ReplicaGroup. Returns the number of groups. */
static int print_rows(struct sr_hlo *h, struct sr_proto m, uint32_t number, struct sr_buf *out)
{
	int n = 0;
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);) {
		sr_integers ids = {0};
		if (f.number != number)
			continue;
		read_list(h, sr_proto_message(&f), 1, &ids);
		sr_buf_puts(out, n++ ? "," : "{");
		sr_hlo_print_integers(&ids, out);
	}
	sr_buf_puts(out, n ? "}" : "");
	return n;
}

/* Append the text of an xla.IotaReplicaGroupListProto, such as [2,4]<=[4,2]T(1,0). */
static void print_iota(struct sr_hlo *h, struct sr_proto m, struct sr_buf *out)
{
	sr_integers dims = {0}, permutation = {0};
	int64_t shape[3];
	read_integers(h, m, 2, shape);
	read_list(h, m, 3, &dims);
	read_list(h, m, 4, &permutation);
	sr_buf_printf(out, "[%lld,%lld]", (long long)shape[1], (long long)shape[2]);
	print_list(&dims, "<=[", ",", "]", out);
	if (permutation.n)
		print_list(&permutation, "T(", ",", ")", out);
}

/* Append an xla.AxisRefProto: "x", or "x":(2)4 for a sub-axis. `names` are the mesh's axes. */
static void print_axis_ref(struct sr_hlo *h, struct sr_proto m, const char *const *names, size_t n, struct sr_buf *out)
{
	int64_t axis = 0, sub[3] = {0};
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);) {
		if (f.number == 1)
			axis = sr_proto_int(&f);
		if (f.number == 2)
			read_integers(h, sr_proto_message(&f), 2, sub);
	}
	if (axis < 0 || (uint64_t)axis >= n)
		sr_parser_fail(&h->p, NULL, "the groups name axis %lld, which the mesh does not have", (long long)axis);
	sr_hlo_print_string(names[axis], strlen(names[axis]), out);
	if (sub[2])
		sr_buf_printf(out, ":(%lld)%lld", (long long)sub[1], (long long)sub[2]);
}

/* Append an axis of a mesh, "x"=4, and its name to `names`. */
static void print_mesh_axis(struct sr_hlo *h, struct sr_proto m, sr_hlo_names *names, struct sr_buf *out)
{
	const char *name = "";
	int64_t size = 0;
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);) {
		if (f.number == 1)
			name = sr_proto_string(h->arena, &f);
		if (f.number == 2)
			size = sr_proto_int(&f);
	}
	sr_buf_puts(out, names->n ? "," : "");
	sr_hlo_print_string(name, strlen(name), out);
	sr_buf_printf(out, "=%lld", (long long)size);
	sr_push(h->arena, names, name);
}

/* Append xla.MeshProto: mesh["x"=4,"y"=2], device_ids=(1,0). The ids are a list, or an iota as [2,4]T(1,0). */
static void print_mesh(struct sr_hlo *h, struct sr_proto m, sr_hlo_names *names, struct sr_buf *out)
{
	enum { AXES = 1, IDS = 2, IOTA = 3 };
	sr_integers ids = {0}, dims = {0}, permutation = {0};
	sr_buf_puts(out, "mesh[");
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);) {
		if (f.number == AXES)
			print_mesh_axis(h, sr_proto_message(&f), names, out);
		if (f.number == IDS)
			sr_hlo_field_integers(h, &f, &ids);
		if (f.number == IOTA) {
			read_list(h, sr_proto_message(&f), 1, &dims);
			read_list(h, sr_proto_message(&f), 2, &permutation);
		}
	}
	sr_buf_putc(out, ']');
	if (ids.n)
		print_list(&ids, ", device_ids=(", ",", ")", out);
	else if (dims.n)
		print_list(&dims, ", device_ids=([", ",", "]", out);
	if (dims.n && !ids.n) {
		if (permutation.n)
			print_list(&permutation, "T(", ",", ")", out);
		sr_buf_putc(out, ')');
	}
}

/* Append xla.MeshAxesReplicaGroupListProto: a mesh and axes, {"x","y"}. */
static void print_mesh_groups(struct sr_hlo *h, struct sr_proto m, struct sr_buf *out)
{
	enum { MESH = 1, AXIS = 2 };
	sr_hlo_names names = {0};
	struct sr_proto first_pass = m;
	int n = 0;
	for (struct sr_proto_field f; sr_hlo_next_field(h, &first_pass, &f);)
		if (f.number == MESH)
			print_mesh(h, sr_proto_message(&f), &names, out);
	sr_buf_puts(out, " {");
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		if (f.number == AXIS) {
			sr_buf_puts(out, n++ ? "," : "");
			print_axis_ref(h, sr_proto_message(&f), names.data, names.n, out);
		}
	sr_buf_putc(out, '}');
}

/* Append the replica groups, which XLA's versions store in different fields: a list of groups (alone or in a list of devices), an
 * iota, or mesh axes. */
PRINT(groups)
{
	enum { LIST = 87, IOTA = 92, MESH = 93, IN_LIST_ROWS = 1, IN_LIST_IOTA = 2 };
	struct sr_proto first_pass = m;
	UNUSED(row), UNUSED(in);
	if (print_rows(h, m, number, out))
		return true;
	for (struct sr_proto_field f, g; sr_hlo_next_field(h, &first_pass, &f);) {
		size_t old_length = out->n;
		struct sr_proto list = sr_proto_message(&f);
		if (f.number == IOTA)
			print_iota(h, list, out);
		if (f.number == MESH)
			print_mesh_groups(h, list, out);
		if (f.number == LIST && !print_rows(h, list, IN_LIST_ROWS, out))
			while (sr_hlo_next_field(h, &list, &g))
				if (g.number == IN_LIST_IOTA)
					print_iota(h, sr_proto_message(&g), out);
		if (out->n > old_length)
			return true;
	}
	return false;
}

PRINT(pairs)
{
	UNUSED(row), UNUSED(in);
	sr_buf_putc(out, '{');
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);) {
		int64_t v[3];
		if (f.number != number)
			continue;
		read_integers(h, sr_proto_message(&f), 2, v);
		sr_buf_printf(out, "%s{%lld,%lld}", out->data[out->n - 1] == '}' ? "," : "", (long long)v[1], (long long)v[2]);
	}
	sr_buf_putc(out, '}');
	return true;
}

/* ---------------------------------------------------------------- custom calls */

PRINT(aliases)
{
	size_t old_length = out->n;
	UNUSED(row), UNUSED(in);
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);) {
		struct sr_proto alias = sr_proto_message(&f);
		sr_integers output = {0}, index = {0};
		int64_t operand = 0;
		if (f.number != number)
			continue;
		read_list(h, alias, 1, &output);
		read_list(h, alias, 3, &index);
		for (struct sr_proto_field g; sr_hlo_next_field(h, &alias, &g);)
			if (g.number == 2)
				operand = sr_proto_int(&g);
		sr_buf_puts(out, out->n > old_length ? ", " : "{");
		sr_hlo_print_integers(&output, out);
		sr_buf_printf(out, ": (%lld, ", (long long)operand);
		sr_hlo_print_integers(&index, out);
		sr_buf_putc(out, ')');
	}
	if (out->n == old_length)
		return false;
	sr_buf_putc(out, '}');
	return true;
}

/* Append the layouts that a custom call requires of its operands, if field 56 says that it requires layouts. */
PRINT(layouts)
{
	enum { CONSTRAINED = 56 };
	bool requires_layouts = false;
	int n = 0;
	UNUSED(row), UNUSED(in);
	sr_buf_putc(out, '{');
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);) {
		if (f.number == CONSTRAINED)
			requires_layouts = sr_proto_bool(&f);
		if (f.number != number)
			continue;
		sr_buf_puts(out, n++ ? ", " : "");
		sr_hlo_print_shape(sr_hlo_proto_shape(h, sr_proto_message(&f)), out);
	}
	sr_buf_putc(out, '}');
	return requires_layouts;
}
