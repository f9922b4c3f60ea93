/* Record NaN and infinities, and evaluate the records of all devices.
 *
 * A probe that finds a NaN or infinity makes a record. The record's time is the number of probe executions so far, which is equal
 * on all devices; the record also has the times when the sources of the value were last inspected. An op introduces a NaN if no
 * device recorded a NaN in any of its sources, and an infinity if no source has a NaN or infinity. The number of records with only
 * infinities is bounded per probe, since a loop may carry a mask of infinities forever. The total number of records is bounded
 * too. */
#include "exec/probes/check_nan.h"
#include "support/buf.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAN_BIT = SR_PROBE_NAN, INF_BIT = SR_PROBE_INF, MAX_SOURCES = 8, MAX_RECORDS = 4096, MAX_INF_RECORDS = 64, MAX_COPY_BYTES = 1 << 20, MAX_CHAIN = 40 };

struct operand { /* an operand of a recorded op, as inspected on this device */
	int64_t inspected_at;    /* time when the operand was last inspected, in probe executions; 0: never */
	/* smallest and largest finite element of the operand; the operand's element at the index of the recorded NaN or infinity,
	 * or NaN if unknown */
	double low, high, value;
};

struct record {
	int64_t inspected_at;
	struct sr_probe_event event;
	/* number of the device; counts of NaNs and of infinities, where replicated elements count only on the first device that
	 * holds them */
	int64_t device, counts[2];
	int64_t index[SR_MAX_RANK]; /* global index of the first NaN or infinity */
	double value;
	/* bits NAN_BIT and INF_BIT: kinds found in the value, and kinds found in its sources on this device */
	int32_t kinds, source_kinds;
	struct operand operands[MAX_SOURCES];
};

struct last_seen { /* state of a probe at its last execution */
	int64_t inspected_at;
	int32_t kinds, inf_records;
	double low, high;
	char *copy; /* malloc'ed copy of the value; NULL: none */
};

struct sr_nan_device {
	int64_t inspected_at;
	struct last_seen *last_seen; /* state of each probe; length: number of probe ids */
	struct record *records; /* records of this device; length: MAX_RECORDS */
	int64_t n_records;
};

void sr_nans_begin(struct sr_nans *n, struct sr_executable *e, bool trace, struct sr_arena *arena)
{
	int64_t ids = sr_executable_is_idle(e) ? 0 : sr_probe_id_count(e->program);
	*n = (struct sr_nans){.e = e, .trace = trace, .devices = SR_NEW_ARRAY(arena, struct sr_nan_device, e->n_devices + 1)};
	for (int k = 0; k < e->n_devices; k++)
		n->devices[k] = (struct sr_nan_device){.last_seen = SR_NEW_ARRAY(arena, struct last_seen, ids + 1),
						       .records = SR_NEW_ARRAY(arena, struct record, MAX_RECORDS)};
}

void sr_nans_end(struct sr_nans *n)
{
	for (int k = 0; n->e && k < n->e->n_devices; k++)
		for (int64_t i = 0; i < sr_probe_id_count(n->e->program); i++)
			free(n->devices[k].last_seen[i].copy);
}

/* ---- inspecting ---- */

struct scan {
	enum sr_dtype type;
	const char *data;
	bool needs_range; /* true if the finite range (low, high) is to be computed */
	int64_t counts[2], first;
	double low, high, value;
};

/* Return the mask of exponent bits of a floating-point type, all of which are set in NaN and infinity; 0 for types whose elements
 * must be decoded. */
static uint64_t exponent_of(enum sr_dtype type)
{
	switch (type) {
	case SR_F16:
		return 0x7c00;
	case SR_BF16:
		return 0x7f80;
	case SR_F32:
		return 0x7f800000;
	case SR_F64:
		return 0x7ff0000000000000;
	default:
		return 0;
	}
}

static void scan_element(struct scan *s, int64_t i)
{
	double re = 0, im = 0;
	int64_t integer;
	sr_element_get(s->type, s->data + i * sr_dtype_bytes(s->type), &integer, &re, &im);
	bool nan = isnan(re) || isnan(im), inf = !nan && (isinf(re) || isinf(im));
	if (!nan && !inf) {
		s->low = fmin(s->low, re);
		s->high = fmax(s->high, re);
		return;
	}
	if (!s->counts[0] && !s->counts[1]) {
		s->first = i;
		s->value = isfinite(re) ? im : re;
	}
	s->counts[nan ? 0 : 1]++;
}

static void scan_row(void *data, int64_t first, int64_t n)
{
	struct scan *s = data;
	uint64_t mask = s->needs_range ? 0 : exponent_of(s->type);
	size_t bytes = (size_t)sr_dtype_bytes(s->type);
	for (int64_t i = first; i < first + n; i++) {
		uint64_t bits = 0;
		if (mask)
			memcpy(&bits, s->data + (size_t)i * bytes, bytes);
		if (!mask || (bits & mask) == mask)
			scan_element(s, i);
	}
}

