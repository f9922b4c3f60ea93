/* GSPMD's shardings from text, in XLA's grammar:
 *
 *	sharding  = "{" sharding { "," sharding } "}" | "{" { word } "}"
 *	word      = replicated | manual | unreduced | unknown | maximal | device=N | devices=[dims] ids | last_tile_dim_replicate
 *	          | last_tile_dims={kind, ...} | shard_as N | shard_like N | metadata={...}
 *	ids       = N,N,... | <=[reshape] | <=[reshape]T(perm)
 *
 * Words come in any order. What is said twice or does not fit together is an error. Or with a mesh, as newer XLA may print it:
 *
 *	named     = "{" mesh['name'=N, ...] [, device_ids=(N,N,... | [reshape] | [reshape]T(perm))] , [dim, ...]
 *	            {, (replicated | unreduced | manual)=dim} "}"
 *	dim       = "{" ['name' | 'name':(pre)size, ...] [?] "}" */
#include "mesh/tiling.h"
#include "support/checked.h"
#include "support/vec.h"
#include <string.h>

enum { MAX_DEVICES = 1 << 24, MAX_DEPTH = 64 };

struct parser {
	struct sr_arena *arena;
	const char *text, *p;
	const char *why; /* NULL: no mistake yet */
	int depth;
};

typedef SR_VEC(int64_t) numbers;

