/* Parse GSPMD shardings, in XLA's grammar:
 *
 *	sharding  = "{" sharding { "," sharding } "}" | "{" { word } "}"
 *	word      = replicated | manual | unreduced | unknown | maximal | device=N | devices=[dims] ids | last_tile_dim_replicate
 *	          | last_tile_dims={kind, ...} | shard_as N | shard_like N | metadata={...}
 *	ids       = N,N,... | <=[reshape] | <=[reshape]T(perm)
 *
 * Words may come in any order; duplicates and contradictions are errors. Newer XLA may print a sharding with a mesh instead:
 *
 *	named     = "{" mesh['name'=N, ...] [, device_ids=(N,N,... | [reshape] | [reshape]T(perm))] , [dim, ...]
 *	            {, (replicated | unreduced | manual)=dim} "}"
 *	dim       = "{" ['name' | 'name':(pre)size, ...] [?] "}"
 */
#include "mesh/tiling.h"
#include "support/checked.h"
#include "support/vec.h"
#include <string.h>

enum { MAX_DEVICES = 1 << 24, MAX_DEPTH = 64 };

struct parser {
	struct sr_arena *arena;
	const char *text, *p;
	const char *error; /* message of the first error; NULL: none */
	int depth;
};

typedef SR_VEC(int64_t) numbers;

static bool fail(struct parser *in, const char *message)
{
	if (!in->error)
		in->error = sr_printf(in->arena, "%s at character %d", message, (int)(in->p - in->text) + 1);
	return false;
}

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static void skip_blanks(struct parser *in)
{
	for (;;) {
		const char *end = in->p[0] == '/' && in->p[1] == '*' ? strstr(in->p + 2, "*/") : NULL;
		if (end)
			in->p = end + 2;
		else if (*in->p == ' ' || *in->p == '\n' || *in->p == '\t')
			in->p++;
		else
			return;
	}
}

static bool take_token(struct parser *in, const char *token)
{
	skip_blanks(in);
	size_t n = strlen(token);
	if (strncmp(in->p, token, n) != 0 || (is_word_char(token[n - 1]) && is_word_char(in->p[n])))
		return false;
	in->p += n;
	return true;
}

static bool expect_token(struct parser *in, const char *token)
{
	return take_token(in, token) || fail(in, sr_printf(in->arena, "expected '%s'", token));
}

static bool parse_number(struct parser *in, int64_t *out)
{
	skip_blanks(in);
	if (*in->p < '0' || *in->p > '9')
		return fail(in, "expected a number");
	for (*out = 0; *in->p >= '0' && *in->p <= '9'; in->p++)
		if (sr_mul_overflows(*out, 10, out) || sr_add_overflows(*out, *in->p - '0', out))
			return fail(in, "too large a number");
	return true;
}

/* Read comma-separated numbers, and the token `end` unless it is NULL. */
static bool parse_numbers(struct parser *in, const char *end, numbers *out)
{
	do {
		int64_t v;
		if (!parse_number(in, &v))
			return false;
		sr_push(in->arena, out, v);
	} while (take_token(in, ","));
	return !end || expect_token(in, end);
}

/* Return the product of the extents, a number of tiles or devices. Reports an error and returns 0 if it is 0 or too large. */
static int64_t device_count(struct parser *in, const numbers *extents)
{
	int64_t n;
	if (sr_product_overflows(extents->data, (int)extents->n, &n) || n > MAX_DEVICES)
		fail(in, "too many devices");
	else if (n > 0)
		return n;
	fail(in, "an extent of 0");
	return 0;
}

static bool parse_iota(struct parser *in, struct sr_tiling *t, int64_t n)
{
	numbers reshape = {0}, perm = {0};
	if (!expect_token(in, "[") || !parse_numbers(in, "]", &reshape))
		return false;
	int64_t devices = device_count(in, &reshape);
	if (devices != n)
		return fail(in, sr_printf(in->arena, "%lld tiles, but %lld devices", (long long)n, (long long)devices));
	t->reshape = reshape.data;
	t->n_reshape = (int)reshape.n;
	if (!take_token(in, "T"))
		return reshape.n == 1 || fail(in, "expected 'T('");
	if (!expect_token(in, "(") || !parse_numbers(in, ")", &perm))
		return false;
	int *order = SR_NEW_ARRAY(in->arena, int, perm.n);
	bool *is_seen = SR_NEW_ARRAY(in->arena, bool, perm.n), is_permutation = perm.n == reshape.n;
	for (size_t i = 0; is_permutation && i < perm.n; i++) {
		is_permutation = perm.data[i] < (int64_t)perm.n && !is_seen[perm.data[i]];
		if (is_permutation)
			is_seen[order[i] = (int)perm.data[i]] = true;
	}
	t->perm = order;
	return is_permutation || fail(in, "the transposition is no permutation of the reshaped dimensions");
}