static int32_t kinds_of(const int64_t counts[2])
{
	return (counts[0] ? NAN_BIT : 0) | (counts[1] ? INF_BIT : 0);
}

/* Return the source's element at the local index of the recorded element; NaN if the source has another shape on this device or its
 * value was not kept. */
static double element_of(const struct sr_program *p, const struct sr_probe *probe, const struct sr_probe *source, const char *copy,
			 int64_t i)
{
	const struct sr_buffer *own_buffer = sr_program_buffers(p) + probe->io.buffer,
			       *source_buffer = sr_program_buffers(p) + source->io.buffer;
	double re = NAN, im;
	int64_t integer;
	if (copy && own_buffer->dtype == source_buffer->dtype && own_buffer->bytes == source_buffer->bytes &&
	    probe->io.rank == source->io.rank)
		sr_element_get((enum sr_dtype)source_buffer->dtype, copy + i * sr_dtype_bytes((enum sr_dtype)source_buffer->dtype),
			       &integer, &re, &im);
	return re;
}

static void record_operands(struct sr_nan_device *d, const struct sr_program *p, const struct sr_probe *probe, int64_t element,
			    struct record *record)
{
	const int64_t *sources = sr_program_ids(p) + probe->sources;
	for (int i = 0; i < probe->n_sources && i < MAX_SOURCES; i++) {
		const struct last_seen *l = &d->last_seen[sources[i]];
		const struct sr_probe *source = sr_probe_find(p, sources[i]);
		record->operands[i] = (struct operand){l->inspected_at, l->low, l->high,
						       source ? element_of(p, probe, source, l->copy, element) : NAN};
	}
}

static void add_record(struct sr_nan_device *d, const struct sr_execution_context *x, const struct sr_probe *probe,
		       const struct scan *s, const struct sr_device_slice *slice)
{
	const struct sr_program *p = x->program;
	const int64_t *sources = sr_program_ids(p) + probe->sources;
	struct record *record = &d->records[d->n_records];
	*record = (struct record){
	    .inspected_at = d->inspected_at, .event = sr_probe_event_now(x, probe), .device = x->device->id, .value = s->value};
	if (sr_program_is_first_holder(p, &probe->io, x->device->id))
		memcpy(record->counts, s->counts, sizeof record->counts);
	record->kinds = kinds_of(s->counts);
	record->source_kinds = probe->flags & (NAN_BIT | INF_BIT);
	for (int i = 0; i < probe->n_sources; i++)
		record->source_kinds |= d->last_seen[sources[i]].kinds;
	sr_probe_global_index(slice, probe->io.rank, s->first, record->index);
	record_operands(d, p, probe, s->first, record);
	d->n_records++;
}

static void keep_copy(struct last_seen *l, const char *data, int64_t bytes)
{
	if (bytes > MAX_COPY_BYTES)
		return;
	l->copy = l->copy ? l->copy : malloc((size_t)bytes + 1);
	if (l->copy)
		memcpy(l->copy, data, (size_t)bytes);
}

enum sr_status sr_nans_inspect(void *data, struct sr_execution_context *x, const struct sr_instr *instr,
			       const struct sr_probe *probe)
{
	struct sr_nans *n = data;
	struct sr_nan_device *d = &n->devices[x->device->k];
	struct last_seen *l = &d->last_seen[probe->id];
	int32_t buffer = sr_program_operands(x->program)[instr->first_operand];
	struct scan s = {.type = (enum sr_dtype)probe->io.dtype, .data = sr_context_buffer(x, buffer), .needs_range = n->trace,
			 .low = HUGE_VAL, .high = -HUGE_VAL};
	struct sr_device_slice slice = sr_program_slice(x->program, &probe->io, x->device->id);
	d->inspected_at++;
	sr_probe_for_each_row(&slice, probe->io.rank, scan_row, &s);
	int32_t kinds = kinds_of(s.counts);
	bool is_recorded = kinds & NAN_BIT || (kinds && l->inf_records++ < MAX_INF_RECORDS);
	if (is_recorded && d->n_records < MAX_RECORDS)
		add_record(d, x, probe, &s, &slice);
	l->inspected_at = d->inspected_at;
	l->kinds = kinds;
	l->low = s.low;
	l->high = s.high;
	if (n->trace)
		keep_copy(l, s.data, sr_program_buffers(x->program)[buffer].bytes);
	return SR_OK;
}

/* ---- evaluating all records, on rank 0 ---- */

