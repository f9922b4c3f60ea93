/* Files that hold several named arrays, behind one interface: .npz and safetensors files, the index of a model split over several
 * safetensors files (.safetensors.index.json), and a folder ("DIR/") of such files and .npy files. Tables of contents are read
 * once per path. An array is opened as an input (io/input.h) named "@FILE:KEY", where KEY is its name in the file.
 *
 *	struct sr_archives archives = {NULL};
 *	sr_archives_open(diags, arena, &archives, "w.safetensors", &archive);
 *	sr_archive_find(diags, archive, "wte", &i); */
#ifndef SR_IO_ARCHIVE_H
#define SR_IO_ARCHIVE_H

#include "io/npz.h"
#include "io/safetensors.h"

enum sr_archive_kind { SR_ARCHIVE_NPZ, SR_ARCHIVE_SAFETENSORS, SR_ARCHIVE_INDEX, SR_ARCHIVE_FOLDER };

struct sr_archive_item { /* an array of an index or a folder, which is stored in another file */
	const char *name;
	const char *text; /* input text that opens the array: "@FILE:KEY" */
};

struct sr_archive {
	const char *path;
	enum sr_archive_kind kind;
	struct sr_npz npz;
	struct sr_safetensors tensors;
	struct sr_archive_item *items; /* items sorted by name, for an index or a folder only; length n_items */
	int64_t n_items;
	struct sr_archive *next;
};

/* Cache of the archives that have been opened, initially {NULL}. All entries are in one arena. */
struct sr_archives {
	struct sr_archive *first;
};

/* Parse "FILE" or "FILE:KEY". Returns true if FILE is an archive by its suffix: .npz, .safetensors, .safetensors.index.json, or a
 * slash. Sets *file, allocated in the arena, and *key, NULL if there is none. */
bool sr_archive_parse_reference(struct sr_arena *arena, const char *text, const char **file, const char **key);
enum sr_status sr_archives_open(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives, const char *path,
				const struct sr_archive **out);
int64_t sr_archive_count(const struct sr_archive *archive);
const char *sr_archive_name(const struct sr_archive *archive, int64_t i);
/* Return the input text that opens array i: "@FILE:KEY". */
const char *sr_archive_input_text(const struct sr_archive *archive, int64_t i, struct sr_arena *arena);
/* Set *i to the array called `key`; if key is NULL, to the only array. Otherwise reports an error that lists the names and
 * returns SR_USAGE. */
enum sr_status sr_archive_find(struct sr_diags *diags, const struct sr_archive *archive, const char *key, int64_t *i);
/* Return the names as text for a message: "'a', 'b' and 5 more". */
const char *sr_archive_names(const struct sr_archive *archive, struct sr_arena *arena);
/* Read the contents of an index or a folder. Defined in archive_list.c. */
enum sr_status sr_archive_read_index(struct sr_diags *diags, struct sr_arena *arena, struct sr_archive *archive);
enum sr_status sr_archive_read_folder(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives,
				      struct sr_archive *archive);

#endif
