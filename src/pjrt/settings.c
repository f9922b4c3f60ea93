/* The table of shardrun's compiler options. */
#include "pjrt/settings.h"
#include "support/knobs/knobs.h"
#include <string.h>

#define CODEGEN_DEFAULT "background"
#define FLAG(name, field, type, value, initial, variable, section, help) \
	{name, 0, SR_KNOB_##type, offsetof(struct sr_pjrt_settings, field), value, initial, variable, section, help},
static const struct sr_knob knob_rows[] = {
	FLAG("verbose", verbose, BOOL, NULL, NULL, "SHARDRUN_VERBOSE", "Debugging", "Print a summary of each compilation on standard error.")
#include "driver/compile_flags.def"
};
#undef FLAG

static const struct sr_knobs knobs = {.tool = "libshardrun_pjrt", .rows = knob_rows, .n = sizeof knob_rows / sizeof *knob_rows};
static const char prefix[] = "shardrun_";

static enum sr_status set_shardrun_option(const struct sr_pjrt_option *o, struct sr_arena *arena, struct sr_diags *diags, struct sr_pjrt_settings *out)
{
	const char *nearest_name;
	const struct sr_knob *knob = sr_knobs_find(&knobs, o->name + sizeof prefix - 1, &nearest_name);
	if (knob)
		return sr_knobs_set(knob, out, o->name, o->value, arena, diags);
	char *suggestion = nearest_name ? sr_strdup(arena, nearest_name) : NULL;
	for (char *c = suggestion; c && *c; c++)
		*c = *c == '-' ? '_' : *c;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "No such compile option: '%s'%s%s%s", o->name,
			suggestion ? "; did you mean '" : "", suggestion ? sr_printf(arena, "%s%s", prefix, suggestion) : "",
			suggestion ? "'?" : "");
}

static enum sr_status set_xla_option(const struct sr_pjrt_option *o, struct sr_arena *arena, struct sr_diags *diags, struct sr_pjrt_settings *out)
{
	const char *nearest_name;
	const struct sr_knob *knob = strncmp(o->name, "xla_", 4) ? NULL : sr_knobs_find(&knobs, o->name, &nearest_name);
	return knob ? sr_knobs_set(knob, out, o->name, o->value, arena, diags) : sr_pjrt_check_xla_option(o, diags);
}

enum sr_status sr_pjrt_read_settings(const struct sr_pjrt_options *options, struct sr_arena *arena, struct sr_diags *diags,
				     struct sr_pjrt_settings *out)
{
	*out = (struct sr_pjrt_settings){0};
	enum sr_status status = sr_knobs_begin(&knobs, out, arena, diags);
	for (size_t i = 0; i < options->options.n && !status; i++) {
		const struct sr_pjrt_option *o = &options->options.data[i];
		bool is_shardrun = !strncmp(o->name, prefix, sizeof prefix - 1);
		status = is_shardrun ? set_shardrun_option(o, arena, diags, out) : set_xla_option(o, arena, diags, out);
	}
	return status;
}

void sr_pjrt_put_settings(const struct sr_pjrt_settings *settings, struct sr_buf *out)
{
	sr_knobs_serialize(&knobs, settings, out);
}

struct sr_codegen_options sr_pjrt_codegen_copy(const struct sr_codegen_options *source, struct sr_arena *arena)
{
	struct sr_codegen_options copy = *source;
	copy.compiler = source->compiler ? sr_strdup(arena, source->compiler) : NULL;
	copy.emit = source->emit ? sr_strdup(arena, source->emit) : NULL;
	return copy;
}
