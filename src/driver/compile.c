/* The road: bytes to module, propagate, partition, optimize, plan. Each stage is a pipeline that shardopt can run alone. */
#include "cost/machine_text.h"
#include "dialect/attr_names.h"
#include "dialect/trip_count.h"
#include "driver/driver.h"
#include "driver/page.h"
#include "driver/show_sharding.h"
#include "driver/static_shapes.h"
#include "driver/tune.h"
#include "optimize/optimize.h"
#include "propagate/explain.h"
#include "text/text.h"
#include <string.h>
#include <time.h>

struct road {
	struct sr_context *ctx;
	const struct sr_compile_options *options;
	const char *file;
	struct sr_op *module;
	struct sr_page page;
	int n_passes; /* of the pipeline that runs */
	double memory_price; /* as options have them, or as a plan was taken */
	int64_t memory;
	bool keep_slice_shardings;
};

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char chosen[] = "shardrun-insert-reshards"; /* and what begins so: conflicts are reshards behind it */

static void tell(const struct road *road, const char *pass, int i, int n)
{
	if (road->options->progress)
		road->options->progress(pass, i, n);
}

static void before(void *data, const char *pass, int index, struct sr_op *root)
{
	const struct road *road = data;
	(void)root;
	tell(road, pass, index + 1, road->n_passes);
}

static void after(void *data, const char *pass, int index, struct sr_op *root, enum sr_status status)
{
	struct road *road = data;
	const struct sr_compile_options *o = road->options;
	(void)index;
	if (!status && o->outputs.page && !strncmp(pass, chosen, sizeof chosen - 1))
		sr_page_after_reshards(&road->page, root);
	if (status || !o->outputs.dump || !o->outputs.print_after)
		return;
	if (!sr_pass_list_contains(o->outputs.print_after, pass))
		return;
	sr_buf_printf(o->outputs.dump, "// -----// IR Dump After %s //----- //\n", pass);
	sr_print(road->ctx, root, &(struct sr_print_options){0}, o->outputs.dump);
	sr_buf_putc(o->outputs.dump, '\n');
}

static enum sr_status stage(struct road *road, const char *pipeline, double *took)
{
	double start = seconds();
	struct sr_pass_list *list = sr_pass_list_new(road->ctx, &sr_all_passes);
	enum sr_status status = sr_pass_list_parse(list, pipeline);
	road->n_passes = sr_pass_list_size(list);
	if (!status)
		status = sr_pass_list_run(list, road->module,
					  &(struct sr_pass_run){.verify_each = road->options->outputs.verify_each,
								.before = before,
								.after = after,
								.data = road});
	*took += seconds() - start;
	return status;
}

static int64_t module_count(const struct sr_op *module, const char *attr)
{
	const struct sr_attr *a = sr_op_attr(module, attr);
	return a && a->kind == SR_ATTR_INTEGER && a->i > 0 ? a->i : 1;
}

/* Devices: replicas times partitions; the partitions are the mesh's devices, or num_partitions where no mesh says. All meshes of
 * a module must have the same number of devices. */
static enum sr_status count_devices(struct road *road, struct sr_compiled *out)
{
	int64_t partitions = module_count(road->module, "mhlo.num_partitions");
	out->n_replicas = module_count(road->module, "mhlo.num_replicas");
	if (road->options->interpret) {
		out->n_devices = sr_parallel_devices(road->module);
		out->n_replicas = 1;
		return SR_OK;
	}
	out->mesh = sr_first_mesh(road->module);
	if (out->mesh)
		partitions = sr_mesh_devices(out->mesh);
	for (struct sr_op *op = sr_module_body(road->module)->first; op; op = op->next) {
		const struct sr_mesh *mesh = sr_op_mesh(op);
		if (mesh && mesh->n_axes && out->mesh && sr_mesh_devices(mesh) != partitions)
			return sr_op_error(
				op, &road->ctx->diags, SR_UNSUPPORTED,
				"has %lld devices, but another mesh of the module has %lld; a program runs on one set of devices",
				(long long)sr_mesh_devices(mesh), (long long)partitions);
	}
	if (sr_mul_overflows(partitions, out->n_replicas, &out->n_devices) || out->n_devices > INT32_MAX)
		return sr_error(&road->ctx->diags, SR_UNSUPPORTED, sr_loc_source(road->module->loc),
				"the module wants too many devices");
	return SR_OK;
}

