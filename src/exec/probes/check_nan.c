/* Notes of NaN and infinities, and what follows from all devices' notes.
 *
 * A note is made where a tap finds one; it says when (taps are counted, alike on all devices) and when each value that it was
 * made of was looked at last. An op made a NaN where no device has a note of a NaN for any of those; an infinity where there is
 * neither. Notes without a NaN are bounded for each tap, since a mask of infinities may go around a loop for ever; all of them
 * are bounded. */
#include "exec/probes/check_nan.h"
#include "support/buf.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAN_BIT = SR_PROBE_NAN, INF_BIT = SR_PROBE_INF, SOURCES = 8, NOTES = 4096, PLAIN_NOTES = 64, KEPT_BYTES = 1 << 20, CHAIN = 40 };

struct operand { /* of a note, as this device has it */
	int64_t when;            /* it was looked at last; 0: never */
	double low, high, value; /* of its finite elements; of the element at the same place, NaN where there is none */
};

struct note {
	int64_t when;
	struct sr_probe_event at;
	int64_t device, counts[2]; /* of NaN, of infinities, of the part that the device is the first to have */
	int64_t index[SR_MAX_RANK]; /* of the first, in the global value */
	double value;
	int32_t kinds, from; /* of the value; of its sources on this device: bits */
	struct operand operands[SOURCES];
};

struct last { /* what a tap has seen last */
	int64_t when;
	int32_t kinds, plain_notes;
	double low, high;
	char *copy; /* owned; NULL: none is kept */
};

struct sr_nan_device {
	int64_t when;
	struct last *taps; /* [ids] */
	struct note *notes; /* [NOTES] */
	int64_t n_notes;
};

void sr_nans_begin(struct sr_nans *n, struct sr_executable *e, bool trace, struct sr_arena *arena)
{
	int64_t ids = sr_executable_is_idle(e) ? 0 : sr_probe_id_count(e->program);
	*n = (struct sr_nans){.e = e, .trace = trace, .devices = SR_NEWS(arena, struct sr_nan_device, e->n_devices + 1)};
	for (int k = 0; k < e->n_devices; k++)
		n->devices[k] = (struct sr_nan_device){.taps = SR_NEWS(arena, struct last, ids + 1),
						       .notes = SR_NEWS(arena, struct note, NOTES)};
}

void sr_nans_end(struct sr_nans *n)
{
	for (int k = 0; n->e && k < n->e->n_devices; k++)
		for (int64_t i = 0; i < sr_probe_id_count(n->e->program); i++)
			free(n->devices[k].taps[i].copy);
}

/* ---- looking ---- */

struct scan {
	enum sr_dtype type;
	const char *data;
	bool ranges; /* low and high are wanted */
	int64_t counts[2], first;
	double low, high, value;
};

/* The bits of an exponent that says that a number is none; 0: every element is to be decoded. */
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
	uint64_t mask = s->ranges ? 0 : exponent_of(s->type);
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

/* The element of a source at the same place, where it has the same shape here. */
static double element_of(const struct sr_program *p, const struct sr_probe *t, const struct sr_probe *source, const char *copy,
			 int64_t i)
{
	const struct sr_buffer *mine = sr_program_buffers(p) + t->io.buffer, *its = sr_program_buffers(p) + source->io.buffer;
	double re = NAN, im;
	int64_t integer;
	if (copy && mine->dtype == its->dtype && mine->bytes == its->bytes && t->io.rank == source->io.rank)
		sr_element_get((enum sr_dtype)its->dtype, copy + i * sr_dtype_bytes((enum sr_dtype)its->dtype), &integer, &re, &im);
	return re;
}

static void note_operands(struct sr_nan_device *d, const struct sr_program *p, const struct sr_probe *t, int64_t element,
			  struct note *note)
{
	const int64_t *sources = sr_program_ids(p) + t->sources;
	for (int i = 0; i < t->n_sources && i < SOURCES; i++) {
		const struct last *l = &d->taps[sources[i]];
		const struct sr_probe *source = sr_probe_find(p, sources[i]);
		note->operands[i] = (struct operand){l->when, l->low, l->high, source ? element_of(p, t, source, l->copy,
												   element) : NAN};
	}
}

static void take_note(struct sr_nan_device *d, const struct sr_device *device, const struct sr_probe *t, const struct scan *s,
		      const struct sr_device_slice *slice)
{
	const struct sr_program *p = device->program;
	const int64_t *sources = sr_program_ids(p) + t->sources;
	struct note *note = &d->notes[d->n_notes];
	*note = (struct note){.when = d->when, .at = sr_probe_event_now(device, t), .device = device->id, .value = s->value};
	if (sr_program_is_first_holder(p, &t->io, device->id))
		memcpy(note->counts, s->counts, sizeof note->counts);
	note->kinds = kinds_of(s->counts);
	note->from = t->flags & (NAN_BIT | INF_BIT);
	for (int i = 0; i < t->n_sources; i++)
		note->from |= d->taps[sources[i]].kinds;
	sr_probe_global_index(slice, t->io.rank, s->first, note->index);
	note_operands(d, p, t, s->first, note);
	d->n_notes++;
}