struct event { /* the records that all devices made at the same time */
	const struct record *first; /* record of the lowest-numbered device among those with a record */
	int64_t counts[2];
	int32_t kinds, source_kinds;
};

struct events {
	const struct sr_program *p;
	struct event *events; /* events sorted by time; length: n */
	size_t n;
};

static int by_time(const void *x, const void *y)
{
	const struct record *a = x, *b = y;
	if (a->inspected_at != b->inspected_at)
		return (a->inspected_at > b->inspected_at) - (a->inspected_at < b->inspected_at);
	return (a->device > b->device) - (a->device < b->device);
}

static struct events group_by_time(const struct sr_program *p, struct record *records, size_t n, struct sr_arena *arena)
{
	struct events e = {.p = p, .events = SR_NEW_ARRAY(arena, struct event, n + 1)};
	if (n)
		qsort(records, n, sizeof *records, by_time);
	for (size_t i = 0; i < n; i++) {
		bool is_same_time = e.n && e.events[e.n - 1].first->inspected_at == records[i].inspected_at;
		struct event *current_event = &e.events[is_same_time ? e.n - 1 : e.n++];
		if (!is_same_time)
			*current_event = (struct event){.first = &records[i]};
		for (int k = 0; k < 2; k++)
			current_event->counts[k] += records[i].counts[k];
		current_event->kinds |= records[i].kinds;
		current_event->source_kinds |= records[i].source_kinds;
	}
	return e;
}

/* Return the event at `time`; NULL if nothing was found at that time. */
static const struct event *event_of(const struct events *e, int64_t time)
{
	size_t low = 0, high = e->n;
	while (low < high) {
		size_t middle_event = (low + high) / 2;
		if (e->events[middle_event].first->inspected_at < time)
			low = middle_event + 1;
		else
			high = middle_event;
	}
	return low < e->n && e->events[low].first->inspected_at == time ? &e->events[low] : NULL;
}

static const struct sr_probe *probe_of(const struct events *e, const struct event *event)
{
	return sr_probe_find(e->p, event->first->event.id);
}

/* Return the kinds (NAN_BIT, INF_BIT) that the op introduces: those of its result that no source has. 0 if a source has a NaN,
 * or if the op only forwards a value. */
static int32_t introduced_kinds(const struct events *e, const struct event *event)
{
	const struct sr_probe *probe = probe_of(e, event);
	int32_t source_kinds = event->source_kinds;
	if (probe->flags & SR_PROBE_FORWARDS_VALUE)
		return 0;
	for (int i = 0; i < probe->n_sources && i < MAX_SOURCES; i++) {
		const struct event *source = event_of(e, event->first->operands[i].inspected_at);
		source_kinds |= source ? source->kinds : 0;
	}
	int32_t new_kinds = event->kinds & ~source_kinds;
	return source_kinds & NAN_BIT ? 0 : new_kinds;
}

/* Return the event of a source that had a NaN or infinity; NULL if all sources are finite. */
static const struct event *source_of(const struct events *e, const struct event *event)
{
	const struct sr_probe *probe = probe_of(e, event);
	for (int i = 0; i < probe->n_sources && i < MAX_SOURCES; i++) {
		const struct event *source = event_of(e, event->first->operands[i].inspected_at);
		if (source && source < event)
			return source;
	}
	return NULL;
}

static const char *kind_words(int32_t kinds)
{
	return kinds == (NAN_BIT | INF_BIT) ? "NaN and infinities" : kinds & NAN_BIT ? "NaN" : "infinities";
}

static void print_event(const struct events *e, const struct event *event, struct sr_buf *out)
{
	const struct record *n = event->first;
	const struct sr_probe *probe = probe_of(e, event);
	sr_probe_print_iteration(&n->event, out);
	sr_buf_puts(out, ": element ");
	sr_probe_print_index(n->index, probe->io.rank, out);
	sr_buf_printf(out, " of %s is %s on device %lld;", sr_program_string(e->p, probe->io.type),
		      isnan(n->value) ? "NaN"
		      : n->value < 0  ? "-infinity"
				      : "infinity",
		      (long long)n->device);
	if (event->counts[0])
		sr_buf_printf(out, " %" PRId64 " NaN", event->counts[0]);
	if (event->counts[1])
		sr_buf_printf(out, "%s%" PRId64 " infinit%s", event->counts[0] ? " and " : " ", event->counts[1],
			      event->counts[1] == 1 ? "y" : "ies");
	sr_buf_puts(out, " in total");
}

static enum sr_status report_origin(const struct events *e, const struct event *event, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_probe *probe = probe_of(e, event);
	bool is_argument = !probe->n_sources && !strcmp(sr_program_string(e->p, probe->op), "argument");
	struct sr_buf out;
	sr_buf_init(&out, arena);
	sr_probe_print(e->p, probe, &out);
	sr_buf_printf(&out, " %s %s", is_argument ? "has" : "computes", kind_words(event->kinds));
	print_event(e, event, &out);
	return sr_error(diags, SR_DIFFERS, sr_probe_loc(e->p, probe, arena), "--check-nan: %s", sr_buf_string(&out));
}