static enum sr_status read_module(struct road *road, const char *file, const char *text, size_t n)
{
	enum sr_status status = sr_check_format(road->ctx, file, &text, &n);
	if (!status) {
		if (!road->options->line_offset)
			sr_diags_add_source(&road->ctx->diags, file, text, n);
		status = sr_parse_at(road->ctx, file, text, n, road->options->line_offset, &road->module);
	}
	return status ? status : sr_verify(road->ctx, road->module);
}

/* What a program asserts of its shapes is about its inputs: they are wrong where it does not hold. */
static enum sr_status make_static(struct road *road, double *took)
{
	if (sr_shapes_are_static(road->module))
		return SR_OK;
	/* Composites are calls; each call refines a function of its own. */
	enum sr_status status = stage(road, "stablehlo-legalize-composite-to-call,sdy-flatten-call-graph", took);
	if (!status)
		status = sr_refine_entry_arguments(road->ctx, road->module, road->options);
	if (!status && stage(road, "stablehlo-check-shape-assertions{enable-shape-assertions=true}", took))
		status = SR_USAGE;
	if (!status)
		status = stage(road, "stablehlo-canonicalize-dynamism,symbol-dce", took);
	return status ? status : sr_check_static_shapes(road->ctx, road->module);
}

static const char *const partition_pipelines[] = {[SR_PARTITION_CHEAP] = "shardrun-partition-pipeline",
						  [SR_PARTITION_UPSTREAM] = "shardrun-partition-as-propagated-pipeline",
						  [SR_PARTITION_REPLICATE] = "shardrun-replicate-pipeline"};

/* Before partition, so that a value is looked at as the module has it. */
static enum sr_status look_and_unshard(struct road *road, struct sr_compiled *out)
{
	const struct sr_compile_options *o = road->options;
	enum sr_status status = stage(road, "inline,symbol-dce", &out->times.partition_s);
	if (!status && o->probes)
		status = sr_insert_probes_in(road->ctx, road->module, o->probes);
	if (status || !o->unshard)
		return status;
	if (out->n_replicas > 1)
		return sr_error(&road->ctx->diags, SR_UNSUPPORTED, sr_loc_source(road->module->loc),
				"the module is for %lld replicas: one device cannot stand for them", (long long)out->n_replicas);
	out->mesh = NULL;
	out->n_devices = 1;
	return sr_unshard_module(road->ctx, road->module);
}

static const char *partition_pipeline(const struct road *road)
{
	const char *name = partition_pipelines[road->options->partition];
	bool said = road->options->partition == SR_PARTITION_CHEAP && (road->memory_price > 0 || road->keep_slice_shardings);
	return said ? sr_printf(road->ctx->arena, "%s{memory-price=%g keep-slice-shardings=%s}", name, road->memory_price,
				road->keep_slice_shardings ? "true" : "false") :
		      name;
}

/* *products: how many are in pieces. What is not sent meanwhile is cut for nothing; and what is under way lives: not where memory
 * is short. */
static enum sr_status make_pieces(struct road *road, double *seconds, int64_t *products)
{
	const struct sr_compile_options *o = road->options;
	bool asked = o->decompose_matmul == SR_DECOMPOSE_MATMUL_ON, may_pay = o->overlap != SR_OVERLAP_OFF && !road->memory;
	*products = 0;
	if (o->interpret || o->decompose_matmul == SR_DECOMPOSE_MATMUL_OFF || !(asked || may_pay))
		return SR_OK;
	enum sr_status status = stage(road, asked ? "shardrun-collective-matmul{number=4}" : "shardrun-collective-matmul", seconds);
	*products = sr_op_int(road->module, SR_DECOMPOSED_MATMULS, 0);
	return status;
}

