/* Files of several arrays with names, .npz and safetensors, by one face; and what stands for several files: the index of a model
 * in several safetensors files (.safetensors.index.json), or a folder ("DIR/") with such files and .npy files. Tables are read
 * once; an array is opened as an input (io/input.h) by "@FILE:KEY", KEY its name in the file.
 *
 *	struct sr_archives archives = {NULL};
 *	sr_archives_open(diags, arena, &archives, "w.safetensors", &archive);
 *	sr_archive_find(archive, "wte") */
#ifndef SR_IO_ARCHIVE_H
#define SR_IO_ARCHIVE_H

#include "io/npz.h"
#include "io/safetensors.h"

enum sr_archive_kind { SR_ARCHIVE_NPZ, SR_ARCHIVE_SAFETENSORS, SR_ARCHIVE_INDEX, SR_ARCHIVE_FOLDER };

struct sr_archive_item { /* an array in another file */
	const char *name;
	const char *text; /* of the input that it is */
};

struct sr_archive {
	const char *path;
	enum sr_archive_kind kind;
	struct sr_npz npz;
	struct sr_safetensors tensors;
	struct sr_archive_item *items; /* [n_items], of an index or a folder, by name */
	int64_t n_items;
	struct sr_archive *next;
};

/* Those whose tables were read; {NULL} at first. All in one arena. */
struct sr_archives {
	struct sr_archive *first;
};

/* Whether "FILE" or "FILE:KEY" names an archive, by the end of FILE: .npz, .safetensors, .safetensors.index.json, or a slash.
 * *file, in the arena; *key: NULL where there is none. */
bool sr_archive_parse_reference(struct sr_arena *arena, const char *text, const char **file, const char **key);
enum sr_status sr_archives_open(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives, const char *path,
			       const struct sr_archive **out);
int64_t sr_archive_count(const struct sr_archive *archive);
const char *sr_archive_name(const struct sr_archive *archive, int64_t i);
/* The text of an input that is array i: "@FILE:KEY". */
const char *sr_archive_input_text(const struct sr_archive *archive, int64_t i, struct sr_arena *arena);
/* The array called `key`, or the only one where key is NULL. SR_USAGE, reported with the names that are there. */
enum sr_status sr_archive_find(struct sr_diags *diags, const struct sr_archive *archive, const char *key, int64_t *i);
/* "'a', 'b' and 5 more" */
const char *sr_archive_names(const struct sr_archive *archive, struct sr_arena *arena);
/* What an index or a folder lists; archive_list.c. */
enum sr_status sr_archive_read_index(struct sr_diags *diags, struct sr_arena *arena, struct sr_archive *archive);
enum sr_status sr_archive_read_folder(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives,
				      struct sr_archive *archive);

#endif
