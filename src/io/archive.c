/* Files that hold several arrays. The kind of a file follows from its name alone, so that all ranks agree without opening the
 * file. */
#include "io/archive.h"
#include "support/buf.h"
#include "support/knobs/suggest.h"
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static const char *const kind_suffixes[] = {[SR_ARCHIVE_NPZ] = ".npz",
				   [SR_ARCHIVE_SAFETENSORS] = ".safetensors",
				   [SR_ARCHIVE_INDEX] = ".safetensors.index.json",
				   [SR_ARCHIVE_FOLDER] = "/"};

/* Return the end of the first archive suffix in the text that is followed by a colon or the end of the text; NULL if there is
 * none. A folder ends with a slash and has no key. */
static const char *suffix_end(const char *text)
{
	size_t n = strlen(text);
	if (n && text[n - 1] == '/')
		return text + n;
	for (size_t i = 0; i < SR_ARCHIVE_FOLDER; i++)
		for (const char *at = strstr(text, kind_suffixes[i]); at; at = strstr(at + 1, kind_suffixes[i]))
			if (at[strlen(kind_suffixes[i])] == '\0' || at[strlen(kind_suffixes[i])] == ':')
				return at + strlen(kind_suffixes[i]);
	return NULL;
}

bool sr_archive_parse_reference(struct sr_arena *arena, const char *text, const char **file, const char **key)
{
	const char *end = suffix_end(text);
	if (!end)
		return false;
	*file = sr_strndup(arena, text, (size_t)(end - text));
	*key = *end ? end + 1 : NULL;
	return true;
}

/* Read the table of contents of an archive. The file is closed again, since each input opens the file itself. */
static enum sr_status read_table(struct sr_diags *diags, struct sr_arena *arena, struct sr_archive *archive)
{
	struct sr_file file;
	enum sr_status status = sr_file_open(diags, archive->path, &file);
	if (status)
		return status;
	status = archive->kind == SR_ARCHIVE_NPZ ? sr_npz_read_directory(diags, arena, &file, &archive->npz)
						 : sr_safetensors_read(diags, arena, &file, &archive->tensors);
	close(file.fd);
	return status;
}

static enum sr_archive_kind archive_kind(const char *path)
{
	size_t n = strlen(path);
	int kind = 0;
	while (kind < SR_ARCHIVE_FOLDER &&
	       (n < strlen(kind_suffixes[kind]) || strcmp(path + n - strlen(kind_suffixes[kind]), kind_suffixes[kind]) != 0))
		kind++;
	return (enum sr_archive_kind)kind;
}

enum sr_status sr_archives_open(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives, const char *path,
				const struct sr_archive **out)
{
	for (*out = archives->first; *out; *out = (*out)->next)
		if (!strcmp((*out)->path, path))
			return SR_OK;
	struct sr_archive *archive = SR_NEW(arena, struct sr_archive);
	archive->path = path;
	archive->kind = archive_kind(path);
	enum sr_status status = archive->kind == SR_ARCHIVE_INDEX    ? sr_archive_read_index(diags, arena, archive)
				: archive->kind == SR_ARCHIVE_FOLDER ? sr_archive_read_folder(diags, arena, archives, archive)
								     : read_table(diags, arena, archive);
	if (status)
		return status;
	archive->next = archives->first;
	archives->first = archive;
	*out = archive;
	return SR_OK;
}

int64_t sr_archive_count(const struct sr_archive *archive)
{
	return archive->kind == SR_ARCHIVE_NPZ ? archive->npz.n : archive->kind == SR_ARCHIVE_SAFETENSORS ? archive->tensors.n
													  : archive->n_items;
}

const char *sr_archive_name(const struct sr_archive *archive, int64_t i)
{
	return archive->kind == SR_ARCHIVE_NPZ		 ? archive->npz.members[i].name
	       : archive->kind == SR_ARCHIVE_SAFETENSORS ? archive->tensors.tensors[i].name
							 : archive->items[i].name;
}

const char *sr_archive_input_text(const struct sr_archive *archive, int64_t i, struct sr_arena *arena)
{
	return archive->items ? archive->items[i].text : sr_printf(arena, "@%s:%s", archive->path, sr_archive_name(archive, i));
}

const char *sr_archive_names(const struct sr_archive *archive, struct sr_arena *arena)
{
	enum { MAX_SHOWN_ITEMS = 10 };
	int64_t n = sr_archive_count(archive);
	struct sr_buf buf;
	sr_buf_init(&buf, arena);
	for (int64_t i = 0; i < n && i < MAX_SHOWN_ITEMS; i++)
		sr_buf_printf(&buf, "%s'%s'", i ? ", " : "", sr_archive_name(archive, i));
	if (n > MAX_SHOWN_ITEMS)
		sr_buf_printf(&buf, " and %" PRId64 " more", n - MAX_SHOWN_ITEMS);
	return n ? sr_buf_string(&buf) : "none";
}

static int64_t find_item(const struct sr_archive *archive, const char *key)
{
	if (archive->kind == SR_ARCHIVE_NPZ)
		return sr_npz_find(&archive->npz, key);
	if (archive->kind == SR_ARCHIVE_SAFETENSORS)
		return sr_safetensors_find(&archive->tensors, key);
	for (int64_t i = 0; i < archive->n_items; i++)
		if (!strcmp(archive->items[i].name, key))
			return i;
	return -1;
}

enum sr_status sr_archive_find(struct sr_diags *diags, const struct sr_archive *archive, const char *key, int64_t *i)
{
	struct sr_src_loc location = {archive->path};
	int64_t n = sr_archive_count(archive);
	*i = key ? find_item(archive, key) : 0;
	if (key ? *i >= 0 : n == 1)
		return SR_OK;
	if (!key)
		return sr_error(diags, SR_USAGE, location, "which of its arrays? Write @%s:NAME; it has %s", archive->path,
				sr_archive_names(archive, diags->arena));
	struct sr_suggest suggestion = sr_suggest_for(key, strlen(key));
	for (int64_t k = 0; k < n; k++)
		sr_suggest_offer(&suggestion, sr_archive_name(archive, k));
	return sr_error(diags, SR_USAGE, location, "no array is called '%s' (it has %s)%s", key,
			sr_archive_names(archive, diags->arena), sr_suggest_message(diags->arena, suggestion.nearest));
}
