/* Parsing of the options of a client: --kernels, --threads, --devices-per-rank, --device-ranks. */
#include "exec/client_options.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static enum sr_status read_kernels(const char *text, uint64_t *features, struct sr_arena *arena, struct sr_diags *diags)
{
	*features = UINT64_MAX;
	if (!text || !strcmp(text, "auto"))
		return SR_OK;
	enum sr_isa isa = sr_isa_find(text, strlen(text));
	if (isa == SR_ISA_COUNT)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "--kernels=%s: auto, %s is expected", text,
				sr_isa_list(arena));
	*features = sr_isa_features(isa);
	return SR_OK;
}

enum sr_isa sr_client_options_isa(const struct sr_run_options *o)
{
	enum sr_isa limit = o->kernels ? sr_isa_find(o->kernels, strlen(o->kernels)) : SR_ISA_COUNT;
	return sr_isa_select(limit < SR_ISA_COUNT ? sr_cpu_features() & sr_isa_features(limit) : sr_cpu_features());
}

/* Parse a list of ranks such as "3,1,2,0" into out->device_ranks. */
static enum sr_status read_ranks(const char *text, struct sr_client_options *out, struct sr_arena *arena, struct sr_diags *diags)
{
	int *ranks = SR_NEW_ARRAY(arena, int, strlen(text) / 2 + 1), n = 0;
	const char *p = text;
	for (char *end = NULL; isdigit((unsigned char)*p); p = end + 1) {
		long rank = strtol(p, &end, 10);
		if ((*end && *end != ',') || rank > 1000000)
			break;
		ranks[n++] = (int)rank;
		if (!*end) {
			out->rank_of_device = ranks;
			out->n_listed = n;
			return SR_OK;
		}
	}
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
			"--device-ranks=%s: ranks with commas between, or reversed, is expected", text);
}

enum sr_status sr_devices_per_rank_read(const char *text, int *out, struct sr_diags *diags)
{
	bool is_all = text && !strcmp(text, "all"), is_auto = text && !strcmp(text, "auto");
	char *end;
	long n = text && isdigit((unsigned char)*text) ? strtol(text, &end, 10) : 0;
	bool is_number = n > 0 && !*end && n <= SR_MAX_DEVICES_PER_RANK;
	*out = is_all ? SR_DEVICES_ALL : is_auto ? SR_DEVICES_AUTO : is_number ? (int)n : 1;
	if (!text || is_all || is_auto || is_number)
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
			"--devices-per-rank=%s: a number from 1 to %d, auto or all is expected", text, SR_MAX_DEVICES_PER_RANK);
}

enum sr_status sr_client_options_read(const struct sr_run_options *o, struct sr_client_options *out, struct sr_arena *arena,
				      struct sr_diags *diags)
{
	enum { MAX_THREADS = 4096 };
	enum sr_status status = read_kernels(o->kernels, &out->features, arena, diags);
	if (!status && (o->threads < 0 || o->threads > MAX_THREADS))
		status = sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
				  "--threads=%lld: a number from 0 to %d is expected", (long long)o->threads, MAX_THREADS);
	out->threads = (int)o->threads;
	out->time_blocking = (enum sr_time_blocking)o->time_blocking;
	if (!status)
		status = sr_devices_per_rank_read(o->devices_per_rank, &out->devices_per_rank, diags);
	if (status || !o->device_ranks)
		return status;
	if (strcmp(o->device_ranks, "reversed") != 0)
		return read_ranks(o->device_ranks, out, arena, diags);
	out->placement = SR_PLACEMENT_REVERSED;
	return SR_OK;
}