static bool parse_device_list(struct parser *in, struct sr_tiling *t, int64_t n)
{
	numbers ids = {0};
	if (!parse_numbers(in, NULL, &ids))
		return false;
	if ((int64_t)ids.n != n)
		return fail(in, sr_printf(in->arena, "%lld tiles, but %lld devices", (long long)n, (long long)ids.n));
	bool *is_seen = SR_NEW_ARRAY(in->arena, bool, n);
	for (int64_t i = 0; i < n; i++) {
		if (ids.data[i] >= n || is_seen[ids.data[i]])
			return fail(in, sr_printf(in->arena, "device %lld %s", (long long)ids.data[i],
						  ids.data[i] >= n ? "is beyond the number of tiles" : "has two tiles"));
		is_seen[ids.data[i]] = true;
	}
	t->ids = ids.data;
	return true;
}

static bool parse_devices(struct parser *in, struct sr_tiling *t)
{
	numbers dims = {0};
	if (!expect_token(in, "[") || !parse_numbers(in, "]", &dims))
		return false;
	int64_t n = device_count(in, &dims);
	t->kind = SR_TILING_TILED;
	t->dims = dims.data;
	t->n_dims = (int)dims.n;
	return n > 0 && (take_token(in, "<=") ? parse_iota(in, t, n) : parse_device_list(in, t, n));
}

/* Consume one of `words` and return its index; -1 if none of them follows. */
static int take_word(struct parser *in, const char *const *words, int n)
{
	for (int i = 0; i < n; i++)
		if (words[i] && take_token(in, words[i]))
			return i;
	return -1;
}

static bool parse_subgroups(struct parser *in, struct sr_tiling *t)
{
	SR_VEC(enum sr_tiling_kind) list = {0};
	if (!expect_token(in, "{"))
		return false;
	while (!take_token(in, "}")) {
		if (list.n > 0 && !expect_token(in, ","))
			return false;
		int kind = take_word(in, sr_tiling_kind_names, SR_TILING_SUBGROUP_COUNT);
		if (kind < 0)
			return fail(in, "expected manual, unreduced or replicated");
		sr_push(in->arena, &list, (enum sr_tiling_kind)kind);
	}
	t->subgroups = list.data;
	t->n_subgroups = (int)list.n;
	return true;
}

/* Read text between braces, which may nest and contain quoted strings. */
static bool parse_metadata(struct parser *in, struct sr_tiling *t)
{
	if (!expect_token(in, "{"))
		return false;
	const char *start = in->p;
	int depth = 1;
	for (bool is_quoted = false; *in->p; in->p++) {
		if (is_quoted && *in->p == '\\' && in->p[1])
			in->p++;
		else if (*in->p == '"')
			is_quoted = !is_quoted;
		else if (!is_quoted && *in->p == '{')
			depth++;
		else if (!is_quoted && *in->p == '}' && --depth == 0)
			break;
	}
	t->metadata = sr_strndup(in->arena, start, (size_t)(in->p - start));
	return expect_token(in, "}");
}

static bool parse_device(struct parser *in, struct sr_tiling *t)
{
	return parse_number(in, &t->device);
}

static bool parse_replicate_last(struct parser *in, struct sr_tiling *t)
{
	static const enum sr_tiling_kind replicated[] = {SR_TILING_REPLICATED};
	t->subgroups = replicated;
	t->n_subgroups = 1;
	return true;
}

static bool parse_shard_as(struct parser *in, struct sr_tiling *t)
{
	t->group = SR_TILING_SHARD_AS;
	return parse_number(in, &t->group_id);
}

static bool parse_shard_like(struct parser *in, struct sr_tiling *t)
{
	t->group = SR_TILING_SHARD_LIKE;
	return parse_number(in, &t->group_id);
}

/* Components of a sharding, each of which may occur at most once. */
enum sharding_component { KIND = 1, DEVICE = 2, SUBGROUPS = 4, GROUP = 8, METADATA = 16 };

