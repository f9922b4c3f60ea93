// Files and folders that a test makes: in TMPDIR, or where nothing is said in /tmp. The test removes them.
#pragma once
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SCRATCH_PATH = 256 };

// What mkstemp and mkdtemp fill in.
static inline void set_scratch_path(char path[SCRATCH_PATH])
{
	const char *dir = getenv("TMPDIR");
	int n = snprintf(path, SCRATCH_PATH, "%s/shardrun-test-XXXXXX", dir && *dir ? dir : "/tmp");
	ck_assert_msg(n < SCRATCH_PATH, "TMPDIR is too long");
}

// A new file, open to write; its path.
static inline int make_scratch_file(char path[SCRATCH_PATH])
{
	set_scratch_path(path);
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	return fd;
}

// A new empty folder; its path.
static inline void make_scratch_folder(char path[SCRATCH_PATH])
{
	set_scratch_path(path);
	ck_assert_ptr_nonnull(mkdtemp(path));
}
