/* The profiler extension: jax.profiler.trace records the instructions that devices execute. The recording is returned as XLA's
 * XSpace, a tree of planes (devices), lines (rows of the display) and events, whose names are in tables of their plane. */
#include "pjrt/pjrt.h"
#include "support/integers.h"
#include "support/proto.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct sr_recorder sr_pjrt_recorder = SR_RECORDER_INITIAL;

struct PLUGIN_Profiler {
	bool is_enabled;        /* true if the options ask for a trace of devices */
	struct sr_arena *arena; /* arena of `bytes`; NULL: nothing has been collected */
	struct sr_buf bytes;
};

/* ---- XSpace ---- */

enum { SPACE_PLANES = 1 };
enum { PLANE_ID = 1, PLANE_NAME = 2, PLANE_LINES = 3, PLANE_EVENT_METADATA = 4, PLANE_STAT_METADATA = 5 };
enum { LINE_ID = 1, LINE_NAME = 2, LINE_TIMESTAMP_NS = 3, LINE_EVENTS = 4 };
enum { EVENT_METADATA_ID = 1, EVENT_OFFSET_PS = 2, EVENT_DURATION_PS = 3, EVENT_STATS = 4 };
enum { MAP_KEY = 1, MAP_VALUE = 2 };
enum { METADATA_ID = 1, METADATA_NAME = 2 }; /* field numbers in the metadata of events and of stats */
/* STAT_REFERENCE: id of a row in the plane's metadata of stats; the row's name is the value of the stat */
enum { STAT_METADATA_ID = 1, STAT_REFERENCE = 7 };
enum { STAT_PROGRAM = 1, STAT_SOURCE = 2, N_STATS = STAT_SOURCE };
static const char *const stat_names[] = {[STAT_PROGRAM] = "hlo_module", [STAT_SOURCE] = "source"};

static void put_string(struct sr_buf *out, uint32_t field, const char *text)
{
	sr_proto_put_bytes(out, field, text, strlen(text));
}

static void put_message(struct sr_buf *out, uint32_t field, const struct sr_buf *message)
{
	sr_proto_put_bytes(out, field, message->data, message->n);
}

struct plane {
	struct sr_buf out;
	struct sr_strings texts;
	struct sr_map names;  /* maps program, op and source of an event, separated by NUL, to its struct name */
	struct sr_map values; /* maps the text of a stat to its id */
};

struct event_name {
	int64_t id;
	struct sr_buf stats; /* stats of every event with this name, as serialized fields */
};

/* Add a row to one of the plane's tables of metadata. */
static void put_metadata(struct plane *p, uint32_t table, int64_t id, const char *name)
{
	struct sr_buf entry, row;
	sr_buf_init(&entry, p->out.arena);
	sr_buf_init(&row, p->out.arena);
	sr_proto_put_int(&row, METADATA_ID, id);
	put_string(&row, METADATA_NAME, name);
	sr_proto_put_int(&entry, MAP_KEY, id);
	put_message(&entry, MAP_VALUE, &row);
	put_message(&p->out, table, &entry);
}

/* Append a stat to the stats of an event name, unless its text is empty. */
static void put_stat(struct plane *p, struct event_name *name, int64_t stat, const char *text)
{
	struct sr_buf message;
	if (!*text)
		return;
	void **value = sr_map_at(&p->values, sr_strings_intern(&p->texts, text, strlen(text)));
	if (!*value) {
		*value = (void *)(intptr_t)(N_STATS + p->values.n);
		put_metadata(p, PLANE_STAT_METADATA, (int64_t)(intptr_t)*value, text);
	}
	sr_buf_init(&message, p->out.arena);
	sr_proto_put_int(&message, STAT_METADATA_ID, stat);
	sr_proto_put_int(&message, STAT_REFERENCE, (int64_t)(intptr_t)*value);
	put_message(&name->stats, EVENT_STATS, &message);
}

