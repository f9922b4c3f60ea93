/* Write the report: JSON from rank 0, with the fields that doc/guide documents. */
#include "driver/driver.h"
#include "driver/collective_summaries.h"
#include "plan/internode_traffic.h"

static void write_compile_times(struct sr_json *j, const struct sr_compile_times *t)
{
	const struct {
		const char *name;
		double seconds;
	} rows[] = {{"parse_s", t->parse_s},	   {"propagate_s", t->propagate_s}, {"partition_s", t->partition_s},
		    {"optimize_s", t->optimize_s}, {"plan_s", t->plan_s},	    {"total_s", t->total_s},
		    {"jit_s", t->jit_s}};
	sr_json_open(j, "compile", '{');
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		sr_json_double(j, rows[i].name, rows[i].seconds);
	sr_json_bool(j, "kept", t->is_cached);
	sr_json_close(j);
}

static void write_live_at_peak(struct sr_json *j, const struct sr_program *p)
{
	enum { MAX_ENTRIES = 20 };
	sr_json_open(j, "live_at_peak", '[');
	for (uint64_t i = 0; i < p->live_at_peak.n && i < MAX_ENTRIES; i++) {
		const struct sr_live_buffers *a = sr_program_live_at_peak(p) + i;
		sr_json_open(j, NULL, '{');
		sr_json_int(j, "bytes", a->bytes);
		sr_json_int(j, "buffers", a->count);
		sr_json_string(j, "op", sr_program_string(p, a->op));
		sr_json_string(j, "place", sr_program_string(p, a->place));
		sr_json_close(j);
	}
	sr_json_close(j);
}

static void write_replicated(struct sr_json *j, const struct sr_program *p)
{
	sr_json_open(j, "replicated_values", '[');
	for (uint64_t i = 0; i < p->replicated.n; i++) {
		const struct sr_replicated_value *replicated_value = sr_program_replicated(p) + i;
		sr_json_open(j, NULL, '{');
		sr_json_string(j, "op", sr_program_string(p, replicated_value->op));
		sr_json_string(j, "place", sr_program_string(p, replicated_value->place));
		sr_json_int(j, "bytes", replicated_value->bytes);
		sr_json_string(j, "cure", sr_program_string(p, replicated_value->hint));
		sr_json_close(j);
	}
	sr_json_close(j);
}

/* List the collectives that partition inserted or the program contained, most expensive first. */
static void write_collectives(struct sr_json *j, const struct sr_program *p, struct sr_arena *arena)
{
	struct sr_collective_summaries summaries = sr_collective_summaries_of(p, arena);
	sr_json_open(j, "collective_ops", '[');
	for (size_t i = 0; i < summaries.n; i++) {
		const struct sr_collective_summary *m = &summaries.summaries[i];
		const struct {
			const char *name, *value;
		} texts[] = {{"op", m->op},	{"cause", m->cause}, {"place", m->place},
			     {"from", m->from_sharding}, {"to", m->to_sharding},	     {"axes", m->axes}};
		sr_json_open(j, NULL, '{');
		sr_json_string(j, "kind", sr_coll_report_name(m->kind));
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			if (*texts[k].value)
				sr_json_string(j, texts[k].name, texts[k].value);
		sr_json_int(j, "count", m->count);
		sr_json_int(j, "bytes", m->bytes);
		sr_json_int(j, "wire_bytes", m->wire_bytes);
		sr_json_double(j, "seconds", m->seconds);
		if (sr_collective_summary_cure(m))
			sr_json_string(j, "full_replication", sr_collective_summary_cure(m));
		sr_json_close(j);
	}
	sr_json_close(j);
}

