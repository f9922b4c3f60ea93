/* Unit tests of program files with object code. Programs that the compiler makes are tested in plan.c, untrusted ones in the fuzz
 * targets. */
#include "program/program.h"
#include "tests/unit/suite.h"
#include <string.h>

static struct sr_arena *arena;

static void setup(void)
{
	arena = sr_arena_new();
}

static void teardown(void)
{
	sr_arena_free(arena);
}

/* Return the smallest program file with object code, which begins after p->bytes. */
static const struct sr_program *make_program_file(const struct sr_program_objects *objects, uint64_t *n)
{
	struct sr_program p = {.magic = SR_PROGRAM_MAGIC, .bytes = sizeof p};
	struct sr_buf out;
	sr_buf_init(&out, arena);
	sr_program_save(&p, objects, &out);
	*n = out.n;
	return sr_dup(arena, out.data, 1, out.n);
}

static const struct sr_program_object two[] = {
    {"x86_64", "avx2", "gcc-12", {{1, 2, 3}}, "some code", 9},
    {"aarch64",
     "base",
     "a compiler with a name that is longer than what a file keeps of a compiler's name",
     {{4}},
     "more of it, of another length",
     29},
};

START_TEST(objects_are_read_back)
{
	struct sr_program_objects objects;
	uint64_t n;
	const struct sr_program *p = make_program_file(&(struct sr_program_objects){.objects = two, .n = 2}, &n);
	sr_program_objects_load(p, n, arena, &objects);
	ck_assert_ptr_null(objects.error);
	ck_assert_int_eq(objects.n, 2);
	for (int i = 0; i < 2; i++) {
		ck_assert_str_eq(objects.objects[i].machine, two[i].machine);
		ck_assert_str_eq(objects.objects[i].target, two[i].target);
		ck_assert(!strncmp(objects.objects[i].compiler, two[i].compiler, 60));
		ck_assert_mem_eq(&objects.objects[i].key, &two[i].key, sizeof two[i].key);
		ck_assert_uint_eq(objects.objects[i].n, two[i].n);
		ck_assert_mem_eq(objects.objects[i].object, two[i].object, two[i].n);
	}
	p = make_program_file(NULL, &n);
	sr_program_objects_load(p, n, arena, &objects);
	ck_assert(objects.n == 0 && !objects.error);
}
END_TEST

/* A file truncated or changed anywhere: entries before the damage are read, and the damage is reported. */
START_TEST(damaged_objects_are_reported)
{
	struct sr_program_objects objects;
	uint64_t n;
	const struct sr_program *p = make_program_file(&(struct sr_program_objects){.objects = two, .n = 2}, &n);
	for (uint64_t k = p->bytes; k < n; k++) {
		sr_program_objects_load(p, k, arena, &objects);
		ck_assert_ptr_nonnull(objects.error);
		ck_assert_str_eq(objects.error, "are truncated");
	}
	for (uint64_t k = p->bytes; k < n; k++) {
		struct sr_program *q = sr_dup(arena, p, 1, n);
		((char *)q)[k] ^= 16;
		sr_program_objects_load(q, n, arena, &objects);
		ck_assert_msg(objects.n == 2 ? !objects.error : objects.error && objects.n < 2, "byte %llu",
			      (unsigned long long)k);
		for (int i = 0; i < objects.n; i++)
			ck_assert(objects.objects[i].n == two[i].n && !memcmp(objects.objects[i].object, two[i].object, two[i].n) &&
				  !memcmp(&objects.objects[i].key, &two[i].key, sizeof two[i].key));
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {objects_are_read_back, damaged_objects_are_reported};
	return sr_run_tests("program", tests, sizeof tests / sizeof *tests, setup, teardown);
}