/* Return the plane's name of an event. Add the name to the plane if it is new. */
static const struct event_name *find_or_add_name(struct plane *p, const struct sr_recorded_event *e)
{
	const char *op = e->op ? e->op : "";
	struct sr_buf key;
	sr_buf_init(&key, p->out.arena);
	sr_buf_put(&key, e->program, strlen(e->program) + 1);
	sr_buf_put(&key, op, strlen(op) + 1);
	sr_buf_put(&key, e->place, strlen(e->place));
	void **at = sr_map_at(&p->names, sr_strings_intern(&p->texts, key.data, key.n));
	if (*at)
		return *at;
	struct event_name *name = *at = SR_NEW(p->out.arena, struct event_name);
	name->id = (int64_t)p->names.n;
	sr_buf_init(&name->stats, p->out.arena);
	put_metadata(p, PLANE_EVENT_METADATA, name->id, e->op ? e->op : e->program);
	put_stat(p, name, STAT_PROGRAM, e->program);
	put_stat(p, name, STAT_SOURCE, e->place);
	return name;
}

/* Append a line with the events of a device: its programs, or its instructions. The recorder's time `origin_s`, in seconds, is the
 * time `origin_ns` of the system's clock; times in the line count from there. */
static void put_line(struct plane *p, const struct sr_recorder *r, int64_t device, bool is_programs, double origin_s,
		     int64_t origin_ns)
{
	enum { PS = 1000 };
	struct sr_buf line, event;
	sr_buf_init(&line, p->out.arena);
	sr_proto_put_int(&line, LINE_ID, is_programs ? 1 : 2);
	put_string(&line, LINE_NAME, is_programs ? "XLA Modules" : "XLA Ops");
	sr_proto_put_int(&line, LINE_TIMESTAMP_NS, origin_ns);
	for (size_t i = 0; i < r->events.n; i++) {
		const struct sr_recorded_event *e = &r->events.data[i];
		if (e->device != device || !e->op != is_programs)
			continue;
		const struct event_name *name = find_or_add_name(p, e);
		sr_buf_init(&event, p->out.arena);
		sr_proto_put_int(&event, EVENT_METADATA_ID, name->id);
		sr_proto_put_int(&event, EVENT_OFFSET_PS, (int64_t)(1e9 * (e->begin - origin_s)) * PS);
		sr_proto_put_int(&event, EVENT_DURATION_PS, (int64_t)(1e9 * (e->end - e->begin)) * PS);
		sr_buf_put(&event, name->stats.data, name->stats.n);
		put_message(&line, LINE_EVENTS, &event);
	}
	put_message(&p->out, PLANE_LINES, &line);
}

static void put_plane(struct sr_buf *out, const struct sr_recorder *r, int64_t device, double origin_s, int64_t origin_ns)
{
	struct plane p;
	sr_buf_init(&p.out, out->arena);
	sr_strings_init(&p.texts, out->arena);
	sr_map_init(&p.names, out->arena);
	sr_map_init(&p.values, out->arena);
	sr_proto_put_int(&p.out, PLANE_ID, device);
	put_string(&p.out, PLANE_NAME, sr_printf(out->arena, "/device:CUSTOM:shardrun device %lld", (long long)device));
	for (int64_t i = 1; i <= N_STATS; i++)
		put_metadata(&p, PLANE_STAT_METADATA, i, stat_names[i]);
	put_line(&p, r, device, true, origin_s, origin_ns);
	put_line(&p, r, device, false, origin_s, origin_ns);
	put_message(out, SPACE_PLANES, &p.out);
}

