/* Comparison of the ranks' options at launch. Ranks compare a hash; the values are gathered on rank 0 only if the hashes differ. */
#include "exec/agree_options.h"
#include "support/map.h"
#include <string.h>

enum { MAX_VALUE_LENGTH = 100, MAX_LINES = 10, MAX_VALUES = 4 };

/* Append every option value that must be equal on all ranks, as pairs of strings (sr_knobs_serialize). */
static void append_settings(const struct sr_command *command, struct sr_buf *out)
{
	sr_buf_printf(out, "version%c%s%c", '\0', PACKAGE_VERSION, '\0');
	sr_knobs_serialize(command->knobs, command->values, out);
	if (command->model)
		sr_buf_printf(out, "the model%c'%s'%c", '\0', command->model, '\0');
}

/* Copy the pairs of strings from `settings` to `out`, with each long value replaced by its hash. Gathering the values of all ranks
 * then needs little memory. */
static void hash_long_values(const struct sr_buf *settings, struct sr_buf *out)
{
	bool is_value = false;
	for (size_t at = 0; at < settings->n; is_value = !is_value) {
		const char *text = settings->data + at;
		size_t n = strlen(text);
		if (is_value && n > MAX_VALUE_LENGTH)
			sr_buf_printf(out, "%.*s... (%zu characters, hash %016llx)", MAX_VALUE_LENGTH / 2, text, n,
				      (unsigned long long)sr_hash_bytes(text, n, 0));
		else
			sr_buf_put(out, text, n);
		sr_buf_putc(out, '\0');
		at += n + 1;
	}
}

/* ---- on rank 0 ---- */

struct options_of_ranks {
	const char *texts; /* option texts of all ranks, [size][bytes]; each rank's pairs of strings are padded with NULs */
	uint64_t bytes;
	int size;
};

/* Return the text of option `name` on rank r, or NULL if rank r was started without it. */
static const char *find_option(const struct options_of_ranks *e, int r, const char *name)
{
	const char *text = e->texts + (uint64_t)r * e->bytes, *end = text + e->bytes;
	while (text < end && *text) {
		const char *value = text + strlen(text) + 1;
		if (!strcmp(text, name))
			return value;
		text = value + strlen(value) + 1;
	}
	return NULL;
}

static const char *value_of(const struct options_of_ranks *e, int r, const char *name)
{
	const char *value = find_option(e, r, name);
	return value ? value : "not given";
}

/* Append the list of ranks whose option `name` has this value: "rank 5" or "ranks 0 to 4, 6". */
static void put_ranks(const struct options_of_ranks *e, const char *name, const char *value, struct sr_buf *out)
{
	int n = 0;
	for (int r = 0; r < e->size; r++)
		n += !strcmp(value_of(e, r, name), value);
	sr_buf_puts(out, n == 1 ? "rank" : "ranks");
	for (int r = 0, first = 1; r < e->size; r++) {
		int last_rank = r;
		if (strcmp(value_of(e, r, name), value))
			continue;
		while (last_rank + 1 < e->size && !strcmp(value_of(e, last_rank + 1, name), value))
			last_rank++;
		sr_buf_printf(out, last_rank > r ? "%s %d to %d" : "%s %d", first ? "" : ",", r, last_rank);
		first = 0;
		r = last_rank;
	}
}

/* Return true if no rank before r has rank r's value for `name`. */
static bool is_first(const struct options_of_ranks *e, int r, const char *name)
{
	for (int earlier_rank = 0; earlier_rank < r; earlier_rank++)
		if (!strcmp(value_of(e, earlier_rank, name), value_of(e, r, name)))
			return false;
	return true;
}

static bool option_differs(const struct options_of_ranks *e, const char *name)
{
	for (int r = 1; r < e->size; r++)
		if (strcmp(value_of(e, 0, name), value_of(e, r, name)))
			return true;
	return false;
}

static void put_difference(const struct options_of_ranks *e, const char *name, struct sr_buf *out)
{
	int values = 0;
	sr_buf_printf(out, "\n  %s: ", name);
	for (int r = 0; r < e->size; r++) {
		if (!is_first(e, r, name))
			continue;
		if (values++ == MAX_VALUES) {
			sr_buf_puts(out, "; and more");
			return;
		}
		sr_buf_printf(out, "%s%s on ", values > 1 ? "; " : "", value_of(e, r, name));
		put_ranks(e, name, value_of(e, r, name), out);
	}
}

/* Return true if no rank before r has option `name`. */
static bool is_new_option(const struct options_of_ranks *e, int r, const char *name)
{
	for (int earlier_rank = 0; earlier_rank < r; earlier_rank++)
		if (find_option(e, earlier_rank, name))
			return false;
	return true;
}

static enum sr_status report_differences(const struct options_of_ranks *e, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_buf out;
	int lines = 0;
	sr_buf_init(&out, arena);
	for (int r = 0; r < e->size && lines <= MAX_LINES; r++) {
		const char *name = e->texts + (uint64_t)r * e->bytes, *end = name + e->bytes;
		while (name < end && *name && lines <= MAX_LINES) {
			const char *value = name + strlen(name) + 1;
			if (is_new_option(e, r, name) && option_differs(e, name) && lines++ < MAX_LINES)
				put_difference(e, name, &out);
			name = value + strlen(value) + 1;
		}
	}
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "the ranks were started with different options:%s%s",
			sr_buf_string(&out),
			lines > MAX_LINES ? "\n  and more" : "");
}

enum sr_status sr_agree_options(struct sr_launch *l, const struct sr_command *command, struct sr_arena *arena,
				struct sr_diags *diags)
{
	struct options_of_ranks e = {.size = l->size};
	struct sr_buf all_settings, rank_settings;
	uint64_t min_bytes, bytes;
	sr_buf_init(&all_settings, arena);
	append_settings(command, &all_settings);
	if (sr_launch_all_equal(l, sr_hash_bytes(all_settings.data, all_settings.n, 0)))
		return SR_OK;
	sr_buf_init(&rank_settings, arena);
	hash_long_values(&all_settings, &rank_settings);
	sr_launch_min_max(l, rank_settings.n, &min_bytes, &bytes);
	char *padded = sr_alloc(arena, bytes, 1), *all = l->rank ? NULL : sr_alloc(arena, bytes, (size_t)l->size);
	memcpy(padded, rank_settings.data, rank_settings.n);
	sr_launch_gather(l, padded, all, bytes);
	e.texts = all;
	e.bytes = bytes;
	return sr_launch_agree(l, l->rank ? SR_OK : report_differences(&e, arena, diags), diags);
}
