/* Archives: their two kinds told apart by the file's name, so that all ranks see the same without looking. */
#include "io/archive.h"
#include "support/buf.h"
#include "support/knobs/suggest.h"
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static const char *const ends[] = {".npz", ".safetensors"};

/* Behind the first of the ends that the text, or what stands before a colon in it, has; NULL: it has none. */
static const char *file_end(const char *text)
{
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		for (const char *at = strstr(text, ends[i]); at; at = strstr(at + 1, ends[i]))
			if (at[strlen(ends[i])] == '\0' || at[strlen(ends[i])] == ':')
				return at + strlen(ends[i]);
	return NULL;
}

bool sr_archive_split(struct sr_arena *arena, const char *text, const char **file, const char **key)
{
	const char *end = file_end(text);
	if (!end)
		return false;
	*file = sr_strndup(arena, text, (size_t)(end - text));
	*key = *end ? end + 1 : NULL;
	return true;
}

/* A descriptor is not kept: an input has its own. */
static enum sr_status read_table(struct sr_diags *diags, struct sr_arena *arena, struct sr_archive *archive)
{
	struct sr_file file;
	size_t n = strlen(archive->path), suffix = strlen(ends[0]);
	archive->is_npz = n >= suffix && !strcmp(archive->path + n - suffix, ends[0]);
	enum sr_status status = sr_file_open(diags, archive->path, &file);
	if (status)
		return status;
	status = archive->is_npz ? sr_npz_read_directory(diags, arena, &file, &archive->npz)
				 : sr_safetensors_read(diags, arena, &file, &archive->tensors);
	close(file.fd);
	return status;
}

enum sr_status sr_archives_get(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives, const char *path,
			       const struct sr_archive **out)
{
	for (*out = archives->first; *out; *out = (*out)->next)
		if (!strcmp((*out)->path, path))
			return SR_OK;
	struct sr_archive *archive = SR_NEW(arena, struct sr_archive);
	archive->path = path;
	enum sr_status status = read_table(diags, arena, archive);
	if (status)
		return status;
	archive->next = archives->first;
	archives->first = archive;
	*out = archive;
	return SR_OK;
}

int64_t sr_archive_count(const struct sr_archive *archive)
{
	return archive->is_npz ? archive->npz.n : archive->tensors.n;
}

const char *sr_archive_name(const struct sr_archive *archive, int64_t i)
{
	return archive->is_npz ? archive->npz.members[i].name : archive->tensors.at[i].name;
}

const char *sr_archive_names(const struct sr_archive *archive, struct sr_arena *arena)
{
	enum { SHOWN = 10 };
	int64_t n = sr_archive_count(archive);
	struct sr_buf buf;
	sr_buf_init(&buf, arena);
	for (int64_t i = 0; i < n && i < SHOWN; i++)
		sr_buf_printf(&buf, "%s'%s'", i ? ", " : "", sr_archive_name(archive, i));
	if (n > SHOWN)
		sr_buf_printf(&buf, " and %" PRId64 " more", n - SHOWN);
	return n ? sr_buf_string(&buf) : "none";
}

enum sr_status sr_archive_find(struct sr_diags *diags, const struct sr_archive *archive, const char *key, int64_t *i)
{
	struct sr_place place = {archive->path};
	int64_t n = sr_archive_count(archive);
	*i = !key ? 0 : archive->is_npz ? sr_npz_find(&archive->npz, key) : sr_safetensors_find(&archive->tensors, key);
	if (key ? *i >= 0 : n == 1)
		return SR_OK;
	if (!key)
		return sr_error(diags, SR_USAGE, place, "which of its arrays? Write @%s:NAME; it has %s", archive->path,
				sr_archive_names(archive, diags->arena));
	struct sr_suggest near = sr_suggest_for(key, strlen(key));
	for (int64_t k = 0; k < n; k++)
		sr_suggest_offer(&near, sr_archive_name(archive, k));
	return sr_error(diags, SR_USAGE, place, "no array is called '%s' (it has %s)%s", key,
			sr_archive_names(archive, diags->arena), sr_suggest_words(diags->arena, near.nearest));
}