static double clock_seconds(clockid_t id)
{
	struct timespec t;
	clock_gettime(id, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static enum sr_status put_space(void *data)
{
	PLUGIN_Profiler *profiler = data;
	const struct sr_recorder *r = &sr_pjrt_recorder;
	size_t n = r->events.n;
	int64_t *devices = SR_NEW_ARRAY(profiler->arena, int64_t, n);
	sr_buf_init(&profiler->bytes, profiler->arena);
	if (!n)
		return SR_OK;
	double origin_s = r->events.data[0].begin;
	for (size_t i = 0; i < n; i++) {
		devices[i] = r->events.data[i].device;
		origin_s = r->events.data[i].begin < origin_s ? r->events.data[i].begin : origin_s;
	}
	qsort(devices, n, sizeof *devices, sr_compare_integers);
	int64_t origin_ns = (int64_t)(1e9 * (clock_seconds(CLOCK_REALTIME) - clock_seconds(CLOCK_MONOTONIC) + origin_s));
	for (size_t i = 0; i < n; i++)
		if (!i || devices[i] != devices[i - 1])
			put_plane(&profiler->bytes, r, devices[i], origin_s, origin_ns);
	return SR_OK;
}

/* ---- the interface ---- */

/* Return false if the options, a serialized ProfileOptions, exclude devices from the trace. */
static bool traces_devices(const char *options, size_t n)
{
	enum { DEVICE_TRACER_LEVEL = 3 };
	struct sr_proto m = sr_proto_of(options, n);
	struct sr_proto_field f;
	int64_t level = 0;
	while (sr_proto_next(&m, &f))
		level = f.number == DEVICE_TRACER_LEVEL ? sr_proto_int(&f) : level;
	return !n || level > 0;
}

static PJRT_Error *create_profiler(struct PLUGIN_Profiler_Create_Args *args)
{
	args->profiler = calloc(1, sizeof *args->profiler);
	if (!args->profiler)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	args->profiler->is_enabled = traces_devices(args->options, args->options_size);
	return NULL;
}

static PJRT_Error *destroy_profiler(struct PLUGIN_Profiler_Args *args)
{
	if (args->profiler) {
		sr_arena_free(args->profiler->arena);
		free(args->profiler);
	}
	return NULL;
}

static PJRT_Error *start_profiler(struct PLUGIN_Profiler_Args *args)
{
	if (args->profiler->is_enabled && !sr_recorder_start(&sr_pjrt_recorder))
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	return NULL;
}

static PJRT_Error *stop_profiler(struct PLUGIN_Profiler_Args *args)
{
	if (args->profiler->is_enabled)
		sr_recorder_stop(&sr_pjrt_recorder);
	return NULL;
}

/* Return the recorded bytes, which belong to the profiler. */
static PJRT_Error *collect_data(struct PLUGIN_Profiler_CollectData_Args *args)
{
	PLUGIN_Profiler *p = args->profiler;
	if (!p->arena) {
		p->arena = sr_arena_new();
		pthread_mutex_lock(&sr_pjrt_recorder.lock);
		enum sr_status status = p->arena ? sr_arena_guarded(p->arena, put_space, p) : SR_NO_MEMORY;
		pthread_mutex_unlock(&sr_pjrt_recorder.lock);
		if (status)
			return sr_pjrt_message_error(status, "");
		sr_recorder_clear(&sr_pjrt_recorder);
	}
	args->buffer = (uint8_t *)p->bytes.data;
	args->buffer_size_in_bytes = p->bytes.n;
	return NULL;
}

static void error_destroy(struct PLUGIN_Profiler_Error_Destroy_Args *args)
{
	sr_pjrt_Error_Destroy(&(struct PJRT_Error_Destroy_Args){.error = args->error});
}

static void error_message(struct PLUGIN_Profiler_Error_Message_Args *args)
{
	struct PJRT_Error_Message_Args message = {.error = args->error};
	sr_pjrt_Error_Message(&message);
	args->message = message.message;
	args->message_size = message.message_size;
}

static PJRT_Error *error_code(struct PLUGIN_Profiler_Error_GetCode_Args *args)
{
	struct PJRT_Error_GetCode_Args code = {.error = args->error};
	(void)sr_pjrt_Error_GetCode(&code);
	args->code = (int)code.code;
	return NULL;
}

static const struct PLUGIN_Profiler_Api api = {
    .struct_size = sizeof api,
    .error_destroy = error_destroy,
    .error_message = error_message,
    .error_get_code = error_code,
    .create = create_profiler,
    .destroy = destroy_profiler,
    .start = start_profiler,
    .stop = stop_profiler,
    .collect_data = collect_data,
};

struct PJRT_Profiler_Extension sr_pjrt_profiler = {
    .base = {.struct_size = sizeof sr_pjrt_profiler, .type = PJRT_EXTENSION_PROFILER},
    .profiler_api = &api,
    .traceme_context_id = -1,
};