/* Pieces are of use only where they are under way while others are computed. */
static enum sr_overlap overlap_of(const struct road *road, int64_t products)
{
	return products && road->options->overlap == SR_OVERLAP_AUTO ? SR_OVERLAP_ON : road->options->overlap;
}

/* What is packed lives together: not where memory is short. */
static const char *work_pipeline(const struct road *road, enum sr_overlap overlap)
{
	bool packs = road->options->combine == SR_COMBINE_AUTO && !road->memory;
	return sr_printf(road->ctx->arena, "shardrun-work-pipeline{combine=%s overlap=%s memory=%lld}", packs ? "true" : "false",
			 overlap == SR_OVERLAP_ON ? "true" : "false", (long long)road->memory);
}

static enum sr_status stages(struct road *road, struct sr_compiled *out)
{
	struct sr_compile_times *t = &out->times;
	const struct sr_compile_options *o = road->options;
	if (o->interpret)
		return stage(road, "shardrun-interpret-pipeline", &t->optimize_s);
	enum sr_status status = stage(road, "shardrun-import-pipeline", &t->propagate_s);
	if (!status && out->mesh && o->partition == SR_PARTITION_CHEAP && !o->keep_results)
		status = sr_mark_unconstrained_results(road->ctx, road->module, o->function);
	if (!status && o->outputs.page)
		sr_page_before(&road->page, road->ctx, road->file, road->module);
	if (!status && out->mesh && o->partition != SR_PARTITION_REPLICATE)
		status = stage(road, "sdy-propagation-pipeline", &t->propagate_s);
	if (!status && o->outputs.page)
		status = sr_page_after(&road->page, road->module, o->function);
	bool show_entry = o->outputs.show && !*o->outputs.show;
	if (!status && o->outputs.show && !show_entry)
		status = sr_show_sharding(road->ctx, road->module, o->function, o->outputs.show, o->outputs.picture);
	if (!status && (o->probes || o->unshard))
		status = look_and_unshard(road, out);
	if (!status && out->mesh)
		status = stage(road, partition_pipeline(road), &t->partition_s);
	else if (!status)
		status = stage(road, "inline,symbol-dce", &t->partition_s);
	if (!status && show_entry) /* results may lie otherwise than propagation said */
		status = sr_show_sharding(road->ctx, road->module, o->function, o->outputs.show, o->outputs.picture);
	if (!status)
		status = stage(road, "shardrun-optimize-pipeline", &t->optimize_s);
	if (!status && sr_verify(road->ctx, road->module)) /* a pass's mistake, that ranks would wait for ever on */
		status = SR_INTERNAL;
	if (!status && o->outputs.page)
		sr_page_collectives(&road->page, road->module);
	return status;
}

static bool has_function(const struct sr_op *module)
{
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			return true;
	return false;
}

enum sr_status sr_explain_missing(struct sr_context *ctx, const char *option, const char *what)
{
	return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0},
			"%s=%s: no value has this name, comes from an op of this name or stands on this line", option, what);
}

/* The stages, with the explanations that are asked for. */
static enum sr_status explained_stages(struct road *road, struct sr_compiled *out)
{
	const struct sr_compile_options *o = road->options;
	struct sr_explain explain = {.what = o->outputs.explain, .out = o->outputs.explanation},
			  partition = {.what = o->outputs.explain_partition, .out = o->outputs.explanation};
	bool propagates = out->mesh && !o->interpret && o->partition != SR_PARTITION_REPLICATE;
	const char *why = o->interpret ? "--interpret takes the program as written"
			  : !out->mesh ? "the program has no mesh"
				       : "--partition=replicate computes all on every device";
	if (o->outputs.explain && !propagates)
		return sr_error(&road->ctx->diags, SR_USAGE, (struct sr_src_loc){0},
				"--explain: %s; nothing is sharded by propagation", why);
	if (propagates && o->partition == SR_PARTITION_UPSTREAM)
		why = "--partition=upstream keeps what propagation said";
	else if (propagates && out->n_devices == 1)
		why = "the mesh has one device";
	else if (propagates)
		why = NULL;
	if (o->outputs.explain_partition && why)
		return sr_error(&road->ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "--explain-partition: %s; nothing is searched",
				why);
	road->ctx->explain = o->outputs.explain ? &explain : NULL;
	road->ctx->explain_partition = o->outputs.explain_partition ? &partition : NULL;
	enum sr_status status = stages(road, out);
	road->ctx->explain = road->ctx->explain_partition = NULL;
	if (!status && o->outputs.explain && !explain.n_found)
		status = sr_explain_missing(road->ctx, "--explain", o->outputs.explain);
	if (!status && o->outputs.explain_partition && !partition.n_found)
		status = sr_explain_missing(road->ctx, "--explain-partition", o->outputs.explain_partition);
	return status;
}

