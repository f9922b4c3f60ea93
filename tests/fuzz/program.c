/* Compiled programs and their files: what the check accepts can be saved, loaded, queried and printed. */
#include "program/program.h"
#include "support/crc32.h"
#include "tests/fuzz/fuzz.h"
#include <stdlib.h>
#include <string.h>

/* Compute what ranks need before a run: slices of arguments and results, members of collectives. */
static void query_program(const struct sr_program *p, int64_t device)
{
	int64_t source, target;
	for (int32_t i = 0; i < p->n_arguments + p->n_results; i++)
		(void)sr_program_slice(p, sr_program_values(p) + i, device);
	for (uint64_t i = 0; i < p->groups.n; i++)
		(void)sr_program_group_of(p, sr_program_groups(p) + i, device, &source, &target);
	for (uint64_t i = 0; i < p->computations.n; i++)
		for (uint32_t k = 0; k < sr_program_computations(p)[i].n; k++) {
			const struct sr_instr *instr = sr_program_instrs(p) + sr_program_computations(p)[i].first + k;
			const struct sr_collective_instr *c = (const void *)(sr_program_params(p) + instr->params);
			if (instr->kind == SR_INSTR_COLLECTIVE && c->coll == SR_PERMUTE)
				sr_program_permute_peers(p, c, device, &source, &target);
		}
}

/* Load the bytes as a program's file. Return true if they are accepted; if they are not, there must be a message. */
static bool loads_program(const void *bytes, size_t n)
{
	const struct sr_program *p;
	const char *message;
	if ((sr_program_load(bytes, n, &p, &message) == SR_OK) != (p != NULL) || !p == !message)
		abort();
	return p != NULL;
}

/* Set a valid header and checksum, and load the file, which is accepted exactly if sr_program_check accepts the program. */
static bool loads_with_valid_checksum(struct sr_program *p, size_t n)
{
	static const size_t checksum_end = offsetof(struct sr_program, crc) + sizeof p->crc;
	memcpy(p->magic, SR_PROGRAM_MAGIC, sizeof p->magic);
	p->version = sr_program_version();
	p->bytes = n;
	p->object_bytes = 0;
	p->crc = sr_crc32(0, (const char *)p + checksum_end, n - checksum_end);
	return loads_program(p, n);
}

void fuzz_program(const uint8_t *bytes, size_t n)
{
	jmp_buf unwind;
	struct sr_arena *arena = sr_arena_new();
	struct sr_buf out;
	const char *message = NULL;
	/* malloc aligns the copy as required; its size is exact, so that the sanitizer detects reads beyond the end */
	void *copy = malloc(n ? n : 1);
	memcpy(copy, bytes, n);
	sr_buf_init(&out, arena);
	if (!setjmp(unwind)) {
		sr_arena_guard(arena, &unwind);
		const struct sr_program *p = copy;
		(void)loads_program(copy, n);
		if (n >= sizeof *p && loads_with_valid_checksum(copy, n)) {
			query_program(p, 0);
			query_program(p, p->n_devices - 1);
			sr_program_print(p, &out);
			sr_buf_init(&out, arena);
			sr_program_save(p, NULL, &out);
			if (out.n != n || memcmp(out.data, p, n))
				abort();
		} else if (n < sizeof *p && (sr_program_check(copy, n, &message) == SR_OK || !message)) {
			abort();
		}
	}
	free(copy);
	sr_arena_free(arena);
}
