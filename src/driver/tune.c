/* Tuning: compile candidate plans with the default pipeline and compare their estimated step time and peak memory. The fastest
 * plan within the memory limit is selected; while no plan on a mesh fits, the price of memory is raised. */
#include "cost/machine_text.h"
#include "driver/collective_summaries.h"
#include "driver/tune.h"
#include "support/knobs/knobs.h"
#include "support/vec.h"
#include "support/format_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Initial price of memory. It is chosen such that all memory together costs this many times the step time of the plan that
 * ignores memory; it then grows by PRICE_FACTOR. */
#define INITIAL_PRICE (1. / 64)
/* Least price with --auto-shard: of two plans with equal communication, choose the one with less memory. Otherwise arguments
 * that could be sharded would be replicated, since sharding them saves no communication. */
#define MIN_PRICE 1e-3
#define PRICE_FACTOR 8
/* CLOSE_FIT_DIVISOR: a plan that exceeds the limit by at most this part of it (1/8) is compiled again with a lower target.
 * MIN_SLACK_DIVISOR: a plan that leaves at least this part of the limit free (1/32) is compiled again with a higher one;
 * MAX_SLACK_DIVISOR: but not one that leaves more than this part free (1/3), since it fits without rematerialization. */
enum { MAX_PRICES = 6, CLOSE_FIT_DIVISOR = 8, MIN_SLACK_DIVISOR = 32, MAX_SLACK_DIVISOR = 3, MAX_SLACK_TRIES = 2 };
/* Products are decomposed into chunks of 1/4 of the memory that arguments and results leave free, then of 1/16, then of 1/64. */
enum { CHUNK_DIVISOR = 4, MAX_CHUNK_SIZES = 3 };

struct tuning {
	struct sr_context *ctx;
	const char *file;
	const struct sr_op *module;
	const struct sr_compile_options *options;
	const struct sr_tune_options *tune;
	SR_VEC(struct sr_candidate) all;
	SR_VEC(struct sr_annotations) annotations; /* shardings added to the module for each candidate */
};

static bool fits_limit(const struct tuning *t, const struct sr_candidate *c)
{
	return !c->failure_reason && (!t->tune->memory.requested_bytes || c->peak_bytes <= t->tune->memory.requested_bytes);
}

static enum sr_status annotate(struct tuning *t, struct sr_op *module, const char *mesh, double price)
{
	struct sr_annotations annotations = {0};
	enum sr_status status = SR_OK;
	if (t->tune->auto_shard)
		status = sr_tune_annotate(t->ctx, t->module, t->options->function, mesh, price, &annotations);
	if (!status)
		status = sr_tune_set_mesh(t->ctx, module, mesh);
	if (!status && t->tune->auto_shard)
		status = sr_annotations_set(t->ctx, module, t->options->function, &annotations);
	sr_push(t->ctx->arena, &t->annotations, annotations);
	return status;
}

static int compare_by_wire_bytes(const void *x, const void *y)
{
	const struct sr_collective_summary *a = x, *b = y;
	return a->wire_bytes != b->wire_bytes ? (a->wire_bytes < b->wire_bytes) - (a->wire_bytes > b->wire_bytes)
					      : strcmp(a->axes, b->axes);
}

/* Describe the wire bytes by mesh axes, largest first. */
static const char *bytes_by_axes(const struct sr_program *p, struct sr_arena *arena)
{
	const struct sr_collective_summaries summaries = sr_collective_summaries_of(p, arena);
	SR_VEC(struct sr_collective_summary) sums = {0};
	struct sr_buf text;
	sr_buf_init(&text, arena);
	for (size_t i = 0; i < summaries.n; i++) {
		size_t k = 0;
		while (k < sums.n && strcmp(sums.data[k].axes, summaries.summaries[i].axes) != 0)
			k++;
		if (k == sums.n)
			sr_push(arena, &sums, (struct sr_collective_summary){.axes = summaries.summaries[i].axes});
		sums.data[k].wire_bytes += summaries.summaries[i].wire_bytes;
	}
	if (sums.n)
		qsort(sums.data, sums.n, sizeof *sums.data, compare_by_wire_bytes);
	for (size_t k = 0; k < sums.n; k++) {
		sr_buf_printf(&text, "%s%s ", k ? "; " : "", *sums.data[k].axes ? sums.data[k].axes : "no axis");
		sr_buf_byte_size(&text, sums.data[k].wire_bytes);
	}
	return sr_buf_string(&text);
}

