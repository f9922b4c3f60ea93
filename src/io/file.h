/* Positioned file I/O for files that several ranks read or write in parallel. Every transfer names its offset and either
 * completes or is an error.
 *
 * One rank creates an output under a temporary name (sr_file_make_temporary; sr_file_create reserves its full length, so that
 * a full disk is noticed before the program runs). The other ranks open it with sr_file_open_for_writing. All ranks write at
 * their own offsets and close the file; the first rank renames it (sr_file_rename). Error messages name the file. Every status
 * other than SR_OK has been reported. */
#ifndef SR_IO_FILE_H
#define SR_IO_FILE_H

#include "support/diag.h"
#include <stdint.h>

struct sr_file {
	const char *path; /* path, for messages; not owned, must outlive the struct */
	int fd;           /* file descriptor; -1: closed */
	int64_t size;     /* file size when it was opened or created */
	int64_t bytes;    /* bytes transferred so far, including gaps that were read and dropped */
	int64_t n_transfers;    /* number of read and write calls so far */
};

enum sr_status sr_file_open(struct sr_diags *diags, const char *path, struct sr_file *file); /* Open a regular file for reading. */
enum sr_status sr_file_create(struct sr_diags *diags, const char *path, int64_t size, struct sr_file *file);
/* Open an existing file for writing. */
enum sr_status sr_file_open_for_writing(struct sr_diags *diags, const char *path, struct sr_file *file);
/* Open a file for reading and writing; create it if it does not exist. */
enum sr_status sr_file_open_read_write(struct sr_diags *diags, const char *path, struct sr_file *file);
enum sr_status sr_file_truncate(struct sr_diags *diags, struct sr_file *file, int64_t size); /* Truncate the file to `size` bytes. */
/* Transfer all n bytes at `offset`. Reading beyond the end is an error that says how many bytes the file has and how many were
 * expected. */
enum sr_status sr_file_read_at(struct sr_diags *diags, struct sr_file *file, void *dst, int64_t n, int64_t offset);
enum sr_status sr_file_write_at(struct sr_diags *diags, struct sr_file *file, const void *src, int64_t n, int64_t offset);
enum sr_status sr_file_sync(struct sr_diags *diags, struct sr_file *file); /* Flush written data to disk (fsync). */
/* Close the file; closing a closed file is allowed. Some file systems report write errors only here. */
enum sr_status sr_file_close(struct sr_diags *diags, struct sr_file *file);
/* Return the path that a write to `path` reaches: if it is a symbolic link, the target, which need not exist; otherwise path
 * itself. */
const char *sr_file_target(struct sr_arena *arena, const char *path);
/* Return the temporary name of an output in the same folder as the final one. sr_file_make_temporary creates an empty file of
 * that name with the lowest number that is unused, so that concurrent runs never write to the same file. */
const char *sr_file_temporary_name(struct sr_arena *arena, const char *path, int number);
enum sr_status sr_file_make_temporary(struct sr_diags *diags, struct sr_arena *arena, const char *path, int *number);
enum sr_status sr_file_rename(struct sr_diags *diags, const char *old_path, const char *new_path);
void sr_file_remove(const char *path); /* Delete an incomplete output; no error if it does not exist. */

#endif
