/* Print the plans that were compared, as a table and as JSON. */
#include "driver/driver.h"
#include "support/format_text.h"
#include <string.h>

/* Print bytes right-aligned in a column. */
static void put_bytes(struct sr_arena *arena, int64_t bytes, int width, struct sr_buf *out)
{
	struct sr_buf text;
	sr_buf_init(&text, arena);
	sr_buf_byte_size(&text, bytes);
	sr_buf_printf(out, "%*s", width, sr_buf_string(&text));
}

/* Return the table's entry on whether the plan is within the memory limits. */
static const char *fit_text(const struct sr_memory_limits *l, const struct sr_candidate *c)
{
	if (!l->requested_bytes && !l->slurm_bytes)
		return "-";
	if (l->requested_bytes && c->peak_bytes > l->requested_bytes)
		return "no";
	return l->slurm_bytes && c->peak_bytes > l->slurm_bytes ? "not Slurm" : "yes";
}

static void put_limits(const struct sr_memory_limits *l, struct sr_buf *out)
{
	if (!l->requested_bytes && !l->slurm_bytes)
		return;
	sr_buf_puts(out, "    limit per device: ");
	if (l->requested_bytes) {
		sr_buf_byte_size(out, l->requested_bytes);
		sr_buf_puts(out, " (--memory-per-device)");
	}
	if (l->slurm_bytes) {
		sr_buf_puts(out, l->requested_bytes ? ", and " : "");
		sr_buf_byte_size(out, l->slurm_bytes);
		sr_buf_puts(out, " (Slurm's grant)");
	}
	sr_buf_putc(out, '\n');
}

static bool are_equal(const struct sr_candidate *a, const struct sr_candidate *b)
{
	return !a->failure_reason && !b->failure_reason && !strcmp(a->mesh, b->mesh) && a->peak_bytes == b->peak_bytes &&
	       a->wire_bytes == b->wire_bytes && a->estimate.step_s == b->estimate.step_s;
}

/* Return true if plan i equals an earlier one that was compiled to save memory in another way, and is not the chosen one. */
static bool is_duplicate(const struct sr_candidates *c, int i)
{
	int k = 0;
	while (k < i && !are_equal(&c->candidates[k], &c->candidates[i]))
		k++;
	return k < i && !c->candidates[i].is_chosen;
}

void sr_candidates_print(const struct sr_candidates *c, struct sr_arena *arena, struct sr_buf *out)
{
	sr_buf_printf(out, "  %-12s %12s %12s %12s %12s %14s %10s %10s   %s\n", "plans tried:", "step", "compute", "collectives",
		      "within node", "between nodes", "memory", "fits", "mesh; wire bytes by axes");
	for (int i = 0; i < c->n; i++) {
		const struct sr_candidate *at = &c->candidates[i];
		if (is_duplicate(c, i))
			continue;
		if (at->failure_reason) {
			sr_buf_printf(out, "    %-10s %s: %s\n", "no plan", at->mesh, at->failure_reason);
			continue;
		}
		sr_buf_printf(out, "    %-10s %10.4g s %10.4g s %10.4g s ", at->is_chosen ? "chosen" : "", at->estimate.step_s,
			      at->estimate.compute_s, at->estimate.collectives_s);
		put_bytes(arena, at->estimate.wire_bytes[SR_LINK_NODE], 12, out);
		put_bytes(arena, at->estimate.wire_bytes[SR_LINK_NETWORK], 15, out);
		put_bytes(arena, at->peak_bytes, 11, out);
		sr_buf_printf(out, " %10s   %s%s%s", fit_text(&c->limits, at), at->mesh, *at->bytes_by_axes ? "; " : "",
			      at->bytes_by_axes);
		if (at->saving.price > 0)
			sr_buf_printf(out, " (price of memory %g)", at->saving.price);
		if (at->saving.limit) {
			sr_buf_puts(out, " (rematerialized to fit ");
			sr_buf_byte_size(out, at->saving.limit);
			sr_buf_putc(out, ')');
		}
		if (at->saving.keep_slice_shardings)
			sr_buf_puts(out, " (slices sharded as propagated)");
		if (at->saving.chunk_bytes) {
			sr_buf_puts(out, " (products decomposed into chunks of ");
			sr_buf_byte_size(out, at->saving.chunk_bytes);
			sr_buf_putc(out, ')');
		}
		sr_buf_putc(out, '\n');
	}
	put_limits(&c->limits, out);
}

static void report_plan(struct sr_json *j, const struct sr_memory_limits *limits, const struct sr_candidate *c)
{
	sr_json_double(j, "step_s", c->estimate.step_s);
	sr_json_double(j, "compute_s", c->estimate.compute_s);
	sr_json_double(j, "collectives_s", c->estimate.collectives_s);
	sr_json_int(j, "wire_bytes", c->wire_bytes);
	sr_json_int(j, "within_node_bytes", c->estimate.wire_bytes[SR_LINK_NODE]);
	sr_json_int(j, "between_nodes_bytes", c->estimate.wire_bytes[SR_LINK_NETWORK]);
	sr_json_int(j, "peak_bytes", c->peak_bytes);
	if (limits->requested_bytes)
		sr_json_bool(j, "fits", c->peak_bytes <= limits->requested_bytes);
	if (limits->slurm_bytes)
		sr_json_bool(j, "fits_slurm", c->peak_bytes <= limits->slurm_bytes);
	sr_json_double(j, "memory_price", c->saving.price);
	sr_json_int(j, "rematerialized_for_bytes", c->saving.limit);
	sr_json_bool(j, "slices_as_propagated", c->saving.keep_slice_shardings);
	sr_json_bool(j, "products_decomposed", c->saving.chunk_bytes > 0);
}

void sr_report_candidates(struct sr_json *j, const struct sr_candidates *c)
{
	sr_json_open(j, "plans_tried", '[');
	for (int i = 0; i < c->n; i++) {
		sr_json_open(j, NULL, '{');
		sr_json_string(j, "mesh", c->candidates[i].mesh);
		if (c->candidates[i].failure_reason)
			sr_json_string(j, "why", c->candidates[i].failure_reason);
		else
			report_plan(j, &c->limits, &c->candidates[i]);
		sr_json_bool(j, "taken", c->candidates[i].is_chosen);
		sr_json_close(j);
	}
	sr_json_close(j);
}

struct sr_candidates sr_candidates_copy(const struct sr_candidates *c, struct sr_arena *arena)
{
	struct sr_candidates copy = {sr_dup(arena, c->candidates, (size_t)c->n, sizeof *c->candidates), c->n, c->limits};
	for (int i = 0; i < c->n; i++) {
		const char **texts[] = {&copy.candidates[i].mesh, &copy.candidates[i].bytes_by_axes,
					&copy.candidates[i].failure_reason};
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			*texts[k] = *texts[k] ? sr_printf(arena, "%s", *texts[k]) : NULL;
	}
	return copy;
}
