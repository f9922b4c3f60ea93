/* Format the memory and time that a plan needs. */
#include "driver/plan_needs.h"
#include "driver/memory_needs.h"
#include "support/format_text.h"

enum { MAX_LINES = 20, MAX_VALUES = 5 };

static void put_arguments(const struct sr_program *p, const struct sr_memory_needs *needs, struct sr_arena *arena,
			  struct sr_buf *out)
{
	for (int k = 0; k < needs->n_arguments && k < MAX_VALUES; k++) {
		const struct sr_argument_memory *a = &needs->arguments[k];
		sr_buf_puts(out, "      ");
		sr_buf_byte_size(out, a->bytes);
		sr_buf_printf(out, " of %s, %s%s%s\n", sr_program_argument_label(p, a->i, arena),
			      sr_program_string(p, sr_program_values(p)[a->i].type), *a->replicated_axes ? "; replicated along " : "",
			      a->replicated_axes);
	}
}

static void put_group(const struct sr_live_memory *a, struct sr_buf *out)
{
	sr_buf_puts(out, "      ");
	sr_buf_byte_size(out, a->bytes);
	if (!*a->op) {
		sr_buf_printf(out, " in %lld donated argument%s\n", (long long)a->n_buffers, a->n_buffers == 1 ? "" : "s");
		return;
	}
	sr_buf_printf(out, " in %lld of %s", (long long)a->n_buffers, a->op);
	if (a->n_buffers > 1) {
		sr_buf_puts(out, ", ");
		sr_buf_byte_size(out, a->bytes / a->n_buffers);
		sr_buf_puts(out, " each,");
	}
	sr_buf_printf(out, " at %s", a->place);
	if (a->n_places > 1)
		sr_buf_printf(out, " and %lld more place%s", (long long)a->n_places - 1, a->n_places == 2 ? "" : "s");
	if (*a->gathered_axes)
		sr_buf_printf(out, "; gathered over %s, smaller by that factor if it stays sharded", a->gathered_axes);
	sr_buf_putc(out, '\n');
}

/* Append the buffers live at the peak. */
static void put_live(const struct sr_memory_needs *needs, struct sr_buf *out)
{
	int64_t unlisted_bytes = 0;
	for (int i = 0; i < needs->n_live_buffers; i++) {
		if (i < MAX_LINES)
			put_group(&needs->live_buffers[i], out);
		else
			unlisted_bytes += needs->live_buffers[i].bytes;
	}
	if (!unlisted_bytes)
		return;
	sr_buf_puts(out, "      ");
	sr_buf_byte_size(out, unlisted_bytes);
	sr_buf_puts(out, " in other buffers\n");
}

static void put_time(const struct sr_program *p, struct sr_buf *out)
{
	const struct sr_estimate *e = &p->estimate;
	sr_buf_printf(out, "  estimated time: %.4g s per step, %.4g s of computation and %.4g s of collectives",
		      e->step_s, e->compute_s, e->collectives_s);
	if (e->unknown_loops)
		sr_buf_printf(out, "; %lld loop%s counted once", (long long)e->unknown_loops,
			      e->unknown_loops == 1 ? " is" : "s are");
	sr_buf_puts(out, "\n    memory traffic: ");
	sr_buf_byte_size(out, e->memory_bytes);
	sr_buf_printf(out, " (%.4g s at the machine's bandwidth); collectives send ", e->memory_s);
	sr_buf_byte_size(out, e->wire_bytes[SR_LINK_NODE]);
	sr_buf_puts(out, " within the node and ");
	sr_buf_byte_size(out, e->wire_bytes[SR_LINK_NETWORK]);
	sr_buf_puts(out, " to other nodes\n");
}

void sr_needs_print(const struct sr_program *p, struct sr_arena *arena, struct sr_buf *out)
{
	const struct sr_memory_needs needs = sr_memory_needs_of(p, arena);
	sr_buf_puts(out, "  memory per device: ");
	sr_buf_byte_size(out, needs.peak_bytes);
	sr_buf_puts(out, "\n    ");
	sr_buf_byte_size(out, p->argument_bytes);
	sr_buf_puts(out, " for arguments; the largest:\n");
	put_arguments(p, &needs, arena, out);
	sr_buf_puts(out, "    ");
	sr_buf_byte_size(out, p->output_bytes - p->alias_bytes);
	sr_buf_puts(out, " for results, and ");
	sr_buf_byte_size(out, p->alias_bytes);
	sr_buf_puts(out, " in the memory of donated arguments\n    ");
	sr_buf_byte_size(out, p->temp_bytes);
	sr_buf_puts(out, p->live_at_peak.n ? " for temporaries; buffers live at the peak:\n" : " for temporaries\n");
	put_live(&needs, out);
	put_time(p, out);
}
