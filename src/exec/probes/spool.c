/* Recording of inspected values in unnamed temporary files. */
#include "exec/probes/spool.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sr_spool_device {
	FILE *file;
	struct sr_spool_record *records; /* owned */
	size_t n, cap;
	int64_t bytes, n_left_out;
};

static enum sr_status report_failure(struct sr_diags *diags, const char *action)
{
	return sr_error(diags, SR_INTERNAL, (struct sr_src_loc){0}, "values cannot be stored in a temporary file: %s: %s", action,
			strerror(errno));
}

enum sr_status sr_spool_begin(struct sr_spool *s, struct sr_executable *e, int64_t iterations, struct sr_arena *arena,
			      struct sr_diags *diags)
{
	*s = (struct sr_spool){.e = e, .iterations = iterations};
	s->devices = SR_NEW_ARRAY(arena, struct sr_spool_device, e->n_devices + 1);
	for (int k = 0; k < e->n_devices; k++) {
		s->devices[k].file = tmpfile();
		if (!s->devices[k].file)
			return report_failure(diags, "tmpfile");
	}
	return SR_OK;
}

void sr_spool_end(struct sr_spool *s)
{
	for (int k = 0; s->e && k < s->e->n_devices; k++) {
		if (s->devices[k].file)
			fclose(s->devices[k].file);
		free(s->devices[k].records);
		s->devices[k] = (struct sr_spool_device){0};
	}
}

static bool grow_records(struct sr_spool_device *d)
{
	if (d->n < d->cap)
		return true;
	size_t cap = d->cap ? 2 * d->cap : 256;
	struct sr_spool_record *records = realloc(d->records, cap * sizeof *records);
	if (!records)
		return false;
	d->records = records;
	d->cap = cap;
	return true;
}

enum sr_status sr_spool_inspect(void *data, struct sr_execution_context *x, const struct sr_instr *instr,
				const struct sr_probe *probe)
{
	struct sr_spool *s = data;
	struct sr_spool_device *d = &s->devices[x->device->k];
	struct sr_probe_event at = sr_probe_event_now(x, probe);
	int32_t buffer = sr_program_operands(x->program)[instr->first_operand];
	int64_t bytes = sr_program_buffers(x->program)[buffer].bytes;
	if (!sr_probe_is_within(&at, s->iterations)) {
		d->n_left_out++;
		return SR_OK;
	}
	if (!grow_records(d))
		return SR_NO_MEMORY;
	if (bytes && fwrite(sr_context_buffer(x, buffer), 1, (size_t)bytes, d->file) != (size_t)bytes)
		return SR_INTERNAL;
	d->records[d->n++] = (struct sr_spool_record){at, d->bytes, bytes};
	d->bytes += bytes;
	return SR_OK;
}

const struct sr_probe_event *sr_spool_events(const struct sr_spool *s, struct sr_arena *arena, uint64_t *n)
{
	struct sr_executable *e = s->e;
	struct sr_launch *l = &e->client->launch;
	uint64_t *own_counts = SR_NEW_ARRAY(arena, uint64_t, e->n_devices + 1);
	for (int k = 0; k < e->n_devices; k++)
		own_counts[k] = s->devices[k].n;
	const uint64_t *counts = sr_executable_gather(e, arena, own_counts, sizeof *own_counts);
	*n = counts ? counts[0] : 0;
	for (int d = 1; counts && d < e->program->n_devices; d++)
		*n = counts[d] < *n ? counts[d] : *n;
	sr_launch_broadcast(l, n, sizeof *n);
	struct sr_probe_event *own = SR_NEW_ARRAY(arena, struct sr_probe_event, *n * (size_t)e->n_devices + 1);
	for (int k = 0; k < e->n_devices; k++)
		for (uint64_t i = 0; i < *n; i++)
			own[(uint64_t)k * *n + i] = s->devices[k].records[i].at;
	struct sr_probe_event *all = sr_executable_gather(e, arena, own, *n * sizeof *own);
	all = all ? all : SR_NEW_ARRAY(arena, struct sr_probe_event, *n + 1);
	sr_launch_broadcast(l, all, *n * sizeof *all);
	return all;
}

const struct sr_spool_record *sr_spool_at(const struct sr_spool *s, int k, size_t i)
{
	return &s->devices[k].records[i];
}

const struct sr_spool_record *sr_spool_find(const struct sr_spool *s, int k, const struct sr_probe_event *at)
{
	const struct sr_spool_device *d = &s->devices[k];
	for (size_t i = 0; i < d->n; i++)
		if (sr_probe_event_equal(&d->records[i].at, at))
			return &d->records[i];
	return NULL;
}

enum sr_status sr_spool_read(const struct sr_spool *s, int k, const struct sr_spool_record *r, void *to, struct sr_diags *diags)
{
	FILE *file = s->devices[k].file;
	if (fseeko(file, (off_t)r->offset, SEEK_SET))
		return report_failure(diags, "seek");
	if (r->bytes && fread(to, 1, (size_t)r->bytes, file) != (size_t)r->bytes)
		return report_failure(diags, "read");
	return SR_OK;
}

int64_t sr_spool_skipped(const struct sr_spool *s)
{
	return s->e->n_devices ? s->devices[0].n_left_out : 0;
}
