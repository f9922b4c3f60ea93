/* Writing and parsing of checkpoint manifests. */
#include "exec/loop/manifest.h"
#include "support/checked.h"
#include "support/crc32.h"
#include "support/json.h"
#include "support/json_read.h"
#include <stdlib.h>
#include <string.h>

static const char format[] = "shardrun checkpoint 2";
static const char checksum_key[] = "crc32"; /* key of the manifest's checksum, its last member */

/* ---- writing ---- */

static void put_extents(struct sr_json *j, const char *key, const int64_t *extents, int n)
{
	sr_json_open(j, key, '[');
	for (int i = 0; i < n; i++)
		sr_json_int(j, NULL, extents[i]);
	sr_json_close(j);
}

static void put_value(struct sr_json *j, const struct sr_manifest_value *v)
{
	sr_json_open(j, NULL, '{');
	sr_json_string(j, "name", v->name);
	sr_json_string(j, "type", v->type);
	put_extents(j, "shape", v->shape, v->rank);
	sr_json_open(j, "shards", '[');
	for (int64_t k = 0; k < v->n_shards; k++) {
		sr_json_open(j, NULL, '{');
		sr_json_int(j, "file", v->shards[k].file);
		put_extents(j, "start", v->shards[k].start, v->rank);
		put_extents(j, "size", v->shards[k].size, v->rank);
		sr_json_close(j);
	}
	sr_json_close(j);
	sr_json_close(j);
}

void sr_manifest_print(const struct sr_manifest *m, struct sr_buf *out)
{
	struct sr_json j;
	size_t begin = out->n;
	sr_json_init(&j, out);
	sr_json_open(&j, NULL, '{');
	sr_json_string(&j, "format", format);
	sr_json_int(&j, "step", m->step);
	sr_json_int(&j, "devices", m->devices);
	sr_json_open(&j, "streams", '[');
	for (int64_t k = 0; k < m->n_streams; k++) {
		sr_json_open(&j, NULL, '{');
		sr_json_string(&j, "input", m->streams[k].input);
		sr_json_string(&j, "next", m->streams[k].next);
		sr_json_close(&j);
	}
	sr_json_close(&j);
	sr_json_open(&j, "files", '[');
	for (int64_t k = 0; k < m->n_files; k++) {
		sr_json_open(&j, NULL, '{');
		sr_json_string(&j, "name", m->files[k].name);
		sr_json_int(&j, "bytes", m->files[k].bytes);
		sr_json_int(&j, "crc32", m->files[k].crc);
		sr_json_close(&j);
	}
	sr_json_close(&j);
	sr_json_open(&j, "values", '[');
	for (int64_t k = 0; k < m->n_values; k++)
		put_value(&j, &m->values[k]);
	sr_json_close(&j);
	sr_json_int(&j, checksum_key, sr_crc32(0, out->data + begin, out->n - begin));
	sr_json_close(&j);
	sr_buf_putc(out, '\n');
}

/* ---- parsing a manifest ---- */

struct reader {
	struct sr_arena *arena;
	bool is_valid;
	const char *coverage_error; /* message that says why a value's shards do not cover the value; NULL: they do */
};

static const char *get_string(struct reader *r, const struct sr_json_value *object, const char *key)
{
	const struct sr_json_value *v = sr_json_get(object, key);
	r->is_valid = r->is_valid && v && v->kind == SR_JSON_STRING;
	return r->is_valid ? v->string : "";
}

static int64_t get_int(struct reader *r, const struct sr_json_value *object, const char *key)
{
	const struct sr_json_value *v = sr_json_get(object, key);
	r->is_valid = r->is_valid && v && v->kind == SR_JSON_NUMBER && v->is_integer && v->integer >= 0;
	return r->is_valid ? v->integer : 0;
}

/* Return the items of a JSON array; *n is 0 if `object` has no array of that name. */
static const struct sr_json_value *get_list(struct reader *r, const struct sr_json_value *object, const char *key, int64_t *n)
{
	const struct sr_json_value *v = sr_json_get(object, key);
	r->is_valid = r->is_valid && v && v->kind == SR_JSON_ARRAY;
	*n = r->is_valid ? (int64_t)v->n : 0;
	return r->is_valid ? v->items : NULL;
}

/* Read member `key`, an array of extents, into `out`. Returns the number of extents, or -1 if the member is not such an array. */
static int get_extents(struct reader *r, const struct sr_json_value *object, const char *key, int64_t *out)
{
	const struct sr_json_value *v = sr_json_get(object, key);
	int n = r->is_valid && v ? sr_json_int_list(v, out, SR_MAX_RANK) : -1;
	r->is_valid = r->is_valid && n >= 0;
	return n;
}

/* Parse a shard of a value, which must be inside the value and not empty. */
static void parse_shard(struct reader *r, const struct sr_json_value *object, const struct sr_manifest *m,
			const struct sr_manifest_value *v, struct sr_manifest_shard *shard)
{
	shard->file = get_int(r, object, "file");
	r->is_valid = r->is_valid && shard->file < m->n_files && get_extents(r, object, "start", shard->start) == v->rank &&
		  get_extents(r, object, "size", shard->size) == v->rank;
	for (int d = 0; r->is_valid && d < v->rank; d++)
		r->is_valid = shard->size[d] >= 1 && shard->size[d] <= v->shape[d] &&
			      shard->start[d] <= v->shape[d] - shard->size[d];
}

