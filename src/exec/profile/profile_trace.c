/* Writing of the trace of --profile=FILE in Chrome's trace event format, which chrome://tracing and Perfetto display. */
#include "exec/profile/profile.h"
#include "support/json.h"

enum { COMPUTE, COLLECTIVES };

static void name_row(struct sr_json *j, const char *event, int device, int row, const char *name)
{
	sr_json_open(j, NULL, '{');
	sr_json_string(j, "name", event);
	sr_json_string(j, "ph", "M");
	sr_json_int(j, "pid", device);
	sr_json_int(j, "tid", row);
	sr_json_open(j, "args", '{');
	sr_json_string(j, "name", name);
	sr_json_close(j);
	sr_json_close(j);
}

static void write_event(struct sr_json *j, int device, int row, const char *name, const char *location, double begin, double end)
{
	sr_json_open(j, NULL, '{');
	sr_json_string(j, "name", name);
	sr_json_string(j, "ph", "X");
	sr_json_int(j, "pid", device);
	sr_json_int(j, "tid", row);
	sr_json_double(j, "ts", 1e6 * begin);
	sr_json_double(j, "dur", 1e6 * (end - begin));
	sr_json_open(j, "args", '{');
	sr_json_string(j, "place", location);
	sr_json_close(j);
	sr_json_close(j);
}

static void device_events(const struct sr_gathered_profile *g, int d, struct sr_json *j)
{
	for (int64_t i = 0; i < g->n_events[d]; i++) {
		const struct sr_profile_event *e = &g->events[d][i];
		const struct sr_instr *instr = sr_program_instrs(g->program) + e->step;
		const char *name = sr_program_string(g->program, instr->op),
			   *location = sr_program_string(g->program, instr->place);
		int row = sr_instr_is_collective(instr) ? COLLECTIVES : COMPUTE;
		double wait_s = sr_profile_wait(g, d, i);
		if (wait_s > 0)
			write_event(j, d, row, "wait", location, e->begin, e->begin + wait_s);
		write_event(j, d, row, name, location, e->begin + wait_s, e->end);
	}
}

void sr_profile_trace(const struct sr_gathered_profile *g, struct sr_arena *arena, struct sr_buf *out)
{
	struct sr_json j;
	sr_json_init(&j, out);
	sr_json_open(&j, NULL, '{');
	sr_json_string(&j, "displayTimeUnit", "ms");
	sr_json_open(&j, "traceEvents", '[');
	for (int d = 0; d < g->n_devices; d++) {
		name_row(&j, "process_name", d, 0, sr_printf(arena, "device %d", d));
		name_row(&j, "thread_name", d, COMPUTE, "compute");
		name_row(&j, "thread_name", d, COLLECTIVES, "collectives");
		device_events(g, d, &j);
	}
	sr_json_close(&j);
	sr_json_close(&j);
	sr_buf_putc(out, '\n');
}