enum sr_status sr_read_machine(struct sr_context *ctx, const char *path)
{
	const char *text;
	size_t n;
	struct sr_machine *machine = SR_NEW(ctx->arena, struct sr_machine);
	if (!path)
		return SR_OK;
	enum sr_status status = sr_read_file(ctx, path, 0, &text, &n);
	if (!status)
		status = sr_machine_parse(path, text, n, &ctx->diags, machine);
	ctx->machine = status ? NULL : machine;
	return status;
}

int64_t sr_job_devices_per_node(const struct sr_job_nodes *nodes, int64_t n)
{
	int64_t each = nodes->devices_per_rank, here;
	if (!each)
		each = nodes->ranks && n % nodes->ranks == 0 ? n / nodes->ranks : 1;
	return sr_mul_overflows(nodes->ranks_per_node, each, &here) || here > n ? n : here;
}

struct sr_machine *sr_machine_of_job(struct sr_context *ctx, const char *path, const struct sr_job_nodes *nodes, int64_t n,
				     enum sr_status *status)
{
	struct sr_machine *machine = SR_NEW(ctx->arena, struct sr_machine);
	ctx->machine = NULL;
	*status = sr_read_machine(ctx, path);
	if (*status)
		return NULL;
	sr_machine_default(machine);
	if (ctx->machine)
		*machine = *ctx->machine;
	if (nodes->ranks_per_node)
		machine->ranks_per_node = (int)sr_job_devices_per_node(nodes, n);
	return machine;
}

/* What the stages read of the context. */
static enum sr_status set_context(struct sr_context *ctx, const struct sr_compile_options *options)
{
	ctx->replication_notes.n = 0;
	const struct sr_compile_outputs *looks = &options->outputs;
	ctx->keep_names = looks->explain || looks->explain_partition || looks->page || looks->show || options->probes;
	return sr_read_machine(ctx, options->machine);
}

/* Check that each instruction can be run: an op may ask for extents and windows whose products overflow. Time and memory grow
 * with the devices; a plan for more than MOST_CHECKED_DEVICES is read and not run, and a program file is checked when it is loaded. */
static enum sr_status check_program(struct sr_context *ctx, const struct sr_program *p)
{
	enum { MOST_CHECKED_DEVICES = 1 << 20 };
	const char *message;
	const struct sr_instr *step;
	if (p->n_devices > MOST_CHECKED_DEVICES)
		return SR_OK;
	enum sr_status status = sr_program_check_at(p, p->bytes, &message, &step);
	if (!status || !step)
		return status ? sr_error(&ctx->diags, status, (struct sr_src_loc){.file = sr_program_string(p, p->model)},
					 "the compiled program is broken: %s", message)
			      : SR_OK;
	return sr_error(&ctx->diags, SR_UNSUPPORTED, (struct sr_src_loc){.file = sr_program_string(p, step->place)},
			"what the op here becomes cannot be run: %s", message);
}