static int compare_starts(const void *a, const void *b)
{
	const struct sr_manifest_shard *x = a, *y = b;
	for (int d = 0; d < SR_MAX_RANK; d++)
		if (x->start[d] != y->start[d])
			return x->start[d] < y->start[d] ? -1 : 1;
	return 0;
}

/* Check that each element of `shape`, in dimensions d and higher, is in exactly one of `shards`, which are sorted by start and
 * equal along lower dimensions. Return NULL, or a message. Shards with the same start along d must have the same size: they form a
 * slab, and the slabs must adjoin. */
static const char *check_coverage(const struct sr_manifest_shard *shards, int64_t n, const int64_t *shape, int rank, int d)
{
	static const char overlap[] = "overlap", gap[] = "leave a gap";
	int64_t end = 0, n_in_slab;
	if (d == rank)
		return n > 1 ? overlap : n < 1 ? gap : NULL;
	for (int64_t i = 0; i < n; i += n_in_slab) {
		if (shards[i].start[d] != end)
			return shards[i].start[d] < end ? overlap : gap;
		end += shards[i].size[d];
		for (n_in_slab = 1; i + n_in_slab < n && shards[i + n_in_slab].start[d] == shards[i].start[d]; n_in_slab++)
			if (shards[i + n_in_slab].size[d] != shards[i].size[d])
				return shards[i + n_in_slab].size[d] > shards[i].size[d] ? overlap : gap;
		const char *why = check_coverage(shards + i, n_in_slab, shape, rank, d + 1);
		if (why)
			return why;
	}
	return end < shape[d] ? gap : NULL;
}

static void get_value(struct reader *r, const struct sr_json_value *object, const struct sr_manifest *m,
		      struct sr_manifest_value *v)
{
	int64_t elements = 0;
	v->name = get_string(r, object, "name");
	v->type = get_string(r, object, "type");
	v->rank = get_extents(r, object, "shape", v->shape);
	const struct sr_json_value *shards = get_list(r, object, "shards", &v->n_shards);
	r->is_valid = r->is_valid && !sr_product_overflows(v->shape, v->rank, &elements);
	v->shards = SR_NEW_ARRAY(r->arena, struct sr_manifest_shard, v->n_shards);
	for (int64_t k = 0; r->is_valid && k < v->n_shards; k++)
		parse_shard(r, &shards[k], m, v, &v->shards[k]);
	if (!r->is_valid || (!elements && !v->n_shards))
		return;
	qsort(v->shards, (size_t)v->n_shards, sizeof *v->shards, compare_starts);
	const char *why = check_coverage(v->shards, v->n_shards, v->shape, v->rank, 0);
	if (why && !r->coverage_error)
		r->coverage_error = sr_printf(r->arena, "the shards of '%s' %s in its manifest", v->name, why);
}

/* Return true if the stored checksum is that of the text before the last member. */
static bool checksum_matches(struct reader *r, const struct sr_json_value *root, const char *text, size_t n)
{
	static const char key[] = "\"crc32\"";
	int64_t crc = get_int(r, root, checksum_key);
	while (n > 0 && (n < sizeof key || memcmp(text + n - (sizeof key - 1), key, sizeof key - 1) != 0))
		n--;
	if (!r->is_valid || !n)
		return false;
	n -= sizeof key - 1;
	while (n > 0 && strchr(", \n", text[n - 1]))
		n--;
	return crc == sr_crc32(0, text, n);
}

bool sr_manifest_read(struct sr_manifest *m, const char *text, size_t n, struct sr_arena *arena, const char **why)
{
	int line;
	struct reader r = {arena, true, NULL};
	const struct sr_json_value *root = sr_json_read(arena, text, n, &line);
	*m = (struct sr_manifest){0};
	*why = "its manifest is truncated or not JSON";
	if (!root)
		return false;
	*why = "its manifest has a different format";
	if (strcmp(get_string(&r, root, "format"), format) != 0)
		return false;
	*why = "its manifest is damaged: wrong checksum";
	if (!checksum_matches(&r, root, text, n))
		return false;
	m->step = get_int(&r, root, "step");
	m->devices = get_int(&r, root, "devices");
	const struct sr_json_value *streams = get_list(&r, root, "streams", &m->n_streams),
				   *files = get_list(&r, root, "files", &m->n_files),
				   *values = get_list(&r, root, "values", &m->n_values);
	m->streams = SR_NEW_ARRAY(arena, struct sr_manifest_stream, m->n_streams);
	m->files = SR_NEW_ARRAY(arena, struct sr_manifest_file, m->n_files);
	m->values = SR_NEW_ARRAY(arena, struct sr_manifest_value, m->n_values);
	for (int64_t k = 0; k < m->n_streams; k++)
		m->streams[k] =
			(struct sr_manifest_stream){get_string(&r, &streams[k], "input"), get_string(&r, &streams[k], "next")};
	for (int64_t k = 0; k < m->n_files; k++) {
		m->files[k] = (struct sr_manifest_file){get_string(&r, &files[k], "name"), get_int(&r, &files[k], "bytes"),
							get_int(&r, &files[k], "crc32")};
		r.is_valid = r.is_valid && !strchr(m->files[k].name, '/');
	}
	for (int64_t k = 0; k < m->n_values; k++)
		get_value(&r, &values[k], m, &m->values[k]);
	*why = r.is_valid && r.coverage_error ? r.coverage_error : "its manifest is inconsistent";
	return r.is_valid && !r.coverage_error && m->step > 0;
}