/* Compile the program for one mesh and way of saving memory, and append the plan to the candidates. */
static enum sr_status try_plan(struct tuning *t, const char *mesh, struct sr_memory_saving saving)
{
	struct sr_map map;
	struct sr_compiled compiled;
	struct sr_compile_options options = *t->options;
	options.tune = NULL;
	options.probes = NULL;
	options.outputs = (struct sr_compile_outputs){0}; /* only the selected plan writes outputs */
	options.saving = saving;
	sr_map_init(&map, t->ctx->arena);
	struct sr_op *module = sr_op_clone(t->ctx, t->module, &map);
	enum sr_status status = annotate(t, module, mesh, saving.price);
	if (!status)
		status = sr_compile_module(t->ctx, t->file, module, &options, &compiled);
	if (status)
		return status;
	const struct sr_program *p = compiled.program;
	struct sr_candidate c = {.mesh = mesh,
				 .saving = saving,
				 .estimate = p->estimate,
				 .bytes_by_axes = bytes_by_axes(p, t->ctx->arena),
				 .entry_bytes = p->argument_bytes + p->output_bytes - p->alias_bytes};
	c.peak_bytes = c.entry_bytes + p->temp_bytes;
	for (int i = 0; i < SR_COLL_COUNT; i++)
		c.wire_bytes += p->collectives[i].wire_bytes;
	if (!mesh)
		c.mesh = compiled.mesh ? sr_mesh_str(t->ctx->arena, compiled.mesh) : "";
	sr_push(t->ctx->arena, &t->all, c);
	return SR_OK;
}

static double initial_price(const struct tuning *t, const struct sr_candidate *c)
{
	struct sr_machine machine;
	if (!t->ctx->machine)
		sr_machine_default(&machine);
	double rate = (t->ctx->machine ? t->ctx->machine : &machine)->links[SR_LINK_NODE].bytes_per_s;
	return c->peak_bytes > 0 ? INITIAL_PRICE * rate * c->estimate.step_s / (double)c->peak_bytes : 0;
}

static const struct sr_candidate *last_candidate(const struct tuning *t)
{
	return &t->all.data[t->all.n - 1];
}

/* Compile a candidate that rematerializes to fit the limit. The arena's layout may exceed the peak of the schedule; a second
 * attempt lowers the target by twice that excess. */
static enum sr_status try_to_fit(struct tuning *t, const char *mesh, struct sr_memory_saving saving)
{
	saving.limit = t->tune->memory.requested_bytes;
	enum sr_status status = try_plan(t, mesh, saving);
	int64_t excess_bytes = status ? 0 : last_candidate(t)->peak_bytes - saving.limit;
	if (excess_bytes <= 0 || excess_bytes >= saving.limit / CLOSE_FIT_DIVISOR)
		return status;
	saving.limit -= 2 * excess_bytes;
	return try_plan(t, mesh, saving);
}

/* Compile candidates that rematerialize, and raise the price of memory as long as that makes a plan that fits faster. *any:
 * true if a plan fits. */
static enum sr_status try_prices(struct tuning *t, const char *mesh, double first_price, struct sr_memory_saving saving,
				 bool *any_fits)
{
	double fastest_s = HUGE_VAL;
	enum sr_status status = SR_OK;
	for (int i = 0; i < MAX_PRICES && !status; i++, saving.price = i == 1 ? first_price : PRICE_FACTOR * saving.price) {
		status = try_to_fit(t, mesh, saving);
		*any_fits = *any_fits || (!status && fits_limit(t, last_candidate(t)));
		if (status || (fits_limit(t, last_candidate(t)) && last_candidate(t)->estimate.step_s >= fastest_s))
			return status;
		fastest_s = fits_limit(t, last_candidate(t)) ? last_candidate(t)->estimate.step_s : fastest_s;
	}
	return status;
}

/* Compile candidates with products of large gathered values decomposed into chunks, which get smaller until a plan fits or smaller
 * ones take no less memory. */
static enum sr_status try_chunks(struct tuning *t, const char *mesh, struct sr_memory_saving saving)
{
	enum sr_status status = SR_OK;
	int64_t free_bytes = t->tune->memory.requested_bytes - last_candidate(t)->entry_bytes, previous_peak_bytes = INT64_MAX;
	for (int i = 0; i < MAX_CHUNK_SIZES && !status; i++) {
		free_bytes /= CHUNK_DIVISOR;
		saving.chunk_bytes = free_bytes;
		if (free_bytes <= 0)
			return SR_OK;
		status = try_to_fit(t, mesh, saving);
		if (status || fits_limit(t, last_candidate(t)) || last_candidate(t)->peak_bytes >= previous_peak_bytes)
			return status;
		previous_peak_bytes = last_candidate(t)->peak_bytes;
	}
	return status;
}

