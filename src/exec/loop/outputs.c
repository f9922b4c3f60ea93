/* Names of output files that contain a step number. */
#include "exec/loop/outputs.h"
#include <string.h>

static bool has_pattern(const char *text)
{
	return *text == '@' && strchr(text, '*');
}

/* Return the text of the first --output with a * in its file name, or NULL. */
static const char *find_pattern(const struct sr_run_options *o)
{
	for (size_t i = 0; i < o->outputs.n; i++)
		if (has_pattern(o->outputs.data[i]))
			return o->outputs.data[i];
	return o->output_bundle && strchr(o->output_bundle, '*') ? o->output_bundle : NULL;
}

enum sr_status sr_loop_check_outputs(const struct sr_run_options *o, struct sr_diags *diags)
{
	const char *pattern = find_pattern(o);
	if (o->loop.output_every < 0)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "--output-every=%lld: expected a number of steps",
				(long long)o->loop.output_every);
	if (o->loop.output_every && !pattern)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
				"--output-every requires --output=@FILE_*.npy or --outputs=FILE_*.npz, with the step's number "
				"for the *, and no output has one");
	if (!o->loop.output_every && pattern)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
				"%s: an output for each step requires --output-every=STEPS", pattern);
	return SR_OK;
}

/* Replace the * in a file name by the step number with eight digits, so that names sort like numbers. */
static const char *expand_pattern(const char *text, int64_t step, struct sr_arena *arena)
{
	const char *pattern = strchr(text, '*');
	return sr_printf(arena, "%.*s%08lld%s", (int)(pattern - text), text, (long long)step, pattern + 1);
}

struct sr_run_options sr_loop_outputs(const struct sr_run_options *o, int64_t step, bool is_last, struct sr_arena *arena)
{
	struct sr_run_options now = *o;
	const char **outputs = SR_NEW_ARRAY(arena, const char *, o->outputs.n);
	for (size_t i = 0; i < o->outputs.n; i++) {
		const char *text = o->outputs.data[i];
		outputs[i] = has_pattern(text) ? expand_pattern(text, step, arena) : is_last ? text : "";
	}
	now.outputs.data = outputs;
	now.outputs.cap = now.outputs.n;
	if (o->output_bundle && strchr(o->output_bundle, '*'))
		now.output_bundle = expand_pattern(o->output_bundle, step, arena);
	else if (!is_last)
		now.output_bundle = NULL;
	if (!is_last)
		now.expected.n = 0;
	return now;
}
