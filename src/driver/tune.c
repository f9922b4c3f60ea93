/* Plans are made as the road makes them and judged by what they are: estimated step and peak. Of those that fit the limit the
 * fastest is taken; while none fits on a mesh, memory is worth more there. */
#include "cost/machine_text.h"
#include "driver/tune.h"
#include "support/knobs/knobs.h"
#include "support/vec.h"
#include <math.h>

/* What all memory together is worth at first, in steps of the plan for which it does not count, and how it goes on. */
#define FIRST_WORTH (1. / 64)
/* ... at least where arguments are free: of two plans that send alike the one that holds less. What could come sharded would else
 * come whole, since cutting it sends nothing. */
#define LEAST_PRICE 1e-3
#define DEARER 8
enum { MAX_PRICES = 6, NEARLY = 8 };

struct tuning {
	struct sr_context *ctx;
	const char *file;
	const struct sr_op *module;
	const struct sr_compile_options *options;
	const struct sr_tune_options *tune;
	SR_VEC(struct sr_candidate) all;
	SR_VEC(struct sr_annotations) annotations; /* of each */
};

static bool fits(const struct tuning *t, const struct sr_candidate *c)
{
	return !t->tune->memory || c->peak_bytes <= t->tune->memory;
}

static enum sr_status annotate(struct tuning *t, struct sr_op *module, const char *mesh, double price)
{
	struct sr_annotations found = {0};
	enum sr_status status = SR_OK;
	if (t->tune->auto_shard) {
		status = sr_tune_annotate(t->ctx, t->module, t->options->function, mesh, price, &found);
		if (!status)
			status = sr_tune_set_mesh(t->ctx, module, mesh);
		if (!status)
			status = sr_annotations_set(t->ctx, module, t->options->function, &found);
	}
	sr_push(t->ctx->arena, &t->annotations, found);
	return status;
}

/* NULL: of one device. */
static const char *text_of(struct sr_arena *arena, const struct sr_mesh *mesh)
{
	const char *text = "";
	for (int a = 0; mesh && a < mesh->n_axes; a++)
		text = sr_printf(arena, "%s%s%s=%lld", text, a ? "," : "", mesh->axes[a].name, (long long)mesh->axes[a].size);
	return text;
}

/* Make one plan. */
static enum sr_status try(struct tuning *t, const char *mesh, double price, int64_t memory)
{
	struct sr_map map;
	struct sr_compiled compiled;
	struct sr_compile_options options = {.function = t->options->function,
					     .partition = t->options->partition,
					     .overlap = t->options->overlap,
					     .pack = t->options->pack,
					     .machine = t->options->machine,
					     .calls = t->options->calls,
					     .n_calls = t->options->n_calls,
					     .argument_type = t->options->argument_type,
					     .argument_data = t->options->argument_data,
					     .progress = t->options->progress,
					     .memory_price = price,
					     .memory = memory};
	sr_map_init(&map, t->ctx->arena);
	struct sr_op *module = sr_op_clone(t->ctx, t->module, &map);
	enum sr_status status = annotate(t, module, mesh, price);
	if (!status)
		status = sr_compile_module(t->ctx, t->file, module, &options, &compiled);
	if (status)
		return status;
	const struct sr_program *p = compiled.program;
	struct sr_candidate c = {.mesh = mesh,
				 .price = price,
				 .memory = memory,
				 .step_s = p->estimate.step_s,
				 .peak_bytes = p->argument_bytes + p->output_bytes - p->alias_bytes + p->temp_bytes};
	for (int i = 0; i < SR_COLL_COUNT; i++)
		c.wire_bytes += p->collectives[i].wire_bytes;
	if (!mesh)
		c.mesh = text_of(t->ctx->arena, compiled.mesh);
	sr_push(t->ctx->arena, &t->all, c);
	return SR_OK;
}

static double price_of(const struct tuning *t, const struct sr_candidate *c)
{
	struct sr_machine machine;
	if (!t->ctx->machine)
		sr_machine_default(&machine);
	double rate = (t->ctx->machine ? t->ctx->machine : &machine)->links[SR_LINK_NODE].bytes_per_s;
	return c->peak_bytes > 0 ? FIRST_WORTH * rate * c->step_s / (double)c->peak_bytes : 0;
}

static const struct sr_candidate *last(const struct tuning *t)
{
	return &t->all.data[t->all.n - 1];
}

/* With values made again until the limit; what lies between a schedule's peak and a layout's is asked for the second time. */
static enum sr_status try_to_fit(struct tuning *t, const char *mesh, double price)
{
	int64_t limit = t->tune->memory;
	enum sr_status status = try(t, mesh, price, limit);
	int64_t over = status ? 0 : last(t)->peak_bytes - limit;
	return over > 0 && over < limit / NEARLY ? try(t, mesh, price, limit - 2 * over) : status;
}

/* As it comes; where that does not fit, values are made again, and memory is worth more and more while that makes it faster. */
static enum sr_status try_mesh(struct tuning *t, const char *mesh)
{
	double price = t->tune->auto_shard ? LEAST_PRICE : 0, fastest = HUGE_VAL;
	enum sr_status status = try(t, mesh, price, 0);
	if (status || fits(t, last(t)))
		return status;
	double dear = price_of(t, last(t));
	for (int i = 0; i < MAX_PRICES && !status; i++, price = i == 1 ? dear : DEARER * price) {
		status = try_to_fit(t, mesh, price);
		if (status || (fits(t, last(t)) && last(t)->step_s >= fastest))
			return status;
		fastest = fits(t, last(t)) ? last(t)->step_s : fastest;
	}
	return status;
}