/* Compile candidates for one mesh: without a memory limit; if that does not fit, with rematerialization; if nothing fits, with
 * slices sharded as propagated; if nothing fits yet, with products of large gathered values decomposed. */
static enum sr_status try_mesh(struct tuning *t, const char *mesh)
{
	bool any_fits = false;
	const struct sr_memory_saving least = {.price = t->tune->auto_shard ? MIN_PRICE : 0};
	struct sr_memory_saving with_slices = least;
	with_slices.keep_slice_shardings = true;
	enum sr_status status = try_plan(t, mesh, least);
	if (status || fits_limit(t, last_candidate(t)))
		return status;
	double first_price = initial_price(t, last_candidate(t));
	status = try_prices(t, mesh, first_price, least, &any_fits);
	if (!status && !any_fits && !t->tune->auto_shard)
		status = try_prices(t, mesh, first_price, with_slices, &any_fits);
	return status || any_fits ? status : try_chunks(t, mesh, least);
}

/* Return the index of the fastest candidate that fits in memory, or of the smallest candidate if none fits. */
static size_t best_candidate(const struct tuning *t)
{
	size_t best_index = 0;
	for (size_t i = 1; i < t->all.n; i++) {
		const struct sr_candidate *a = &t->all.data[i], *b = &t->all.data[best_index];
		if (a->failure_reason || b->failure_reason) {
			best_index = a->failure_reason ? best_index : i;
			continue;
		}
		bool both_fit = fits_limit(t, a) && fits_limit(t, b), neither_fits = !fits_limit(t, a) && !fits_limit(t, b);
		bool is_better = both_fit	? a->estimate.step_s < b->estimate.step_s
			      : neither_fits ? a->peak_bytes < b->peak_bytes
					: fits_limit(t, a);
		best_index = is_better ? i : best_index;
	}
	return best_index;
}

/* Return the text of the mesh to set for a candidate; NULL: the module's own. */
static const char *mesh_to_set(const struct tuning *t, const struct sr_candidate *c)
{
	return t->tune->n_meshes || !sr_first_mesh_op(t->module) ? c->mesh : NULL;
}

/* Return the index of the selected candidate. If the best one rematerializes more than its limit requires, because the schedule
 * overestimates the peak, compile it once more with a target raised by the memory that it leaves free, or by half of it if that
 * does not fit: fewer values are computed again. The chunks of decomposed products get twice as large, or half as large again. */
static size_t select_candidate(struct tuning *t)
{
	size_t best_index = best_candidate(t);
	const struct sr_candidate *best = &t->all.data[best_index];
	struct sr_memory_saving saving = best->saving;
	const char *mesh = mesh_to_set(t, best);
	int64_t slack_bytes = t->tune->memory.requested_bytes - best->peak_bytes;
	int64_t min_slack_bytes = t->tune->memory.requested_bytes / MIN_SLACK_DIVISOR;
	bool may_take_more = saving.limit && fits_limit(t, best) &&
			     (saving.chunk_bytes || slack_bytes <= t->tune->memory.requested_bytes / MAX_SLACK_DIVISOR);
	for (int i = 0; i < MAX_SLACK_TRIES && may_take_more && slack_bytes >= min_slack_bytes; i++) {
		struct sr_memory_saving larger = saving;
		larger.limit += slack_bytes;
		larger.chunk_bytes += saving.chunk_bytes >> i;
		enum sr_status status = try_plan(t, mesh, larger);
		t->annotations.n = t->all.n; /* remove the annotations of a failed candidate */
		if (status)
			sr_diags_clear(&t->ctx->diags);
		may_take_more = !status && !fits_limit(t, last_candidate(t));
		slack_bytes /= 2;
	}
	return best_candidate(t);
}

