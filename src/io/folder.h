/* Folders of files that must be there after a crash, or not be there at all: a folder is filled under a temporary name, brought to
 * disk and renamed.
 *
 *	sr_folder_make(diags, "step-7.part"); ... sr_file_sync(diags, &file) of each file in it;
 *	sr_folder_sync(diags, "step-7.part"); sr_folder_rename(diags, "step-7.part", "step-7"); sr_folder_sync(diags, ".") */
#ifndef SR_IO_FOLDER_H
#define SR_IO_FOLDER_H

#include "io/file.h"

enum sr_status sr_folder_make(struct sr_diags *diags, const char *path);		   /* one that is there is fine */
enum sr_status sr_folder_sync(struct sr_diags *diags, const char *path);		   /* the names in it are on disk */
enum sr_status sr_folder_rename(struct sr_diags *diags, const char *from, const char *to); /* `to` is not there, or empty */
/* The files in it, and it: it holds no folders. What cannot be removed stays. */
void sr_folder_remove(const char *path);
/* The names in it, sorted; without . and .. */
enum sr_status sr_folder_list(struct sr_diags *diags, struct sr_arena *arena, const char *path, const char ***names,
			      int64_t *n);

#endif