/* The fastest of those that fit; the smallest where none does. */
static size_t best(const struct tuning *t)
{
	size_t best = 0;
	for (size_t i = 1; i < t->all.n; i++) {
		const struct sr_candidate *a = &t->all.data[i], *b = &t->all.data[best];
		bool both = fits(t, a) && fits(t, b), none = !fits(t, a) && !fits(t, b);
		bool better = both ? a->step_s < b->step_s : none ? a->peak_bytes < b->peak_bytes : fits(t, a);
		best = better ? i : best;
	}
	return best;
}

static enum sr_status nothing_fits(const struct tuning *t, const struct sr_candidate *least)
{
	return sr_error(&t->ctx->diags, SR_NO_MEMORY, (struct sr_place){.file = t->file},
			"no plan was found that takes at most %lld bytes of a device (--memory-per-device); the smallest takes "
			"%lld, on the mesh %s; more devices, or shardings over more axes, would make it smaller",
			(long long)t->tune->memory, (long long)least->peak_bytes, least->mesh);
}

/* Where one mesh does not do, another may. */
static enum sr_status try_all(struct tuning *t, const struct sr_mesh_texts *meshes)
{
	enum sr_status status = SR_OK;
	for (int i = 0; i < meshes->n; i++) {
		size_t before = t->all.n;
		status = try_mesh(t, meshes->at[i]);
		t->annotations.n = t->all.n; /* not of what failed */
		if (status && (i + 1 < meshes->n || t->all.n > before))
			sr_diags_clear(&t->ctx->diags);
	}
	return t->all.n ? SR_OK : status;
}

enum sr_status sr_tune(struct sr_context *ctx, const char *file, struct sr_op *module, const struct sr_compile_options *options,
		       const struct sr_tune_options *tune, struct sr_candidate *taken, struct sr_candidates *out)
{
	struct tuning t = {.ctx = ctx, .file = file, .module = module, .options = options, .tune = tune};
	struct sr_mesh_texts meshes = {(const char *[]){NULL}, 1};
	enum sr_status status = tune->auto_shard ? sr_tune_meshes(ctx, module, tune, &meshes) : SR_OK;
	if (!status)
		status = try_all(&t, &meshes);
	if (status)
		return status;
	size_t chosen = best(&t);
	struct sr_candidate *c = &t.all.data[chosen];
	*out = (struct sr_candidates){t.all.data, (int)t.all.n};
	c->chosen = true;
	*taken = *c;
	if (!fits(&t, c))
		return nothing_fits(&t, c);
	if (!tune->auto_shard)
		return SR_OK;
	status = sr_tune_set_mesh(ctx, module, sr_first_mesh_op(module) ? NULL : c->mesh);
	return status ? status : sr_annotations_set(ctx, module, options->function, &t.annotations.data[chosen]);
}

void sr_candidates_print(const struct sr_candidates *c, struct sr_buf *out)
{
	sr_buf_puts(out, "  plans tried:   estimated step      bytes sent      peak bytes   memory's price   made again for   mesh\n");
	for (int i = 0; i < c->n; i++)
		sr_buf_printf(out, "    %s %20.6f s %15lld %15lld %16g %16lld   %s\n", c->at[i].chosen ? "taken" : "     ",
			      c->at[i].step_s, (long long)c->at[i].wire_bytes, (long long)c->at[i].peak_bytes, c->at[i].price,
			      (long long)c->at[i].memory, c->at[i].mesh);
}

void sr_report_candidates(struct sr_json *j, const struct sr_candidates *c)
{
	sr_json_open(j, "plans_tried", '[');
	for (int i = 0; i < c->n; i++) {
		sr_json_open(j, NULL, '{');
		sr_json_string(j, "mesh", c->at[i].mesh);
		sr_json_double(j, "step_s", c->at[i].step_s);
		sr_json_int(j, "wire_bytes", c->at[i].wire_bytes);
		sr_json_int(j, "peak_bytes", c->at[i].peak_bytes);
		sr_json_double(j, "memory_price", c->at[i].price);
		sr_json_int(j, "made_again_for_bytes", c->at[i].memory);
		sr_json_bool(j, "taken", c->at[i].chosen);
		sr_json_close(j);
	}
	sr_json_close(j);
}

struct sr_candidates sr_candidates_copy(const struct sr_candidates *c, struct sr_arena *arena)
{
	struct sr_candidates copy = {sr_dup(arena, c->at, (size_t)c->n, sizeof *c->at), c->n};
	for (int i = 0; i < c->n; i++)
		copy.at[i].mesh = sr_printf(arena, "%s", c->at[i].mesh);
	return copy;
}

/* ---------------------------------------------------------------- as a pass */

static enum sr_status auto_shard(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *o)
{
	const char *mesh = sr_option_string(o, "mesh"), *size = sr_option_string(o, "memory-per-device");
	struct sr_tune_options tune = {.auto_shard = true, .mesh = *mesh ? mesh : NULL, .devices = sr_option_int(o, "devices")};
	struct sr_candidates all;
	struct sr_candidate taken;
	if (*size && !sr_parse_size(size, &tune.memory))
		return sr_error(&ctx->diags, SR_USAGE, (struct sr_place){0}, "memory-per-device=%s is not a size", size);
	return sr_tune(ctx, sr_loc_place(root->loc).file, root, &(struct sr_compile_options){0}, &tune, &taken, &all);
}

const struct sr_pass sr_tune_passes[] = {
	{.name = "shardrun-auto-shard",
	 .options = "mesh:str, devices:int=0, memory-per-device:str",
	 .run = auto_shard,
	 .doc = "Shardings for the arguments and results that have none, for the least estimated step within the memory of a "
		"device; on the module's mesh, the one that is named (data=4,model=2), or any of so many devices.",
	 .requires = "a program as shardrun takes it",
	 .leaves = "sdy.sharding on the entry's arguments and results, to be copied into its source"},
	{0},
};