/* From a module to its program; `start` is when all began. */
static enum sr_status compile(struct road *road, double start, struct sr_compiled *out)
{
	struct sr_context *ctx = road->ctx;
	const struct sr_compile_options *options = road->options;
	struct sr_collective_cost collectives[SR_COLL_COUNT];
	struct sr_program *program = NULL;
	out->depends_on_arguments = !sr_shapes_are_static(road->module);
	enum sr_status status = make_static(road, &out->times.optimize_s);
	if (!status)
		status = stage(road, "shardrun-drop-callbacks", &out->times.propagate_s);
	if (!status && !options->interpret) { /* meshes may travel as attributes, and the devices are counted by them */
		status = stage(road, "shardrun-import-frontend-attributes,shardrun-import-gspmd,sdy-lift-inlined-meshes,shardrun-collectives-to-reshards", &out->times.propagate_s);
		if (!status) /* manual computations that travelled so have not been looked at */
			status = sr_verify(ctx, road->module);
	}
	struct sr_candidate taken = {
		.price = options->memory_price, .memory = options->memory, .keep_slice_shardings = options->keep_slice_shardings};
	if (!status && options->tune)
		status = sr_tune(ctx, road->file, road->module, options, options->tune, &taken, &out->candidates);
	road->memory_price = taken.price;
	road->memory = taken.memory;
	road->keep_slice_shardings = taken.keep_slice_shardings;
	if (!status && options->tune) /* each plan set it anew */
		status = set_context(ctx, options);
	if (!status)
		status = count_devices(road, out);
	if (!status)
		ctx->machine = sr_machine_of_job(ctx, options->machine, &options->nodes, out->n_devices, &status);
	out->times.parse_s = seconds() - start;
	if (!status)
		status = explained_stages(road, out);
	if (status)
		return status;
	double plan = seconds();
	out->module = road->module;
	if (options->interpret && !has_function(road->module))
		return SR_OK; /* nothing to run: no program */
	sr_collective_costs(ctx, road->module, collectives);
	sr_annotate_trip_counts(ctx, road->module);
	int64_t products;
	status = make_pieces(road, &out->times.optimize_s, &products);
	enum sr_overlap overlap = overlap_of(road, products);
	if (!status)
		status = stage(road, work_pipeline(road, overlap), &out->times.optimize_s);
	if (!status && road->memory) /* they may have been made again */
		sr_collective_costs(ctx, road->module, collectives);
	if (status)
		return status;
	tell(road, "plan", 0, 0);
	status = sr_plan_module(ctx, road->module,
				&(struct sr_plan_options){.function = options->function,
							  .n_devices = out->n_devices,
							  .n_replicas = out->n_replicas,
							  .model = road->file,
							  .whole = ctx->replication_notes.data,
							  .n_whole = ctx->replication_notes.n,
							  .overlap = overlap,
							  .decomposed_matmuls = products,
							  .calls = options->calls,
							  .n_calls = options->n_calls,
							  .collectives = collectives},
				&program);
	out->program = program;
	if (!status)
		status = check_program(ctx, program);
	if (!status) {
		sr_estimate_program(program, ctx->machine, ctx->arena, &program->estimate);
		sr_estimate_collectives(program, ctx->machine, ctx->arena);
	}
	out->times.plan_s = seconds() - plan;
	if (!status && options->outputs.page && !options->interpret)
		sr_page_write(&road->page, out, options->outputs.page);
	out->times.total_s = seconds() - start;
	return status;
}

enum sr_status sr_compile(struct sr_context *ctx, const char *file, const char *text, size_t n,
			  const struct sr_compile_options *options, struct sr_compiled *out)
{
	struct road road = {.ctx = ctx, .options = options, .file = file};
	double start = seconds();
	*out = (struct sr_compiled){0};
	tell(&road, "parse", 0, 0);
	enum sr_status status = set_context(ctx, options);
	if (!status)
		status = read_module(&road, file, text, n);
	return status ? status : compile(&road, start, out);
}

enum sr_status sr_compile_module(struct sr_context *ctx, const char *file, struct sr_op *module,
				 const struct sr_compile_options *options, struct sr_compiled *out)
{
	struct road road = {.ctx = ctx, .options = options, .file = file, .module = module};
	*out = (struct sr_compiled){0};
	enum sr_status status = set_context(ctx, options);
	return status ? status : compile(&road, seconds(), out);
}
