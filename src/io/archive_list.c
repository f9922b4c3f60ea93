/* Archives whose arrays are stored in other files. An index maps each tensor to a file in the same folder:
 *
 *	{"metadata": {...}, "weight_map": {"wte": "model-00001-of-00002.safetensors", ...}}
 *
 * A folder is read through the index in it if there is one, otherwise it has the arrays of its .npy, .npz and safetensors files. */
#include "io/archive.h"
#include "support/json_read.h"
#include "support/characters.h"
#include "support/vec.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INDEX_BYTES = 256 << 20 /* maximum bytes of an index file */ };

typedef SR_VEC(struct sr_archive_item) items;
typedef SR_VEC(const char *) names;

static int compare_by_name(const void *x, const void *y)
{
	const struct sr_archive_item *a = x, *b = y;
	return strcmp(a->name, b->name);
}

/* Sort the items by name, check that names are unique, and store them in the archive. */
static enum sr_status set_items(struct sr_diags *diags, struct sr_archive *archive, items *list)
{
	qsort(list->data, list->n, sizeof *list->data, compare_by_name);
	for (size_t i = 1; i < list->n; i++)
		if (!strcmp(list->data[i].name, list->data[i - 1].name))
			return sr_error(diags, SR_USAGE, (struct sr_src_loc){archive->path}, "two arrays are called '%s', %s and %s",
					list->data[i].name, list->data[i - 1].text, list->data[i].text);
	archive->items = list->data;
	archive->n_items = (int64_t)list->n;
	return SR_OK;
}

/* ---- an index ---- */

static enum sr_status report_malformed(struct sr_diags *diags, const struct sr_archive *archive, const char *detail)
{
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){archive->path}, "malformed index of safetensors files: %s", detail);
}

static enum sr_status read_json(struct sr_diags *diags, struct sr_arena *arena, const struct sr_archive *archive,
				const struct sr_json_value **out)
{
	struct sr_file file;
	int line;
	enum sr_status status = sr_file_open(diags, archive->path, &file);
	if (status)
		return status;
	char *text = NULL;
	if (file.size > MAX_INDEX_BYTES)
		status = report_malformed(diags, archive, "it is too long");
	if (!status) {
		text = SR_NEW_ARRAY(arena, char, file.size);
		status = sr_file_read_at(diags, &file, text, file.size, 0);
	}
	enum sr_status close_status = sr_file_close(diags, &file);
	if (status || close_status)
		return status ? status : close_status;
	*out = sr_json_read(arena, text, (size_t)file.size, &line);
	return *out ? SR_OK : report_malformed(diags, archive, sr_printf(arena, "invalid JSON in line %d", line));
}

enum sr_status sr_archive_read_index(struct sr_diags *diags, struct sr_arena *arena, struct sr_archive *archive)
{
	const struct sr_json_value *json;
	items list = {0};
	enum sr_status status = read_json(diags, arena, archive, &json);
	if (status)
		return status;
	const struct sr_json_value *map = sr_json_get(json, "weight_map");
	const char *slash = strrchr(archive->path, '/');
	int folder = slash ? (int)(slash + 1 - archive->path) : 0;
	if (!map || map->kind != SR_JSON_OBJECT)
		return report_malformed(diags, archive, "it has no weight_map");
	for (size_t i = 0; i < map->n; i++) {
		const struct sr_json_value *v = &map->items[i];
		if (v->kind != SR_JSON_STRING || strchr(v->string, '/') || !strstr(v->string, ".safetensors"))
			return report_malformed(diags, archive, "weight_map names a file that is not a safetensors file in the same folder");
		struct sr_archive_item item = {v->key, sr_printf(arena, "@%.*s%s:%s", folder, archive->path, v->string, v->key)};
		sr_push(arena, &list, item);
	}
	return set_items(diags, archive, &list);
}

/* ---- a folder ---- */

/* List the array files in a folder. *index: an index file among them, or NULL. */
static enum sr_status list_files(struct sr_diags *diags, struct sr_arena *arena, const char *path, names *files, const char **index)
{
	static const char *const suffixes[] = {".npy", ".npz", ".safetensors"};
	DIR *dir = opendir(path);
	*index = NULL;
	if (!dir)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){path}, "cannot open: %s", strerror(errno));
	for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
		if (e->d_name[0] == '.')
			continue;
		if (sr_ends_with(e->d_name, ".safetensors.index.json"))
			*index = sr_strdup(arena, e->d_name);
		for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
			if (sr_ends_with(e->d_name, suffixes[i]))
				sr_push(arena, files, sr_strdup(arena, e->d_name));
	}
	closedir(dir);
	return SR_OK;
}

/* Add all arrays of another archive to the list. */
static enum sr_status add_archive(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives, const char *path,
				  items *list)
{
	const struct sr_archive *archive_of_shard;
	enum sr_status status = sr_archives_open(diags, arena, archives, path, &archive_of_shard);
	for (int64_t i = 0; !status && i < sr_archive_count(archive_of_shard); i++) {
		struct sr_archive_item item = {sr_archive_name(archive_of_shard, i),
					       sr_archive_input_text(archive_of_shard, i, arena)};
		sr_push(arena, list, item);
	}
	return status;
}

enum sr_status sr_archive_read_folder(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives,
				      struct sr_archive *archive)
{
	names files = {0};
	items list = {0};
	const char *index;
	enum sr_status status = list_files(diags, arena, archive->path, &files, &index);
	if (!status && index)
		status = add_archive(diags, arena, archives, sr_printf(arena, "%s%s", archive->path, index), &list);
	for (size_t i = 0; !status && !index && i < files.n; i++) {
		const char *name = files.data[i], *path = sr_printf(arena, "%s%s", archive->path, name);
		struct sr_archive_item item = {sr_strndup(arena, name, strlen(name) - strlen(".npy")),
					       sr_printf(arena, "@%s", path)};
		if (!sr_ends_with(name, ".npy"))
			status = add_archive(diags, arena, archives, path, &list);
		else
			sr_push(arena, &list, item);
	}
	if (!status && !list.n)
		status = sr_error(diags, SR_USAGE, (struct sr_src_loc){archive->path},
				  "a folder without .npy, .npz and safetensors files");
	return status ? status : set_items(diags, archive, &list);
}
