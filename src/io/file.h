/* Files that many ranks read or write parts of: every transfer names its offset, is done in full or is an error.
 *
 * An output is made under a temporary name by one rank (sr_file_make_temporary; sr_file_create reserves its whole length, so
 * that a full disk is noticed before the program runs), opened by the others with sr_file_open_for_writing, written by all at their
 * own offsets, closed by all and renamed by the first (sr_file_rename). Errors name the file; a status other than SR_OK has
 * been reported. */
#ifndef SR_IO_FILE_H
#define SR_IO_FILE_H

#include "support/diag.h"
#include <stdint.h>

struct sr_file {
	const char *path; /* borrowed; outlives the file */
	int fd;           /* -1: closed */
	int64_t size;     /* bytes, when opened or created */
	int64_t bytes;    /* transferred so far, those read through included */
	int64_t calls;    /* transfers so far */
};

enum sr_status sr_file_open(struct sr_diags *diags, const char *path, struct sr_file *file); /* for reading; a regular file */
enum sr_status sr_file_create(struct sr_diags *diags, const char *path, int64_t size, struct sr_file *file);
enum sr_status sr_file_open_for_writing(struct sr_diags *diags, const char *path, struct sr_file *file); /* for writing; exists already */
/* for both; made where it is not there */
enum sr_status sr_file_open_read_write(struct sr_diags *diags, const char *path, struct sr_file *file);
enum sr_status sr_file_truncate(struct sr_diags *diags, struct sr_file *file, int64_t size); /* what is behind `size` goes */
/* All n bytes at `offset`, or an error that says how many bytes the file has and how many were wanted. */
enum sr_status sr_file_read_at(struct sr_diags *diags, struct sr_file *file, void *dst, int64_t n, int64_t offset);
enum sr_status sr_file_write_at(struct sr_diags *diags, struct sr_file *file, const void *src, int64_t n, int64_t offset);
enum sr_status sr_file_sync(struct sr_diags *diags, struct sr_file *file); /* what was written is on disk */
/* Closes; some file systems say only here that a write has failed. A closed file is fine. */
enum sr_status sr_file_close(struct sr_diags *diags, struct sr_file *file);
/* The file that is written where `path` is a symbolic link: what it names, which may not be there yet; else path itself. */
const char *sr_file_target(struct sr_arena *arena, const char *path);
/* The name an output has until it is complete: beside the final one. The rank that makes the file, empty, finds a number that
 * no file has yet, so that another run never writes into it. */
const char *sr_file_temporary_name(struct sr_arena *arena, const char *path, int number);
enum sr_status sr_file_make_temporary(struct sr_diags *diags, struct sr_arena *arena, const char *path, int *number);
enum sr_status sr_file_rename(struct sr_diags *diags, const char *from, const char *to);
void sr_file_remove(const char *path); /* an incomplete output; nothing is said where it is not there */

#endif