static const struct word_parser {
	const char *word;
	enum sharding_component component;
	bool (*read)(struct parser *in, struct sr_tiling *t);
} entries[] = {
	{"devices=", KIND, parse_devices},
	{"device=", DEVICE, parse_device},
	{"last_tile_dim_replicate", SUBGROUPS, parse_replicate_last},
	{"last_tile_dims=", SUBGROUPS, parse_subgroups},
	{"shard_as", GROUP, parse_shard_as},
	{"shard_like", GROUP, parse_shard_like},
	{"metadata=", METADATA, parse_metadata},
};
enum { N_ENTRIES = sizeof entries / sizeof *entries };

/* Read one word and its arguments. Return which component of the sharding it gives; 0, with an error reported, on failure. */
static unsigned parse_word(struct parser *in, struct sr_tiling *t)
{
	for (int i = 0; i < N_ENTRIES; i++)
		if (take_token(in, entries[i].word))
			return entries[i].read(in, t) ? entries[i].component : 0;
	int kind = take_word(in, sr_tiling_kind_names, SR_TILING_TILED);
	if (kind < 0) {
		fail(in, "expected a kind of sharding");
		return 0;
	}
	t->kind = (enum sr_tiling_kind)kind;
	return KIND;
}

static bool check_combination(struct parser *in, const struct sr_tiling *t, unsigned given_fields)
{
	if (!(given_fields & KIND))
		return fail(in, "expected a kind of sharding");
	if (!(given_fields & DEVICE) != (t->kind != SR_TILING_MAXIMAL))
		return fail(in, given_fields & DEVICE ? "a device, but not maximal" : "maximal without a device");
	if (t->n_subgroups > 0 && t->kind != SR_TILING_TILED)
		return fail(in, "kinds of tile dimensions, but no tiles");
	return t->n_subgroups <= t->n_dims || fail(in, "more kinds of tile dimensions than dimensions");
}

static bool parse_single(struct parser *in, struct sr_tiling *t)
{
	unsigned given_fields = 0;
	while (!take_token(in, "}")) {
		unsigned field = parse_word(in, t);
		if (!field)
			return false;
		if (given_fields & field)
			return fail(in, "given twice");
		given_fields |= field;
	}
	return check_combination(in, t, given_fields);
}

/* ---------------------------------------------------------------- with a mesh */

static const char *parse_axis_name(struct parser *in)
{
	if (!expect_token(in, "'"))
		return NULL;
	size_t n = strcspn(in->p, "'");
	const char *name = sr_strndup(in->arena, in->p, n);
	in->p += n;
	return expect_token(in, "'") ? name : NULL;
}

static bool parse_mesh_axes(struct parser *in, struct sr_mesh *mesh)
{
	SR_VEC(struct sr_axis) axes = {0};
	numbers sizes = {0};
	while (!take_token(in, "]")) {
		struct sr_axis axis;
		if ((axes.n > 0 && !expect_token(in, ",")) || !(axis.name = parse_axis_name(in)) || !expect_token(in, "=") || !parse_number(in, &axis.size))
			return false;
		for (size_t i = 0; i < axes.n; i++)
			if (strcmp(axes.data[i].name, axis.name) == 0)
				return fail(in, "the mesh has two axes of one name");
		sr_push(in->arena, &axes, axis);
		sr_push(in->arena, &sizes, axis.size);
	}
	mesh->axes = axes.data;
	mesh->n_axes = (int)axes.n;
	return device_count(in, &sizes) > 0;
}

static bool parse_mesh_devices(struct parser *in, struct sr_mesh *mesh)
{
	struct sr_tiling order = {0};
	int64_t n = sr_mesh_devices(mesh);
	if (!expect_token(in, "("))
		return false;
	skip_blanks(in);
	if (!(*in->p == '[' ? parse_iota(in, &order, n) : parse_device_list(in, &order, n)))
		return false;
	mesh->device_ids = sr_tiling_ids(in->arena, &order);
	mesh->n_device_ids = (int)n;
	return expect_token(in, ")");
}