static void report_operands(const struct events *e, const struct event *event, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_probe *probe = probe_of(e, event);
	for (int i = 0; i < probe->n_sources && i < MAX_SOURCES; i++) {
		const struct sr_probe *source = sr_probe_find(e->p, sr_program_ids(e->p)[probe->sources + (uint64_t)i]);
		const struct operand *o = &event->first->operands[i];
		struct sr_buf out;
		if (!source || !o->inspected_at)
			continue;
		sr_buf_init(&out, arena);
		sr_probe_print(e->p, source, &out);
		if (!isnan(o->value))
			sr_buf_printf(&out, " is %.9g there,", o->value);
		if (o->low <= o->high)
			sr_buf_printf(&out, " from %.9g to %.9g on device %" PRId64, o->low, o->high, event->first->device);
		sr_report(diags, SR_NOTE, sr_probe_loc(e->p, source, arena), "operand: %s", sr_buf_string(&out));
	}
}

/* Print the chain of ops from the op that computed the NaN or infinity to the last result that has it, or to the last value if no
 * result does. */
static void report_trace(const struct events *e, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct event *path[MAX_CHAIN], *at = &e->events[e->n - 1];
	int n = 0, n_omitted = 0;
	for (size_t i = 0; i < e->n; i++)
		if (probe_of(e, &e->events[i])->flags & SR_PROBE_RESULT)
			at = &e->events[i];
	for (; at; at = source_of(e, at)) {
		if (n == MAX_CHAIN)
			n_omitted++, n--, memmove(path + MAX_CHAIN / 2, path + MAX_CHAIN / 2 + 1, (MAX_CHAIN / 2 - 1) * sizeof *path);
		path[n++] = at;
	}
	report_operands(e, path[n - 1], arena, diags);
	for (int i = n - 1; i >= 0; i--) {
		const struct sr_probe *probe = probe_of(e, path[i]);
		struct sr_buf out;
		sr_buf_init(&out, arena);
		sr_buf_puts(&out, i == n - 1 ? "starts at " : "spreads to ");
		sr_probe_print(e->p, probe, &out);
		print_event(e, path[i], &out);
		sr_report(diags, SR_NOTE, sr_probe_loc(e->p, probe, arena), "%s", sr_buf_string(&out));
		if (n_omitted && i == MAX_CHAIN / 2)
			sr_report(diags, SR_NOTE, (struct sr_src_loc){0}, "... %d more", n_omitted);
	}
}

/* Collective: gather all records on rank 0. */
static struct record *gather_records(struct sr_nans *n, struct sr_arena *arena, size_t *total)
{
	struct sr_executable *e = n->e;
	struct sr_launch *l = &e->client->launch;
	int64_t *own_counts = SR_NEW_ARRAY(arena, int64_t, e->n_devices + 1), max_count = 0;
	for (int k = 0; k < e->n_devices; k++)
		own_counts[k] = n->devices[k].n_records;
	const int64_t *counts = sr_executable_gather(e, arena, own_counts, sizeof *own_counts);
	for (int d = 0; counts && d < e->program->n_devices; d++)
		max_count = counts[d] > max_count ? counts[d] : max_count;
	sr_launch_broadcast(l, &max_count, sizeof max_count);
	struct record *own = SR_NEW_ARRAY(arena, struct record, (size_t)max_count * (size_t)e->n_devices + 1);
	for (int k = 0; k < e->n_devices; k++)
		memcpy(own + k * max_count, n->devices[k].records, (size_t)n->devices[k].n_records * sizeof *own);
	struct record *all = sr_executable_gather(e, arena, own, (size_t)max_count * sizeof *own);
	*total = 0;
	for (int d = 0; all && d < e->program->n_devices; d++)
		for (int64_t i = 0; i < counts[d]; i++)
			all[(*total)++] = all[d * max_count + i];
	return all;
}

enum sr_status sr_nans_report(struct sr_nans *n, struct sr_arena *arena, struct sr_diags *diags)
{
	size_t total;
	struct record *records = gather_records(n, arena, &total);
	if (!records || !total)
		return SR_OK;
	struct events e = group_by_time(n->e->program, records, total, arena);
	for (size_t i = 0; i < e.n; i++) {
		if (!introduced_kinds(&e, &e.events[i]))
			continue;
		enum sr_status status = report_origin(&e, &e.events[i], arena, diags);
		if (n->trace)
			report_trace(&e, arena, diags);
		return status;
	}
	return SR_OK;
}