static bool fail(struct parser *in, const char *what)
{
	if (!in->why)
		in->why = sr_printf(in->arena, "%s at character %d", what, (int)(in->p - in->text) + 1);
	return false;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static void blanks(struct parser *in)
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

static bool take(struct parser *in, const char *token)
{
	blanks(in);
	size_t n = strlen(token);
	if (strncmp(in->p, token, n) != 0 || (is_word(token[n - 1]) && is_word(in->p[n])))
		return false;
	in->p += n;
	return true;
}

static bool expect(struct parser *in, const char *token)
{
	return take(in, token) || fail(in, sr_printf(in->arena, "expected '%s'", token));
}

static bool number(struct parser *in, int64_t *out)
{
	blanks(in);
	if (*in->p < '0' || *in->p > '9')
		return fail(in, "expected a number");
	for (*out = 0; *in->p >= '0' && *in->p <= '9'; in->p++)
		if (sr_mul_overflows(*out, 10, out) || sr_add_overflows(*out, *in->p - '0', out))
			return fail(in, "too large a number");
	return true;
}

/* Numbers with commas, up to a token where one is given. */
static bool number_list(struct parser *in, const char *end, numbers *out)
{
	do {
		int64_t v;
		if (!number(in, &v))
			return false;
		sr_push(in->arena, out, v);
	} while (take(in, ","));
	return !end || expect(in, end);
}

/* The number of tiles or devices; 0, reported, where it is none or too large. */
static int64_t count(struct parser *in, const numbers *extents)
{
	int64_t n;
	if (sr_product_overflows(extents->data, (int)extents->n, &n) || n > MAX_DEVICES)
		fail(in, "too many devices");
	else if (n > 0)
		return n;
	fail(in, "an extent of 0");
	return 0;
}

static bool iota(struct parser *in, struct sr_tiling *t, int64_t n)
{
	numbers reshape = {0}, perm = {0};
	if (!expect(in, "[") || !number_list(in, "]", &reshape))
		return false;
	int64_t devices = count(in, &reshape);
	if (devices != n)
		return fail(in, sr_printf(in->arena, "%lld tiles, but %lld devices", (long long)n, (long long)devices));
	t->reshape = reshape.data;
	t->n_reshape = (int)reshape.n;
	if (!take(in, "T"))
		return reshape.n == 1 || fail(in, "expected 'T('");
	if (!expect(in, "(") || !number_list(in, ")", &perm))
		return false;
	int *order = SR_NEWS(in->arena, int, perm.n);
	bool *seen = SR_NEWS(in->arena, bool, perm.n), good = perm.n == reshape.n;
	for (size_t i = 0; good && i < perm.n; i++) {
		good = perm.data[i] < (int64_t)perm.n && !seen[perm.data[i]];
		if (good)
			seen[order[i] = (int)perm.data[i]] = true;
	}
	t->perm = order;
	return good || fail(in, "the transposition is no permutation of the reshaped dimensions");
}

static bool listed(struct parser *in, struct sr_tiling *t, int64_t n)
{
	numbers ids = {0};
	if (!number_list(in, NULL, &ids))
		return false;
	if ((int64_t)ids.n != n)
		return fail(in, sr_printf(in->arena, "%lld tiles, but %lld devices", (long long)n, (long long)ids.n));
	bool *seen = SR_NEWS(in->arena, bool, n);
	for (int64_t i = 0; i < n; i++) {
		if (ids.data[i] >= n || seen[ids.data[i]])
			return fail(in, sr_printf(in->arena, "device %lld %s", (long long)ids.data[i],
						  ids.data[i] >= n ? "is beyond the number of tiles" : "has two tiles"));
		seen[ids.data[i]] = true;
	}
	t->ids = ids.data;
	return true;
}

static bool devices(struct parser *in, struct sr_tiling *t)
{
	numbers dims = {0};
	if (!expect(in, "[") || !number_list(in, "]", &dims))
		return false;
	int64_t n = count(in, &dims);
	t->kind = SR_TILING_TILED;
	t->dims = dims.data;
	t->n_dims = (int)dims.n;
	return n > 0 && (take(in, "<=") ? iota(in, t, n) : listed(in, t, n));
}

/* The index of the word that comes next; -1: none of them. */
static int word(struct parser *in, const char *const *words, int n)
{
	for (int i = 0; i < n; i++)
		if (words[i] && take(in, words[i]))
			return i;
	return -1;
}

static const char *const kinds[] = {
	[SR_TILING_MANUAL] = "manual", [SR_TILING_UNREDUCED] = "unreduced", [SR_TILING_REPLICATED] = "replicated",
	[SR_TILING_MAXIMAL] = "maximal", [SR_TILING_UNKNOWN] = "unknown",
};

static bool subgroups(struct parser *in, struct sr_tiling *t)
{
	SR_VEC(enum sr_tiling_kind) list = {0};
	if (!expect(in, "{"))
		return false;
	while (!take(in, "}")) {
		if (list.n > 0 && !expect(in, ","))
			return false;
		int kind = word(in, kinds, SR_TILING_SUBGROUP_COUNT);
		if (kind < 0)
			return fail(in, "expected manual, unreduced or replicated");
		sr_push(in->arena, &list, (enum sr_tiling_kind)kind);
	}
	t->subgroups = list.data;
	t->n_subgroups = (int)list.n;
	return true;
}

/* The text within braces, which may nest and hold quoted strings. */
static bool metadata(struct parser *in, struct sr_tiling *t)
{
	if (!expect(in, "{"))
		return false;
	const char *start = in->p;
	int depth = 1;
	for (bool quoted = false; *in->p; in->p++) {
		if (quoted && *in->p == '\\' && in->p[1])
			in->p++;
		else if (*in->p == '"')
			quoted = !quoted;
		else if (!quoted && *in->p == '{')
			depth++;
		else if (!quoted && *in->p == '}' && --depth == 0)
			break;
	}
	t->metadata = sr_strndup(in->arena, start, (size_t)(in->p - start));
	return expect(in, "}");
}

static bool device(struct parser *in, struct sr_tiling *t)
{
	return number(in, &t->device);
}

static bool replicate_last(struct parser *in, struct sr_tiling *t)
{
	static const enum sr_tiling_kind replicated[] = {SR_TILING_REPLICATED};
	t->subgroups = replicated;
	t->n_subgroups = 1;
	return true;
}

static bool shard_as(struct parser *in, struct sr_tiling *t)
{
	t->group = SR_TILING_SHARD_AS;
	return number(in, &t->group_id);
}

static bool shard_like(struct parser *in, struct sr_tiling *t)
{
	t->group = SR_TILING_SHARD_LIKE;
	return number(in, &t->group_id);
}

/* What may be said once. */
enum said { KIND = 1, DEVICE = 2, SUBGROUPS = 4, GROUP = 8, METADATA = 16 };

static const struct entry {
	const char *word;
	enum said says;
	bool (*read)(struct parser *in, struct sr_tiling *t);
} entries[] = {
	{"devices=", KIND, devices},
	{"device=", DEVICE, device},
	{"last_tile_dim_replicate", SUBGROUPS, replicate_last},
	{"last_tile_dims=", SUBGROUPS, subgroups},
	{"shard_as", GROUP, shard_as},
	{"shard_like", GROUP, shard_like},
	{"metadata=", METADATA, metadata},
};
enum { N_ENTRIES = sizeof entries / sizeof *entries };

/* One word and what follows it; 0, reported: a mistake. */
static unsigned one_word(struct parser *in, struct sr_tiling *t)
{
	for (int i = 0; i < N_ENTRIES; i++)
		if (take(in, entries[i].word))
			return entries[i].read(in, t) ? entries[i].says : 0;
	int kind = word(in, kinds, SR_TILING_TILED);
	if (kind < 0) {
		fail(in, "expected a kind of sharding");
		return 0;
	}
	t->kind = (enum sr_tiling_kind)kind;
	return KIND;
}

static bool fits_together(struct parser *in, const struct sr_tiling *t, unsigned said)
{
	if (!(said & KIND))
		return fail(in, "expected a kind of sharding");
	if (!(said & DEVICE) != (t->kind != SR_TILING_MAXIMAL))
		return fail(in, said & DEVICE ? "a device, but not maximal" : "maximal without a device");
	if (t->n_subgroups > 0 && t->kind != SR_TILING_TILED)
		return fail(in, "kinds of tile dimensions, but no tiles");
	return t->n_subgroups <= t->n_dims || fail(in, "more kinds of tile dimensions than dimensions");
}

static bool single(struct parser *in, struct sr_tiling *t)
{
	unsigned said = 0;
	while (!take(in, "}")) {
		unsigned says = one_word(in, t);
		if (!says)
			return false;
		if (said & says)
			return fail(in, "said twice");
		said |= says;
	}
	return fits_together(in, t, said);
}

/* ---------------------------------------------------------------- with a mesh */

static const char *axis_name(struct parser *in)
{
	if (!expect(in, "'"))
		return NULL;
	size_t n = strcspn(in->p, "'");
	const char *name = sr_strndup(in->arena, in->p, n);
	in->p += n;
	return expect(in, "'") ? name : NULL;
}

static bool mesh_axes(struct parser *in, struct sr_mesh *mesh)
{
	SR_VEC(struct sr_axis) axes = {0};
	numbers sizes = {0};
	while (!take(in, "]")) {
		struct sr_axis axis;
		if ((axes.n > 0 && !expect(in, ",")) || !(axis.name = axis_name(in)) || !expect(in, "=") || !number(in, &axis.size))
			return false;
		for (size_t i = 0; i < axes.n; i++)
			if (strcmp(axes.data[i].name, axis.name) == 0)
				return fail(in, "the mesh has two axes of one name");
		sr_push(in->arena, &axes, axis);
		sr_push(in->arena, &sizes, axis.size);
	}
	mesh->axes = axes.data;
	mesh->n_axes = (int)axes.n;
	return count(in, &sizes) > 0;
}

static bool mesh_devices(struct parser *in, struct sr_mesh *mesh)
{
	struct sr_tiling order = {0};
	int64_t n = sr_mesh_devices(mesh);
	if (!expect(in, "("))
		return false;
	blanks(in);
	if (!(*in->p == '[' ? iota(in, &order, n) : listed(in, &order, n)))
		return false;
	mesh->device_ids = sr_tiling_ids(in->arena, &order);
	mesh->n_device_ids = (int)n;
	return expect(in, ")");
}

/* A reference to an axis of the mesh, none of whose parts is used yet. */
static bool axis_ref(struct parser *in, const struct sr_mesh *mesh, struct sr_axes *used, struct sr_axis_ref *ref)
{
	const char *name = axis_name(in);
	const struct sr_axis *axis = NULL;
	for (int i = 0; name && i < mesh->n_axes; i++)
		axis = strcmp(mesh->axes[i].name, name) == 0 ? &mesh->axes[i] : axis;
	if (!axis)
		return fail(in, "expected an axis of the mesh");
	*ref = (struct sr_axis_ref){axis->name, 1, axis->size};
	if (take(in, ":") && (!expect(in, "(") || !number(in, &ref->pre) || !expect(in, ")") || !number(in, &ref->size)))
		return false;
	int64_t end;
	if (sr_mul_overflows(ref->pre, ref->size, &end) || end < 1 || axis->size % end != 0)
		return fail(in, "a part that does not divide the axis");
	for (int i = 0; i < used->n; i++)
		if (sr_axis_overlaps(used->refs[i], *ref) || !sr_axis_can_coexist(used->refs[i], *ref))
			return fail(in, "an axis is used twice");
	*used = sr_axes_append(in->arena, *used, *ref);
	return true;
}

static bool axis_refs(struct parser *in, const struct sr_mesh *mesh, struct sr_axes *used, struct sr_axes *out)
{
	SR_VEC(struct sr_axis_ref) refs = {0};
	if (!expect(in, "{"))
		return false;
	for (bool first = true; !take(in, "}"); first = false) {
		struct sr_axis_ref ref;
		if (!first && !expect(in, ","))
			return false;
		if (take(in, "?"))
			continue;
		if (!axis_ref(in, mesh, used, &ref))
			return false;
		sr_push(in->arena, &refs, ref);
	}
	*out = (struct sr_axes){refs.data, (int)refs.n};
	return true;
}

/* Behind "{mesh[". */
static bool named(struct parser *in, struct sr_tiling *t)
{
	struct sr_mesh mesh = {0};
	struct sr_axes used = {0}, subgroups[SR_TILING_SUBGROUP_COUNT] = {{0}};
	SR_VEC(struct sr_axes) dims = {0};
	if (!mesh_axes(in, &mesh) || !expect(in, ","))
		return false;
	if (take(in, "device_ids=") && (!mesh_devices(in, &mesh) || !expect(in, ",")))
		return false;
	if (!expect(in, "["))
		return false;
	while (!take(in, "]")) {
		struct sr_axes axes;
		if ((dims.n > 0 && !expect(in, ",")) || !axis_refs(in, &mesh, &used, &axes))
			return false;
		sr_push(in->arena, &dims, axes);
	}
	while (!take(in, "}")) {
		int kind = expect(in, ",") ? word(in, kinds, SR_TILING_SUBGROUP_COUNT) : -1;
		if (kind < 0)
			return fail(in, "expected manual, unreduced or replicated");
		if (!expect(in, "=") || !axis_refs(in, &mesh, &used, &subgroups[kind]))
			return false;
	}
	*t = sr_tiling_of_axes(in->arena, &mesh, dims.data, (int)dims.n, subgroups[SR_TILING_MANUAL], subgroups[SR_TILING_UNREDUCED]);
	return true;
}

static bool sharding(struct parser *in, struct sr_tiling *t)
{
	*t = (struct sr_tiling){0};
	if (!expect(in, "{"))
		return false;
	if (take(in, "mesh["))
		return named(in, t);
	blanks(in);
	if (*in->p != '{' && *in->p != '}')
		return single(in, t);
	if (++in->depth > MAX_DEPTH)
		return fail(in, "tuples nested too deeply");
	SR_VEC(struct sr_tiling) elements = {0};
	while (!take(in, "}")) {
		struct sr_tiling element;
		if ((elements.n > 0 && !expect(in, ",")) || !sharding(in, &element))
			return false;
		sr_push(in->arena, &elements, element);
	}
	in->depth--;
	t->kind = SR_TILING_TUPLE;
	t->elements = elements.data;
	t->n_elements = (int)elements.n;
	return true;
}

bool sr_tiling_parse(struct sr_arena *arena, const char *text, struct sr_tiling *out, const char **why)
{
	struct parser in = {.arena = arena, .text = text, .p = text};
	if (sharding(&in, out)) {
		blanks(&in);
		if (*in.p)
			fail(&in, "unexpected text");
	}
	*why = in.why;
	return !in.why;
}