static enum sr_status report_nothing_fits(const struct tuning *t, const struct sr_candidate *smallest)
{
	bool has_mesh = *smallest->mesh;
	return sr_error(&t->ctx->diags, SR_NO_MEMORY, (struct sr_src_loc){.file = t->file},
			"no plan fits in %lld bytes per device (--memory-per-device); the smallest takes %lld, of which %lld "
			"for arguments and results, on %s%s; use more devices, or shardings over more axes",
			(long long)t->tune->memory.requested_bytes, (long long)smallest->peak_bytes, (long long)smallest->entry_bytes,
			has_mesh ? "the mesh " : "one device", smallest->mesh);
}

static const char *first_error(const struct sr_diags *diags)
{
	const struct sr_diag *d = diags->first;
	while (d && d->severity != SR_ERROR)
		d = d->next;
	return d ? d->message : "out of memory";
}

/* Compile candidates for all meshes. A mesh for which compilation fails is skipped, and recorded with the reason if the user
 * named it. */
static enum sr_status try_meshes(struct tuning *t, const struct sr_mesh_texts *meshes)
{
	enum sr_status status = SR_OK;
	size_t n_candidates = 0;
	for (int i = 0; i < meshes->n; i++) {
		size_t n_before = t->all.n;
		status = try_mesh(t, meshes->texts[i]);
		n_candidates += t->all.n - n_before;
		if (status && t->all.n == n_before && t->tune->n_meshes)
			sr_push(t->ctx->arena, &t->all,
				(struct sr_candidate){
				    .mesh = meshes->texts[i], .failure_reason = first_error(&t->ctx->diags), .bytes_by_axes = ""});
		while (t->annotations.n < t->all.n)
			sr_push(t->ctx->arena, &t->annotations, (struct sr_annotations){0});
		t->annotations.n = t->all.n; /* remove the annotations of a failed candidate */
		if (status && (i + 1 < meshes->n || n_candidates))
			sr_diags_clear(&t->ctx->diags);
	}
	return n_candidates ? SR_OK : status;
}

enum sr_status sr_tune(struct sr_context *ctx, const char *file, struct sr_op *module, const struct sr_compile_options *options,
		       const struct sr_tune_options *tune, struct sr_candidate *chosen_plan, struct sr_candidates *out)
{
	struct tuning t = {.ctx = ctx, .file = file, .module = module, .options = options, .tune = tune};
	struct sr_mesh_texts meshes;
	enum sr_status status = sr_tune_meshes(ctx, module, tune, &meshes);
	if (!status && tune->n_meshes && !tune->auto_shard && !sr_first_mesh_op(module))
		status = sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){.file = file},
				  "has no mesh whose axes --mesh could resize; use --auto-shard to find shardings over the given mesh");
	if (!status)
		status = try_meshes(&t, &meshes);
	if (status)
		return status;
	size_t chosen = select_candidate(&t);
	struct sr_candidate *c = &t.all.data[chosen];
	*out = (struct sr_candidates){t.all.data, (int)t.all.n, tune->memory};
	c->is_chosen = fits_limit(&t, c);
	*chosen_plan = *c;
	if (!c->is_chosen)
		return report_nothing_fits(&t, c);
	status = sr_tune_set_mesh(ctx, module, mesh_to_set(&t, c));
	if (status || !tune->auto_shard)
		return status;
	return sr_annotations_set(ctx, module, options->function, &t.annotations.data[chosen]);
}

/* ---------------------------------------------------------------- as a pass */

static enum sr_status auto_shard(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *o)
{
	const char *mesh = sr_option_string(o, "mesh"), *size = sr_option_string(o, "memory-per-device");
	struct sr_tune_options tune = {.auto_shard = true, .meshes = &mesh, .n_meshes = *mesh != 0,
				       .devices = sr_option_int(o, "devices")};
	struct sr_candidates all;
	struct sr_candidate chosen_plan;
	if (*size && !sr_parse_size(size, &tune.memory.requested_bytes))
		return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "memory-per-device=%s is not a size", size);
	return sr_tune(ctx, sr_loc_source(root->loc).file, root, &(struct sr_compile_options){0}, &tune, &chosen_plan, &all);
}

const struct sr_pass sr_tune_passes[] = {
	{.name = "shardrun-auto-shard",
	 .options = "mesh:str, devices:int=0, memory-per-device:str",
	 .run = auto_shard,
	 .doc = "Find shardings for arguments and results that have none, for the least estimated step time within the memory of a "
		"device: on the module's mesh, the given one (data=4,model=2), or any mesh of the given number of devices.",
	 .requires = "a program as shardrun accepts it",
	 .ensures = "sdy.sharding on the entry's arguments and results, to copy into the source"},
	{0},
};