static void keep_copy(struct last *l, const char *data, int64_t bytes)
{
	if (bytes > KEPT_BYTES)
		return;
	l->copy = l->copy ? l->copy : malloc((size_t)bytes + 1);
	if (l->copy)
		memcpy(l->copy, data, (size_t)bytes);
}

enum sr_status sr_nans_inspect(void *data, struct sr_device *device, const struct sr_instr *step, const struct sr_probe *t)
{
	struct sr_nans *n = data;
	struct sr_nan_device *d = &n->devices[device - n->e->devices];
	struct last *l = &d->taps[t->id];
	int32_t buffer = sr_program_operands(device->program)[step->first_operand];
	struct scan s = {.type = (enum sr_dtype)t->io.dtype, .data = sr_device_buffer(device, buffer), .ranges = n->trace,
			 .low = HUGE_VAL, .high = -HUGE_VAL};
	struct sr_device_slice slice = sr_program_slice(device->program, &t->io, device->id);
	d->when++;
	sr_probe_for_each_row(&slice, t->io.rank, scan_row, &s);
	int32_t kinds = kinds_of(s.counts);
	bool wanted = kinds & NAN_BIT || (kinds && l->plain_notes++ < PLAIN_NOTES);
	if (wanted && d->n_notes < NOTES)
		take_note(d, device, t, &s, &slice);
	l->when = d->when;
	l->kinds = kinds;
	l->low = s.low;
	l->high = s.high;
	if (n->trace)
		keep_copy(l, s.data, sr_program_buffers(device->program)[buffer].bytes);
	return SR_OK;
}

/* ---- what all notes mean, on rank 0 ---- */

struct event { /* the notes of all devices of one moment */
	const struct note *first; /* of the least device */
	int64_t counts[2];
	int32_t kinds, from;
};

struct events {
	const struct sr_program *p;
	struct event *at; /* [n], in order of time */
	size_t n;
};

static int by_time(const void *x, const void *y)
{
	const struct note *a = x, *b = y;
	if (a->when != b->when)
		return (a->when > b->when) - (a->when < b->when);
	return (a->device > b->device) - (a->device < b->device);
}

static struct events join(const struct sr_program *p, struct note *notes, size_t n, struct sr_arena *arena)
{
	struct events e = {.p = p, .at = SR_NEWS(arena, struct event, n + 1)};
	if (n)
		qsort(notes, n, sizeof *notes, by_time);
	for (size_t i = 0; i < n; i++) {
		bool same = e.n && e.at[e.n - 1].first->when == notes[i].when;
		struct event *at = &e.at[same ? e.n - 1 : e.n++];
		if (!same)
			*at = (struct event){.first = &notes[i]};
		for (int k = 0; k < 2; k++)
			at->counts[k] += notes[i].counts[k];
		at->kinds |= notes[i].kinds;
		at->from |= notes[i].from;
	}
	return e;
}

/* The event of one moment; NULL: nothing was found then. */
static const struct event *event_of(const struct events *e, int64_t when)
{
	size_t low = 0, high = e->n;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (e->at[middle].first->when < when)
			low = middle + 1;
		else
			high = middle;
	}
	return low < e->n && e->at[low].first->when == when ? &e->at[low] : NULL;
}

static const struct sr_probe *tap_of(const struct events *e, const struct event *event)
{
	return sr_probe_find(e->p, event->first->at.id);
}

/* What the op made itself: bits. */
static int32_t made(const struct events *e, const struct event *event)
{
	const struct sr_probe *t = tap_of(e, event);
	int32_t from = event->from;
	if (t->flags & SR_PROBE_FORWARDS)
		return 0;
	for (int i = 0; i < t->n_sources && i < SOURCES; i++) {
		const struct event *source = event_of(e, event->first->operands[i].when);
		from |= source ? source->kinds : 0;
	}
	int32_t own = event->kinds & ~from;
	return from & NAN_BIT ? 0 : own;
}

