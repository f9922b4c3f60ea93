/* Summarize the collectives of a program, most expensive first. */
#include "driver/collective_summaries.h"
#include "support/map.h"
#include "support/vec.h"
#include <stdlib.h>
#include <string.h>

/* Split text of the form "FROM to TO over AXES", which partition writes, into its parts. */
static void split_shardings(struct sr_arena *arena, const char *reshard_text, struct sr_collective_summary *m)
{
	const char *to = strstr(reshard_text, "] to ["), *axes = to ? strstr(to, "] over ") : NULL;
	m->from_sharding = m->to_sharding = m->axes = "";
	if (!to)
		return;
	m->from_sharding = sr_strndup(arena, reshard_text, (size_t)(to - reshard_text) + 1);
	to += strlen("] to ");
	m->to_sharding = axes ? sr_strndup(arena, to, (size_t)(axes - to) + 1) : to;
	m->axes = axes ? axes + strlen("] over ") : "";
}

static struct sr_collective_summary summary_of(const struct sr_program *p, const struct sr_instr *instr)
{
	const struct sr_collective_instr *c = (const void *)(sr_program_params(p) + instr->params);
	struct sr_coll_call call = sr_program_collective_call(p, instr);
	int64_t size = 0;
	struct sr_collective_summary m = {.kind = (enum sr_coll)c->coll, .count = 1, .seconds = c->seconds};
	m.op = sr_program_string(p, instr->op);
	m.cause = sr_program_string(p, instr->cause);
	m.place = sr_program_string(p, instr->place);
	if (c->group >= 0)
		size = sr_program_groups(p)[c->group].size;
	m.bytes = sr_coll_out_bytes(&call);
	m.wire_bytes = sr_cost_wire_bytes(m.kind, m.bytes, size);
	m.from_sharding = c->reshard_text ? sr_program_string(p, c->reshard_text - 1) : "";
	return m;
}

static int compare_by_cost(const void *a, const void *b)
{
	const struct sr_collective_summary *x = a, *y = b;
	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	if (x->wire_bytes != y->wire_bytes)
		return x->wire_bytes < y->wire_bytes ? 1 : -1;
	return strcmp(x->place, y->place);
}

struct sr_collective_summaries sr_collective_summaries_of(const struct sr_program *p, struct sr_arena *arena)
{
	SR_VEC(struct sr_collective_summary) list = {0};
	struct sr_strings keys;
	struct sr_map summary_index; /* maps a key to 1 + the summary's index in `list` */
	sr_strings_init(&keys, arena);
	sr_map_init(&summary_index, arena);
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *instr = sr_program_instrs(p) + i;
		if (instr->kind != SR_INSTR_COLLECTIVE)
			continue;
		struct sr_collective_summary m = summary_of(p, instr);
		const char *text = sr_printf(arena, "%d\n%s\n%s\n%s\n%s", m.kind, m.op, m.cause, m.place, m.from_sharding);
		void **at = sr_map_at(&summary_index, sr_strings_intern(&keys, text, strlen(text)));
		if (!*at) {
			split_shardings(arena, m.from_sharding, &m);
			sr_push(arena, &list, m);
			*at = (void *)(uintptr_t)list.n;
			continue;
		}
		struct sr_collective_summary *sum = &list.data[(uintptr_t)*at - 1];
		sum->count++;
		sum->bytes += m.bytes;
		sum->wire_bytes += m.wire_bytes;
		sum->seconds += m.seconds;
	}
	if (list.n)
		qsort(list.data, list.n, sizeof *list.data, compare_by_cost);
	return (struct sr_collective_summaries){list.data, list.n};
}

void sr_collective_summary_print(const struct sr_collective_summary *m, struct sr_buf *out)
{
	sr_buf_puts(out, sr_coll_report_name(m->kind));
	if (*m->from_sharding)
		sr_buf_printf(out, " from %s to %s", m->from_sharding, m->to_sharding);
	if (*m->axes)
		sr_buf_printf(out, " over %s", m->axes);
	if (*m->cause)
		sr_buf_printf(out, " (%s)", m->cause);
	if (*m->place)
		sr_buf_printf(out, " at %s", m->place);
}

const char *sr_collective_summary_cure(const struct sr_collective_summary *m)
{
	bool is_sharded = false;
	for (const char *c = m->to_sharding; *c; c++)
		is_sharded = is_sharded || !strchr("[]{}, ", *c);
	if (m->kind != SR_ALL_GATHER || !*m->to_sharding || is_sharded)
		return NULL;
	return "shard its readers along these axes (out_shardings, jax.lax.with_sharding_constraint), or keep it replicated "
	       "from the start";
}
