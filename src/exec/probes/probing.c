/* Calls of the implementations of --check-nan and --dump-values, by option. */
#include "exec/probes/probing.h"
#include "exec/probes/dump_values.h"
#include <string.h>

static bool needs_trace(const struct sr_run_options *o)
{
	return o->check_nan && !strcmp(o->check_nan, "trace");
}

enum sr_status sr_probing_check_options(const struct sr_run_options *o, struct sr_diags *diags)
{
	const char *const requested[] = {o->check_nan ? "--check-nan" : NULL, o->dump_values ? "--dump-values" : NULL,
				     o->verify ? "--verify" : NULL};
	const char *requested_option = NULL;
	struct sr_src_loc no_place = {0};
	for (size_t i = 0; i < sizeof requested / sizeof *requested; i++) {
		if (requested_option && requested[i])
			return sr_error(diags, SR_USAGE, no_place, "%s and %s cannot be combined", requested_option,
					requested[i]);
		requested_option = requested[i] ? requested[i] : requested_option;
	}
	if (o->check_nan && *o->check_nan && !needs_trace(o))
		return sr_error(diags, SR_USAGE, no_place, "--check-nan=%s: expected no value, or trace", o->check_nan);
	if (o->verify && (o->device_ranks || (o->placement && strcmp(o->placement, "order") != 0)))
		return sr_error(diags, SR_USAGE, no_place,
				"--verify compares on rank 0 and needs device d on rank d: it cannot be combined with another placement");
	if (o->dump_iterations < 1)
		return sr_error(diags, SR_USAGE, no_place, "--dump-iterations must be at least 1");
	if (requested_option && (o->repeats > 1 || o->warmup))
		return sr_error(diags, SR_USAGE, no_place,
				"%s inspects one step: it cannot be combined with --num-repeats or --warmup", requested_option);
	if (requested_option && (o->interpret || !o->run || o->program))
		return sr_error(diags, SR_USAGE, no_place, "%s inspects a run: it cannot be combined with %s", requested_option,
				o->interpret ? "--interpret" : o->program ? "--program" : "--run=false");
	return SR_OK;
}

bool sr_probing_is_requested(const struct sr_run_options *o, struct sr_probe_options *out)
{
	*out = (struct sr_probe_options){.match = o->dump_values, .floats_only = o->check_nan != NULL};
	return o->check_nan || o->dump_values;
}

enum sr_status sr_probing_begin(struct sr_probing *probing, const struct sr_run_options *o, struct sr_checks *checks,
				struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags)
{
	enum sr_status status = SR_OK;
	*probing = (struct sr_probing){.o = o};
	if (o->check_nan) {
		sr_nans_begin(&probing->nans, e, needs_trace(o), arena);
		checks->probe = sr_nans_inspect;
		checks->probe_data = &probing->nans;
	} else if (o->dump_values) {
		status = sr_spool_begin(&probing->spool, e, o->dump_iterations, arena, diags);
		checks->probe = sr_spool_inspect;
		checks->probe_data = &probing->spool;
	}
	return status;
}

enum sr_status sr_probing_report(struct sr_probing *probing, struct sr_executable *e, struct sr_arena *arena,
				 struct sr_diags *diags)
{
	if (probing->o->check_nan)
		return sr_launch_agree(&e->client->launch, sr_nans_report(&probing->nans, arena, diags), diags);
	return probing->o->dump_values ? sr_dump_write(&probing->spool, probing->o->dump_dir, arena, diags) : SR_OK;
}

void sr_probing_end(struct sr_probing *probing)
{
	sr_nans_end(&probing->nans);
	sr_spool_end(&probing->spool);
}