/* A source that has one already; NULL: all are clean. */
static const struct event *source_of(const struct events *e, const struct event *event)
{
	const struct sr_probe *t = tap_of(e, event);
	for (int i = 0; i < t->n_sources && i < SOURCES; i++) {
		const struct event *source = event_of(e, event->first->operands[i].when);
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
	const struct note *n = event->first;
	const struct sr_probe *t = tap_of(e, event);
	sr_probe_print_iteration(&n->at, out);
	sr_buf_puts(out, ": element ");
	sr_probe_print_index(n->index, t->io.rank, out);
	sr_buf_printf(out, " of %s is %s on device %lld;", sr_program_string(e->p, t->io.type),
		      isnan(n->value) ? "NaN" : n->value < 0 ? "-infinity" : "infinity", (long long)n->device);
	if (event->counts[0])
		sr_buf_printf(out, " %" PRId64 " NaN", event->counts[0]);
	if (event->counts[1])
		sr_buf_printf(out, "%s%" PRId64 " infinit%s", event->counts[0] ? " and " : " ", event->counts[1],
			      event->counts[1] == 1 ? "y" : "ies");
	sr_buf_puts(out, " in all");
}

static enum sr_status say_made(const struct events *e, const struct event *event, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_probe *t = tap_of(e, event);
	bool given = !t->n_sources && !strcmp(sr_program_string(e->p, t->op), "argument");
	struct sr_buf out;
	sr_buf_init(&out, arena);
	sr_probe_print(e->p, t, &out);
	sr_buf_printf(&out, " %s %s", given ? "has" : "makes", kind_words(event->kinds));
	print_event(e, event, &out);
	return sr_error(diags, SR_DIFFERS, sr_probe_loc(e->p, t, arena), "--check-nan: %s", sr_buf_string(&out));
}

static void say_operands(const struct events *e, const struct event *event, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_probe *t = tap_of(e, event);
	for (int i = 0; i < t->n_sources && i < SOURCES; i++) {
		const struct sr_probe *source = sr_probe_find(e->p, sr_program_ids(e->p)[t->sources + (uint64_t)i]);
		const struct operand *o = &event->first->operands[i];
		struct sr_buf out;
		if (!source || !o->when)
			continue;
		sr_buf_init(&out, arena);
		sr_probe_print(e->p, source, &out);
		if (!isnan(o->value))
			sr_buf_printf(&out, " is %.9g there,", o->value);
		if (o->low <= o->high)
			sr_buf_printf(&out, " from %.9g to %.9g on device %" PRId64, o->low, o->high, event->first->device);
		sr_report(diags, SR_NOTE, sr_probe_loc(e->p, source, arena), "made of: %s", sr_buf_string(&out));
	}
}

/* From the last result that has one, or the last value, back to where it was made; told from there on. */
static void say_trace(const struct events *e, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct event *way[CHAIN], *at = &e->at[e->n - 1];
	int n = 0, left = 0;
	for (size_t i = 0; i < e->n; i++)
		if (tap_of(e, &e->at[i])->flags & SR_PROBE_RESULT)
			at = &e->at[i];
	for (; at; at = source_of(e, at)) {
		if (n == CHAIN)
			left++, n--, memmove(way + CHAIN / 2, way + CHAIN / 2 + 1, (CHAIN / 2 - 1) * sizeof *way);
		way[n++] = at;
	}
	say_operands(e, way[n - 1], arena, diags);
	for (int i = n - 1; i >= 0; i--) {
		const struct sr_probe *t = tap_of(e, way[i]);
		struct sr_buf out;
		sr_buf_init(&out, arena);
		sr_buf_puts(&out, i == n - 1 ? "begins at " : "goes on in ");
		sr_probe_print(e->p, t, &out);
		print_event(e, way[i], &out);
		sr_report(diags, SR_NOTE, sr_probe_loc(e->p, t, arena), "%s", sr_buf_string(&out));
		if (left && i == CHAIN / 2)
			sr_report(diags, SR_NOTE, (struct sr_src_loc){0}, "... %d more", left);
	}
}

/* Collective: all notes, on rank 0. */
static struct note *gather(struct sr_nans *n, struct sr_arena *arena, size_t *total)
{
	struct sr_executable *e = n->e;
	struct sr_launch *l = &e->client->launch;
	int64_t *mine = SR_NEWS(arena, int64_t, e->n_devices + 1), most = 0;
	for (int k = 0; k < e->n_devices; k++)
		mine[k] = n->devices[k].n_notes;
	const int64_t *counts = sr_executable_gather(e, arena, mine, sizeof *mine);
	for (int d = 0; counts && d < e->program->n_devices; d++)
		most = counts[d] > most ? counts[d] : most;
	sr_launch_broadcast(l, &most, sizeof most);
	struct note *own = SR_NEWS(arena, struct note, (size_t)most * (size_t)e->n_devices + 1);
	for (int k = 0; k < e->n_devices; k++)
		memcpy(own + k * most, n->devices[k].notes, (size_t)n->devices[k].n_notes * sizeof *own);
	struct note *all = sr_executable_gather(e, arena, own, (size_t)most * sizeof *own);
	*total = 0;
	for (int d = 0; all && d < e->program->n_devices; d++)
		for (int64_t i = 0; i < counts[d]; i++)
			all[(*total)++] = all[d * most + i];
	return all;
}

enum sr_status sr_nans_report(struct sr_nans *n, struct sr_arena *arena, struct sr_diags *diags)
{
	size_t total;
	struct note *notes = gather(n, arena, &total);
	if (!notes || !total)
		return SR_OK;
	struct events e = join(n->e->program, notes, total, arena);
	for (size_t i = 0; i < e.n; i++) {
		if (!made(&e, &e.at[i]))
			continue;
		enum sr_status status = say_made(&e, &e.at[i], arena, diags);
		if (n->trace)
			say_trace(&e, arena, diags);
		return status;
	}
	return SR_OK;
}