/* Read a reference to an axis of the mesh that does not overlap `used_axes`, and add it to them. */
static bool parse_axis_ref(struct parser *in, const struct sr_mesh *mesh, struct sr_axes *used_axes, struct sr_axis_ref *ref)
{
	const char *name = parse_axis_name(in);
	const struct sr_axis *axis = NULL;
	for (int i = 0; name && i < mesh->n_axes; i++)
		axis = strcmp(mesh->axes[i].name, name) == 0 ? &mesh->axes[i] : axis;
	if (!axis)
		return fail(in, "expected an axis of the mesh");
	*ref = (struct sr_axis_ref){axis->name, 1, axis->size};
	if (take_token(in, ":") && (!expect_token(in, "(") || !parse_number(in, &ref->pre) || !expect_token(in, ")") || !parse_number(in, &ref->size)))
		return false;
	int64_t end;
	if (sr_mul_overflows(ref->pre, ref->size, &end) || end < 1 || axis->size % end != 0)
		return fail(in, "a part that does not divide the axis");
	for (int i = 0; i < used_axes->n; i++)
		if (sr_axis_overlaps(used_axes->refs[i], *ref) || !sr_axis_can_coexist(used_axes->refs[i], *ref))
			return fail(in, "an axis is used twice");
	*used_axes = sr_axes_append(in->arena, *used_axes, *ref);
	return true;
}

static bool parse_axis_refs(struct parser *in, const struct sr_mesh *mesh, struct sr_axes *used_axes, struct sr_axes *out)
{
	SR_VEC(struct sr_axis_ref) refs = {0};
	if (!expect_token(in, "{"))
		return false;
	for (bool first = true; !take_token(in, "}"); first = false) {
		struct sr_axis_ref ref;
		if (!first && !expect_token(in, ","))
			return false;
		if (take_token(in, "?"))
			continue;
		if (!parse_axis_ref(in, mesh, used_axes, &ref))
			return false;
		sr_push(in->arena, &refs, ref);
	}
	*out = (struct sr_axes){refs.data, (int)refs.n};
	return true;
}

/* Read the rest of a sharding with named axes, after "{mesh[". */
static bool parse_named(struct parser *in, struct sr_tiling *t)
{
	struct sr_mesh mesh = {0};
	struct sr_axes used_axes = {0}, subgroups[SR_TILING_SUBGROUP_COUNT] = {{0}};
	SR_VEC(struct sr_axes) dims = {0};
	if (!parse_mesh_axes(in, &mesh) || !expect_token(in, ","))
		return false;
	if (take_token(in, "device_ids=") && (!parse_mesh_devices(in, &mesh) || !expect_token(in, ",")))
		return false;
	if (!expect_token(in, "["))
		return false;
	while (!take_token(in, "]")) {
		struct sr_axes axes;
		if ((dims.n > 0 && !expect_token(in, ",")) || !parse_axis_refs(in, &mesh, &used_axes, &axes))
			return false;
		sr_push(in->arena, &dims, axes);
	}
	while (!take_token(in, "}")) {
		int kind = expect_token(in, ",") ? take_word(in, sr_tiling_kind_names, SR_TILING_SUBGROUP_COUNT) : -1;
		if (kind < 0)
			return fail(in, "expected manual, unreduced or replicated");
		if (!expect_token(in, "=") || !parse_axis_refs(in, &mesh, &used_axes, &subgroups[kind]))
			return false;
	}
	*t = sr_tiling_of_axes(in->arena, &mesh, dims.data, (int)dims.n, subgroups[SR_TILING_MANUAL], subgroups[SR_TILING_UNREDUCED]);
	return true;
}

static bool parse_sharding(struct parser *in, struct sr_tiling *t)
{
	*t = (struct sr_tiling){0};
	if (!expect_token(in, "{"))
		return false;
	if (take_token(in, "mesh["))
		return parse_named(in, t);
	skip_blanks(in);
	if (*in->p != '{' && *in->p != '}')
		return parse_single(in, t);
	if (++in->depth > MAX_DEPTH)
		return fail(in, "tuples nested too deeply");
	SR_VEC(struct sr_tiling) elements = {0};
	while (!take_token(in, "}")) {
		struct sr_tiling element;
		if ((elements.n > 0 && !expect_token(in, ",")) || !parse_sharding(in, &element))
			return false;
		sr_push(in->arena, &elements, element);
	}
	in->depth--;
	t->kind = SR_TILING_TUPLE;
	t->elements = elements.data;
	t->n_elements = (int)elements.n;
	return true;
}

bool sr_tiling_parse(struct sr_arena *arena, const char *text, struct sr_tiling *out, const char **problem)
{
	struct parser in = {.arena = arena, .text = text, .p = text};
	if (parse_sharding(&in, out)) {
		skip_blanks(&in);
		if (*in.p)
			fail(&in, "unexpected text");
	}
	*problem = in.error;
	return !in.error;
}