static void write_plan(struct sr_json *j, const struct sr_program *p, struct sr_arena *arena)
{
	sr_json_open(j, "plan", '{');
	sr_json_int(j, "argument_bytes", p->argument_bytes);
	sr_json_int(j, "output_bytes", p->output_bytes);
	sr_json_int(j, "alias_bytes", p->alias_bytes);
	sr_json_int(j, "temp_bytes", p->temp_bytes);
	sr_json_int(j, "constant_bytes", p->constant_bytes);
	sr_json_int(j, "peak_bytes", p->argument_bytes + p->output_bytes - p->alias_bytes + p->temp_bytes);
	sr_json_int(j, "flops", p->flops);
	sr_json_int(j, "decomposed_matmuls", p->decomposed_matmuls);
	sr_json_int(j, "steps", (int64_t)p->instrs.n);
	sr_json_open(j, "estimate_s", '{');
	sr_json_double(j, "step", p->estimate.step_s);
	sr_json_double(j, "compute", p->estimate.compute_s);
	sr_json_double(j, "collectives", p->estimate.collectives_s);
	sr_json_double(j, "memory", p->estimate.memory_s);
	sr_json_close(j);
	sr_json_open(j, "estimate_bytes", '{');
	sr_json_int(j, "memory", p->estimate.memory_bytes);
	sr_json_int(j, "within_node", p->estimate.wire_bytes[SR_LINK_NODE]);
	sr_json_int(j, "between_nodes", p->estimate.wire_bytes[SR_LINK_NETWORK]);
	sr_json_close(j);
	sr_json_int(j, "loops_estimated_once", p->estimate.unknown_loops);
	sr_json_open(j, "collectives", '{');
	for (int i = 0; i < SR_COLL_COUNT; i++) {
		const struct sr_collective_cost *c = &p->collectives[i];
		if (!c->count)
			continue;
		sr_json_open(j, sr_coll_report_name((enum sr_coll)i), '{');
		sr_json_int(j, "count", c->count);
		sr_json_int(j, "bytes", c->bytes);
		sr_json_int(j, "wire_bytes", c->wire_bytes);
		sr_json_close(j);
	}
	sr_json_close(j);
	write_live_at_peak(j, p);
	write_replicated(j, p);
	write_collectives(j, p, arena);
	sr_json_close(j);
}

void sr_report_plan(struct sr_json *j, const struct sr_program *p, const struct sr_compile_times *times,
		    struct sr_arena *arena)
{
	const struct sr_program_axis *axes = sr_program_mesh(p);
	sr_json_open(j, NULL, '{');
	sr_json_string(j, "model", sr_program_string(p, p->model));
	sr_json_int(j, "devices", p->n_devices);
	sr_json_open(j, "mesh", '{');
	for (uint64_t i = 0; i < p->mesh.n; i++)
		sr_json_int(j, sr_program_string(p, axes[i].name), axes[i].size);
	sr_json_close(j);
	write_compile_times(j, times);
	write_plan(j, p, arena);
}

static void write_traffic(struct sr_json *j, const char *name, const struct sr_traffic *t)
{
	sr_json_open(j, name, '{');
	sr_json_open(j, "bytes", '{');
	for (int i = 0; i < SR_COLL_COUNT; i++)
		if (t->bytes[i] > 0)
			sr_json_int(j, sr_coll_report_name((enum sr_coll)i), (int64_t)t->bytes[i]);
	sr_json_close(j);
	sr_json_int(j, "all_bytes", (int64_t)t->total);
	sr_json_int(j, "busiest_node_bytes", (int64_t)t->busiest_node_bytes);
}

void sr_report_nodes(struct sr_json *j, const struct sr_program *p, const struct sr_node_plan *n, const char *placement)
{
	const struct sr_program_axis *mesh = sr_program_mesh(p);
	sr_json_open(j, "nodes", '{');
	sr_json_int(j, "ranks_per_node", n->ranks_per_node);
	sr_json_int(j, "nodes", n->n_nodes);
	write_traffic(j, "block", &n->block);
	sr_json_close(j);
	write_traffic(j, "cyclic", &n->cyclic);
	sr_json_close(j);
	write_traffic(j, "best", &n->best);
	sr_json_open(j, "axes", '[');
	for (uint64_t i = 0; i < p->mesh.n; i++)
		sr_json_string(j, NULL, sr_program_string(p, mesh[n->best_axes[i]].name));
	sr_json_close(j);
	sr_json_close(j);
	if (placement) {
		write_traffic(j, "placed", &n->placed);
		sr_json_string(j, "placement", placement);
		sr_json_close(j);
		write_traffic(j, "order", &n->order);
		sr_json_close(j);
	}
	sr_json_close(j);
}

void sr_node_plan_print(const struct sr_program *p, const struct sr_node_plan *n, struct sr_buf *out)
{
	const struct sr_program_axis *mesh = sr_program_mesh(p);
	sr_buf_printf(out, "  between %d node%s of %d: %.0f bytes per step, at most %.0f from one node (cyclic: %.0f, %.0f)",
		      n->n_nodes, n->n_nodes == 1 ? "" : "s", n->ranks_per_node, n->block.total, n->block.busiest_node_bytes,
		      n->cyclic.total, n->cyclic.busiest_node_bytes);
	for (uint64_t i = 0; p->mesh.n > 1 && i < p->mesh.n; i++)
		sr_buf_printf(out, "%s%s", i ? "," : "; best: --placement=", sr_program_string(p, mesh[n->best_axes[i]].name));
	if (p->mesh.n > 1)
		sr_buf_printf(out, " (%.0f, %.0f)", n->best.total, n->best.busiest_node_bytes);
	sr_buf_putc(out, '\n');
}
