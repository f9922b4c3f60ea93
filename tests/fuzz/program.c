/* The blob that leaves the compiler: what the check lets through can be printed. */
#include "program/program.h"
#include "tests/fuzz/fuzz.h"
#include <stdlib.h>
#include <string.h>

void fuzz_program(const uint8_t *bytes, size_t n)
{
	jmp_buf unwind;
	struct sr_arena *arena = sr_arena_new();
	struct sr_buf out;
	const char *message = NULL;
	void *copy = malloc(n ? n : 1); /* aligned, and the sanitizer knows its end */
	memcpy(copy, bytes, n);
	sr_buf_init(&out, arena);
	if (!setjmp(unwind)) {
		sr_arena_guard(arena, &unwind);
		if (sr_program_check(copy, n, &message) == SR_OK)
			sr_program_print(copy, &out);
		else if (!message)
			abort(); /* refused without a word */
	}
	free(copy);
	sr_arena_free(arena);
}
