/* Folders that must be either complete or absent after a crash: fill a folder under a temporary name, flush it to disk, rename
 * it.
 *
 *	sr_folder_make(diags, "step-7.part"); ... sr_file_sync(diags, &file) of each file in it;
 *	sr_folder_sync(diags, "step-7.part"); sr_folder_rename(diags, "step-7.part", "step-7"); sr_folder_sync(diags, ".") */
#ifndef SR_IO_FOLDER_H
#define SR_IO_FOLDER_H

#include "io/file.h"

/* Create a folder; not an error if it exists. */
enum sr_status sr_folder_make(struct sr_diags *diags, const char *path);
enum sr_status sr_folder_sync(struct sr_diags *diags, const char *path);		   /* Flush the folder's entries to disk. */
/* Rename a folder; `new_path` must not exist or must be an empty folder. */
enum sr_status sr_folder_rename(struct sr_diags *diags, const char *old_path, const char *new_path);
/* Delete a folder and its files; it must not have subfolders. Files that cannot be deleted stay. */
void sr_folder_remove(const char *path);
/* List the entries of a folder, sorted by name, without "." and "..". */
enum sr_status sr_folder_list(struct sr_diags *diags, struct sr_arena *arena, const char *path, const char ***names,
			      int64_t *n);

#endif
