/* Files and folders that a test creates, in TMPDIR or /tmp. The test removes them. */
#pragma once
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SCRATCH_PATH = 256 };

/* Set the template for mkstemp and mkdtemp. */
static inline void set_scratch_path(char path[SCRATCH_PATH])
{
	const char *dir = getenv("TMPDIR");
	int n = snprintf(path, SCRATCH_PATH, "%s/shardrun-test-XXXXXX", dir && *dir ? dir : "/tmp");
	ck_assert_msg(n < SCRATCH_PATH, "TMPDIR is too long");
}

/* Create a file, open for writing, and return its path in `path`. */
static inline int make_scratch_file(char path[SCRATCH_PATH])
{
	set_scratch_path(path);
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	return fd;
}

/* Create an empty folder and return its path in `path`. */
static inline void make_scratch_folder(char path[SCRATCH_PATH])
{
	set_scratch_path(path);
	ck_assert_ptr_nonnull(mkdtemp(path));
}
