/* Fixtures of the file tests: an arena, diagnostics and a folder for each test. */
#pragma once
#include "io/file.h"
#include "support/arena.h"
#include "support/buf.h"
#include "support/diag.h"
#include "tests/unit/suite.h"
#include <string.h>

extern struct sr_arena *arena;
extern struct sr_diags diags;

const char *path_of(const char *name); /* path of a file in the test's folder */
void put_file(const char *path, const void *bytes, size_t n);
void put_and_open(const char *name, const void *bytes, size_t n, struct sr_file *f);

/* Check that one error was reported and contains these words; clear it. */
#define ck_error(words)                                                                                                    \
	do {                                                                                                               \
		ck_assert_int_eq(diags.n_errors, 1);                                                                       \
		ck_assert_msg(strstr(diags.first->message, words) != NULL, "'%s' is not in '%s'", words, diags.first->message); \
		sr_diags_clear(&diags);                                                                                    \
	} while (0)

TCase *sr_io_case(const char *name, const TTest *const *tests, size_t n);

/* Functions that return a test case, one per file. */
TCase *io_slices(void);
TCase *io_npy(void);
TCase *io_npz(void);
TCase *io_safetensors(void);
TCase *io_values(void);
