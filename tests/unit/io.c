/* Fixtures that the tests of src/io share, and their main(). */
#include "tests/unit/io_case.h"
#include "tests/unit/scratch.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct sr_arena *arena;
struct sr_diags diags;
static char directory[SCRATCH_PATH];

static void setup(void)
{
	arena = sr_arena_new();
	sr_diags_init(&diags, arena);
	make_scratch_folder(directory);
}

const char *path_of(const char *name)
{
	return sr_printf(arena, "%s/%s", directory, name);
}

static void teardown(void)
{
	static const char *const names[] = {"a.npy", "b.npy", "a.npy.part", "a.bin", "a.safetensors", "w.safetensors", "w.npz", "l.npz"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		unlink(path_of(names[i]));
	ck_assert_int_eq(rmdir(directory), 0); /* rmdir fails if a test left a file with another name */
	sr_arena_free(arena);
}

void put_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	ck_assert_int_eq(fclose(f), 0);
}

void put_and_open(const char *name, const void *bytes, size_t n, struct sr_file *f)
{
	put_file(path_of(name), bytes, n);
	ck_assert_int_eq(sr_file_open(&diags, path_of(name), f), SR_OK);
}

TCase *sr_io_case(const char *name, const TTest *const *tests, size_t n)
{
	return sr_make_case(name, tests, n, setup, teardown);
}

int main(void)
{
	Suite *suite = suite_create("io");
	suite_add_tcase(suite, io_slices());
	suite_add_tcase(suite, io_npy());
	suite_add_tcase(suite, io_npz());
	suite_add_tcase(suite, io_safetensors());
	suite_add_tcase(suite, io_values());
	return sr_run_suite(suite);
}
