/* Checks that --loop's options are consistent with each other and with the other options. */
#include "exec/set_flags.h"
#include "exec/loop/loop_state.h"

static enum sr_status check_incompatible(const struct sr_run_options *o, struct sr_diags *diags)
{
	const struct sr_flag_state excluded_flags[] = {{"--interpret", o->interpret},
					  {"--num-repeats", o->repeats > 1},
					  {"--warmup", o->warmup > 0},
					  {"--profile", o->profile != NULL},
					  {"--verify", o->verify}};
	const char *excluded_flag = sr_first_set_flag(excluded_flags, sizeof excluded_flags / sizeof *excluded_flags);
	return excluded_flag ? sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "--loop and %s exclude each other", excluded_flag)
			     : SR_OK;
}

static enum sr_status check_without_loop(const struct sr_loop_options *o, struct sr_diags *diags)
{
	const struct sr_flag_state dependent_flags[] = {{"--carry", o->carry != NULL},
					 {"--until", o->until != NULL},
					 {"--metrics", o->metrics != NULL},
					 {"--output-every", o->output_every != 0},
					 {"--checkpoint", o->checkpoint != NULL},
					 {"--checkpoint-every", o->checkpoint_every != 0},
					 {"--resume", o->resume != NULL}};
	const char *dependent_flag = sr_first_set_flag(dependent_flags, sizeof dependent_flags / sizeof *dependent_flags);
	return dependent_flag ? sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "%s requires --loop", dependent_flag)
		    : SR_OK;
}

static enum sr_status check_checkpoints(const struct sr_loop_options *o, struct sr_diags *diags)
{
	struct sr_src_loc no_place = {0};
	if (o->checkpoint_every < 0)
		return sr_error(diags, SR_USAGE, no_place, "--checkpoint-every=%lld: expected a number of steps",
				(long long)o->checkpoint_every);
	if (o->checkpoint_keep < 1)
		return sr_error(diags, SR_USAGE, no_place, "--checkpoint-keep=%lld: expected a number from 1 on",
				(long long)o->checkpoint_keep);
	if (o->checkpoint_every && !o->checkpoint)
		return sr_error(diags, SR_USAGE, no_place, "--checkpoint-every requires --checkpoint=DIR");
	if (o->resume && !*o->resume && !o->checkpoint)
		return sr_error(diags, SR_USAGE, no_place,
				"--resume requires a folder: --resume=DIR or --checkpoint=DIR");
	return SR_OK;
}

enum sr_status sr_loop_check_options(const struct sr_run_options *o, struct sr_diags *diags)
{
	if (!o->loop.steps)
		return check_without_loop(&o->loop, diags);
	enum sr_status status = check_incompatible(o, diags);
	return status ? status : check_checkpoints(&o->loop, diags);
}
