/* Matching of an archive's arrays to arguments by name, for --input=@FILE. Names are compared as paths: params['layer'][0].w,
 * params/layer/0/w and params.layer.0.w are equal. layer.0.w matches too, since JAX puts the name of the function's parameter
 * (params) first. numpy.savez's names arr_0, arr_1, ... are positions. */
#include "exec/values/input_names.h"
#include "support/buf.h"
#include "support/map.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char separators[] = ".[]'\"/";

struct paths {
	struct sr_strings strings;
	/* maps from a path, and from a path without its first component, to 1 + the argument's index */
	struct sr_map by_path, by_path_below_root;
};

static char ambiguous_path; /* Marks, in `by_path_below_root`, a path that several arguments share. */

const char *sr_name_path(struct sr_strings *strings, const char *name)
{
	struct sr_buf buf;
	sr_buf_init(&buf, strings->arena);
	for (const char *p = name + strspn(name, separators); *p; p += strspn(p, separators)) {
		size_t n = strcspn(p, separators);
		sr_buf_printf(&buf, "%s%.*s", buf.n ? "." : "", (int)n, p);
		p += n;
	}
	return buf.n ? sr_strings_intern(strings, buf.data, buf.n) : NULL;
}

static void add_path(struct sr_map *map, const char *path, int i)
{
	void **at = sr_map_at(map, path);
	*at = *at ? &ambiguous_path : (void *)(intptr_t)(i + 1);
}

static void read_names(struct paths *paths, const char *const *names, int n, struct sr_arena *arena)
{
	sr_strings_init(&paths->strings, arena);
	sr_map_init(&paths->by_path, arena);
	sr_map_init(&paths->by_path_below_root, arena);
	for (int i = 0; i < n; i++) {
		const char *path = sr_name_path(&paths->strings, names[i]);
		const char *dot = path ? strchr(path, '.') : NULL;
		if (path)
			add_path(&paths->by_path, path, i);
		if (dot)
			add_path(&paths->by_path_below_root, sr_strings_intern(&paths->strings, dot + 1, strlen(dot + 1)), i);
	}
}

/* Return K for numpy's array name arr_K, or -1 for another name. */
static int numpy_position(const char *key, int n)
{
	char *end;
	if (strncmp(key, "arr_", 4) != 0 || !isdigit((unsigned char)key[4]))
		return -1;
	long k = strtol(key + 4, &end, 10);
	return *end || k >= n ? -1 : (int)k;
}

/* Find the argument for an array of the archive; *i is -1 if no argument has its name. */
static enum sr_status find_argument(struct paths *paths, const struct sr_archive *archive, const char *key, int n, int *i,
				    struct sr_diags *diags)
{
	const char *path = sr_name_path(&paths->strings, key);
	const void *argument = path ? sr_map_get(&paths->by_path, path) : NULL;
	if (path && !argument)
		argument = sr_map_get(&paths->by_path_below_root, path);
	*i = argument ? (int)((intptr_t)argument - 1) : numpy_position(key, n);
	if (argument != &ambiguous_path)
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){archive->path},
			"several arguments match its array '%s'; write NAME=@%s:%s", key, archive->path, key);
}

static enum sr_status report_no_match(const struct sr_archive *archive, const char *const *names, int n, struct sr_diags *diags)
{
	bool has_names = false;
	for (int i = 0; i < n; i++)
		has_names = has_names || *names[i];
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){archive->path},
			"no argument has the name of one of its arrays: it has %s%s", sr_archive_names(archive, diags->arena),
			has_names ? "" : "; the module contains no names; JAX writes them with as_text(debug_info=True)");
}

enum sr_status sr_inputs_assign_archive(const struct sr_archive *archive, const char *const *names, int n, const bool *is_given,
					const char **texts, struct sr_arena *arena, struct sr_diags *diags)
{
	struct paths paths;
	bool has_match = false;
	read_names(&paths, names, n, arena);
	for (int64_t k = 0; k < sr_archive_count(archive); k++) {
		const char *key = sr_archive_name(archive, k);
		int i;
		enum sr_status status = find_argument(&paths, archive, key, n, &i, diags);
		if (status)
			return status;
		has_match = has_match || i >= 0;
		if (i < 0 || is_given[i])
			continue;
		if (texts[i])
			return sr_error(diags, SR_USAGE, (struct sr_src_loc){archive->path},
					"argument %d is given twice, by %s and by '%s'", i, texts[i], key);
		texts[i] = sr_archive_input_text(archive, k, arena);
	}
	return has_match ? SR_OK : report_no_match(archive, names, n, diags);
}

/* For --input=NAME=@FILE: find the archive's array with the argument's name. If none matches, the archive must have a single array,
 * which is used. */
enum sr_status sr_inputs_find_array(const struct sr_archive *archive, const char *name, const char **text, struct sr_arena *arena,
				    struct sr_diags *diags)
{
	struct paths paths;
	const char *match = NULL;
	int64_t at = 0;
	read_names(&paths, &name, 1, arena);
	for (int64_t k = 0; k < sr_archive_count(archive); k++) {
		const char *key = sr_archive_name(archive, k);
		int i;
		(void)find_argument(&paths, archive, key, 0, &i, diags);
		if (i == 0 && match)
			return sr_error(diags, SR_USAGE, (struct sr_src_loc){archive->path},
					"'%s' may be its array '%s' or '%s'; write %s=@%s:%s", name, match, key, name,
					archive->path, match);
		match = i == 0 ? key : match;
		at = i == 0 ? k : at;
	}
	if (match)
		*text = sr_archive_input_text(archive, at, arena);
	return SR_OK;
}
