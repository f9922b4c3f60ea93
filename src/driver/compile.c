/* The default pipeline: bytes to module, propagate, partition, optimize, plan. Each stage is a pass pipeline that shardopt can
 * run alone. */
#include "cost/machine_text.h"
#include "dialect/attr_names.h"
#include "dialect/trip_count.h"
#include "driver/driver.h"
#include "driver/entry.h"
#include "driver/page.h"
#include "driver/show_sharding.h"
#include "driver/static_shapes.h"
#include "driver/tune.h"
#include "cost/mesh_links.h"
#include "import/import.h"
#include "optimize/optimize.h"
#include "partition/partition.h"
#include "propagate/explain.h"
#include "support/clock.h"
#include "text/text.h"
#include <string.h>

struct pipeline {
	struct sr_context *ctx;
	const struct sr_compile_options *options;
	const char *file;
	struct sr_op *module;
	struct sr_page page;
	int n_passes; /* number of passes of the current stage */
	struct sr_memory_saving saving; /* from the options or from the plan that tuning selected */
};

static const char insert_reshards_prefix[] = "shardrun-insert-reshards"; /* prefix of the passes that insert reshards */

static void report_progress(const struct pipeline *pipeline, const char *pass, int i, int n)
{
	if (pipeline->options->progress)
		pipeline->options->progress(pass, i, n);
}

static void before_pass(void *data, const char *pass, int index, struct sr_op *root)
{
	const struct pipeline *pipeline = data;
	(void)root;
	report_progress(pipeline, pass, index + 1, pipeline->n_passes);
}

static void after_pass(void *data, const char *pass, int index, struct sr_op *root, enum sr_status status)
{
	struct pipeline *pipeline = data;
	const struct sr_compile_options *o = pipeline->options;
	(void)index;
	if (!status && o->outputs.page && !strncmp(pass, insert_reshards_prefix, sizeof insert_reshards_prefix - 1))
		sr_page_record_causes(&pipeline->page, root);
	if (status || !o->outputs.dump || !o->outputs.print_after)
		return;
	if (!sr_pass_list_contains(o->outputs.print_after, pass))
		return;
	sr_buf_printf(o->outputs.dump, "// -----// IR Dump After %s //----- //\n", pass);
	sr_print(pipeline->ctx, root, &(struct sr_print_options){0}, o->outputs.dump);
	sr_buf_putc(o->outputs.dump, '\n');
}

static enum sr_status run_stage(struct pipeline *pipeline, const char *passes, double *elapsed_s)
{
	double start = sr_now();
	struct sr_pass_list *list = sr_pass_list_new(pipeline->ctx, &sr_compiler_passes);
	enum sr_status status = sr_pass_list_parse(list, passes);
	pipeline->n_passes = sr_pass_list_size(list);
	if (!status)
		status = sr_pass_list_run(list, pipeline->module,
					  &(struct sr_pass_run){.verify_each = pipeline->options->outputs.verify_each,
								.before = before_pass,
								.after = after_pass,
								.data = pipeline});
	*elapsed_s += sr_now() - start;
	return status;
}

static int64_t count_attr(const struct sr_op *module, const char *attr)
{
	const struct sr_attr *a = sr_op_attr(module, attr);
	return a && a->kind == SR_ATTR_INTEGER && a->i > 0 ? a->i : 1;
}

/* Count the devices: replicas times partitions; the partitions are the mesh's devices, or mhlo.num_partitions without a mesh.
 * Meshes of several devices must have the same number of them. */
static enum sr_status count_devices(struct pipeline *pipeline, struct sr_compiled *out)
{
	int64_t n_partitions = count_attr(pipeline->module, "mhlo.num_partitions");
	out->n_replicas = count_attr(pipeline->module, "mhlo.num_replicas");
	if (pipeline->options->interpret) {
		out->n_devices = sr_parallel_devices(pipeline->module);
		out->n_replicas = 1;
		return SR_OK;
	}
	sr_extend_unit_meshes(pipeline->ctx, pipeline->module);
	out->mesh = sr_first_mesh(pipeline->module);
	if (out->mesh)
		n_partitions = sr_mesh_devices(out->mesh);
	for (struct sr_op *op = sr_module_body(pipeline->module)->first; op; op = op->next) {
		const struct sr_mesh *mesh = sr_op_mesh(op);
		if (mesh && mesh->n_axes && out->mesh && sr_mesh_devices(mesh) != n_partitions)
			return sr_op_error(
				op, &pipeline->ctx->diags, SR_UNSUPPORTED,
				"has %lld devices, but another mesh of the module has %lld; a program runs on one set of devices",
				(long long)sr_mesh_devices(mesh), (long long)n_partitions);
	}
	if (sr_mul_overflows(n_partitions, out->n_replicas, &out->n_devices) || out->n_devices > INT32_MAX)
		return sr_error(&pipeline->ctx->diags, SR_UNSUPPORTED, sr_loc_source(pipeline->module->loc),
				"the program has %lld partitions and %lld replicas; at most %d devices are supported",
				(long long)n_partitions, (long long)out->n_replicas, INT32_MAX);
	return SR_OK;
}

/* Store a number of replicas or partitions given by the options in the module, unless the module has one. */
static void set_count_attr(const struct pipeline *pipeline, const char *attr, int64_t n)
{
	if (n > 1 && n <= INT32_MAX && !sr_op_attr(pipeline->module, attr))
		sr_op_set_attr(pipeline->ctx, pipeline->module, attr, sr_attr_i32(pipeline->ctx, (int32_t)n));
}

static enum sr_status read_module(struct pipeline *pipeline, const char *file, const char *text, size_t n)
{
	enum sr_status status = sr_check_format(pipeline->ctx, file, &text, &n);
	if (!status) {
		if (!pipeline->options->line_offset)
			sr_diags_add_source(&pipeline->ctx->diags, file, text, n);
		status = sr_parse_at(pipeline->ctx, file, text, n, pipeline->options->line_offset, &pipeline->module);
	}
	return status ? status : sr_verify(pipeline->ctx, pipeline->module);
}

/* Make all shapes static. Shape assertions in a program concern its inputs, so a failing assertion is a usage error. */
static enum sr_status make_static(struct pipeline *pipeline, double *elapsed_s)
{
	if (sr_shapes_are_static(pipeline->module))
		return SR_OK;
	/* composites become calls, and each call refines its own copy of the function */
	enum sr_status status = run_stage(pipeline, "stablehlo-legalize-composite-to-call,sdy-flatten-call-graph", elapsed_s);
	if (!status)
		status = sr_refine_entry_arguments(pipeline->ctx, pipeline->module, pipeline->options);
	if (!status && run_stage(pipeline, "stablehlo-check-shape-assertions{enable-shape-assertions=true}", elapsed_s))
		status = SR_USAGE;
	if (!status)
		status = run_stage(pipeline, "stablehlo-canonicalize-dynamism,symbol-dce", elapsed_s);
	return status ? status : sr_check_static_shapes(pipeline->ctx, pipeline->module);
}

static const char *const partition_pipelines[] = {[SR_PARTITION_CHEAP] = "shardrun-partition-pipeline",
						  [SR_PARTITION_UPSTREAM] = "shardrun-partition-as-propagated-pipeline",
						  [SR_PARTITION_REPLICATE] = "shardrun-replicate-pipeline"};

/* Insert probes and, for --verify, replicate the module for one device. This runs before partition, so that the values are
 * those of the input module. */
static enum sr_status probe_and_unshard(struct pipeline *pipeline, struct sr_compiled *out)
{
	const struct sr_compile_options *o = pipeline->options;
	enum sr_status status = run_stage(pipeline, "inline,symbol-dce", &out->times.partition_s);
	if (!status && o->probes)
		status = sr_insert_probes_in(pipeline->ctx, pipeline->module, o->probes);
	if (status || !o->unshard)
		return status;
	if (out->n_replicas > 1)
		return sr_error(&pipeline->ctx->diags, SR_UNSUPPORTED, sr_loc_source(pipeline->module->loc),
				"the module is for %lld replicas, which cannot be run on one device", (long long)out->n_replicas);
	out->mesh = NULL;
	out->n_devices = 1;
	return sr_unshard_module(pipeline->ctx, pipeline->module);
}

static const char *partition_pipeline(const struct pipeline *pipeline)
{
	const char *name = partition_pipelines[pipeline->options->partition];
	bool has_options = pipeline->options->partition == SR_PARTITION_CHEAP && (pipeline->saving.price > 0 || pipeline->saving.keep_slice_shardings);
	return has_options ? sr_printf(pipeline->ctx->arena, "%s{memory-price=%g keep-slice-shardings=%s}", name,
				       pipeline->saving.price, pipeline->saving.keep_slice_shardings ? "true" : "false")
			   : name;
}

/* Decompose matrix products and set *products to their number: to send one chunk while others are computed, or to hold chunks of
 * large gathered operands instead of all of them. Chunks in flight hold memory, so under a memory limit the first is done on
 * request only. */
static enum sr_status decompose_matmuls(struct pipeline *pipeline, double *seconds, int64_t *n_products)
{
	const struct sr_compile_options *o = pipeline->options;
	bool is_requested = o->decompose_matmul == SR_DECOMPOSE_MATMUL_ON;
	*n_products = 0;
	bool may_be_faster = o->overlap != SR_OVERLAP_OFF && !pipeline->saving.limit;
	if (o->interpret || o->decompose_matmul == SR_DECOMPOSE_MATMUL_OFF ||
	    !(is_requested || pipeline->saving.chunk_bytes || may_be_faster))
		return SR_OK;
	const char *pass = is_requested ? "shardrun-collective-matmul{number=4}" : "shardrun-collective-matmul";
	if (pipeline->saving.chunk_bytes && !is_requested)
		pass = sr_printf(pipeline->ctx->arena, "shardrun-collective-matmul{number=8 chunk-bytes=%lld}",
				 (long long)pipeline->saving.chunk_bytes);
	enum sr_status status = run_stage(pipeline, pass, seconds);
	*n_products = sr_op_int(pipeline->module, SR_DECOMPOSED_MATMULS, 0);
	return status;
}

/* Return the overlap mode for collectives and computation: on if products were decomposed to save time and the user asked for AUTO,
 * else the user's. */
static enum sr_overlap effective_overlap(const struct pipeline *pipeline, int64_t n_products)
{
	enum sr_overlap requested = pipeline->options->overlap;
	return n_products && !pipeline->saving.chunk_bytes && requested == SR_OVERLAP_AUTO ? SR_OVERLAP_ON : requested;
}

/* Return true if collectives are combined. They are not under a memory limit, since combined collectives hold all their
 * operands at once. */
static bool combines_collectives(const struct pipeline *pipeline)
{
	return pipeline->options->combine == SR_COMBINE_AUTO && !pipeline->saving.limit;
}

/* Verify the local module. An invalid one is a bug in a pass, and could have wrong results or let ranks wait forever. */
static enum sr_status verify_local_module(struct pipeline *pipeline)
{
	return sr_verify(pipeline->ctx, pipeline->module) ? SR_INTERNAL : SR_OK;
}

static enum sr_status combine_collectives(struct pipeline *pipeline, double *elapsed_s)
{
	return combines_collectives(pipeline) ? run_stage(pipeline, "shardrun-combine-collectives", elapsed_s) : SR_OK;
}

/* Print the local module with the collectives that the program executes. */
static enum sr_status print_local_module(struct pipeline *pipeline, struct sr_compile_times *t)
{
	enum sr_status status = combine_collectives(pipeline, &t->optimize_s);
	if (!status)
		sr_print_local_module(pipeline->ctx, pipeline->module, pipeline->options->outputs.local_module);
	return status;
}

/* Lower the local module to work, after its last changes as a module of ops are verified. */
static enum sr_status lower_to_work(struct pipeline *pipeline, enum sr_overlap overlap, double *elapsed_s)
{
	enum sr_status status = combine_collectives(pipeline, elapsed_s);
	if (!status)
		status = verify_local_module(pipeline);
	if (status)
		return status;
	static const char *const strip_mine[] = {
		[SR_STRIP_MINE_AUTO] = "auto", [SR_STRIP_MINE_ON] = "on", [SR_STRIP_MINE_OFF] = "off"};
	const char *work = sr_printf(pipeline->ctx->arena,
				     "shardrun-work-pipeline{combine=false strip-mine=%s threads=%lld overlap=%s memory=%lld interpreted=%s}",
				     strip_mine[pipeline->options->strip_mine], (long long)pipeline->options->threads,
				     overlap == SR_OVERLAP_ON ? "true" : "false", (long long)pipeline->saving.limit,
				     pipeline->options->interpret_nests ? "true" : "false");
	return run_stage(pipeline, work, elapsed_s);
}

static enum sr_status run_stages(struct pipeline *pipeline, struct sr_compiled *out)
{
	struct sr_compile_times *t = &out->times;
	const struct sr_compile_options *o = pipeline->options;
	if (o->interpret)
		return run_stage(pipeline, "shardrun-interpret-pipeline", &t->optimize_s);
	enum sr_status status = run_stage(pipeline, "shardrun-import-pipeline", &t->propagate_s);
	if (!status && out->mesh && !o->keep_unreduced)
		status = sr_entry_drop_unreduced_axes(pipeline->ctx, pipeline->module, o->function);
	if (!status && out->mesh && o->partition == SR_PARTITION_CHEAP && !o->keep_results)
		status = sr_mark_unconstrained_results(pipeline->ctx, pipeline->module, o->function);
	if (!status && o->outputs.page)
		sr_page_record_input(&pipeline->page, pipeline->ctx, pipeline->file, pipeline->module);
	if (!status && out->mesh && o->partition != SR_PARTITION_REPLICATE)
		status = run_stage(pipeline, "sdy-propagation-pipeline{verify-unreduced-axes=false}", &t->propagate_s);
	if (!status && o->outputs.page)
		status = sr_page_record_propagated(&pipeline->page, pipeline->module, o->function);
	bool show_entry = o->outputs.shown_values && !*o->outputs.shown_values;
	if (!status && o->outputs.shown_values && !show_entry)
		status = sr_show_sharding(pipeline->ctx, pipeline->module, o->function, o->outputs.shown_values,
					  o->outputs.drawings);
	if (!status && (o->probes || o->unshard))
		status = probe_and_unshard(pipeline, out);
	if (!status && out->mesh)
		status = run_stage(pipeline, partition_pipeline(pipeline), &t->partition_s);
	else if (!status)
		status = run_stage(pipeline, "inline,symbol-dce", &t->partition_s);
	/* draw the entry's shardings after partition, since results may have other shardings than propagation gave them */
	if (!status && show_entry)
		status = sr_show_sharding(pipeline->ctx, pipeline->module, o->function, o->outputs.shown_values, o->outputs.drawings);
	if (!status)
		status = run_stage(pipeline, o->interpret_nests ? "shardrun-optimize-pipeline{hoist-masks=true}" : "shardrun-optimize-pipeline",
				   &t->optimize_s);
	if (!status)
		status = verify_local_module(pipeline);
	if (!status && o->outputs.page)
		sr_page_record_collectives(&pipeline->page, pipeline->module);
	if (!status && o->outputs.local_module)
		status = print_local_module(pipeline, t);
	return status;
}

static bool has_function(const struct sr_op *module)
{
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			return true;
	return false;
}

enum sr_status sr_explain_missing(struct sr_context *ctx, const char *option, const char *request)
{
	return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0},
			"%s=%s: no value has this name, comes from an op of this name, or is defined on this source line", option,
			request);
}

/* Run the stages and write the explanations that were requested. */
static enum sr_status run_stages_explained(struct pipeline *pipeline, struct sr_compiled *out)
{
	const struct sr_compile_options *o = pipeline->options;
	struct sr_explain explain = {.request = o->outputs.explain, .out = o->outputs.explanation},
			  explain_partition = {.request = o->outputs.explain_partition, .out = o->outputs.explanation};
	bool propagates = out->mesh && !o->interpret && o->partition != SR_PARTITION_REPLICATE;
	const char *why = o->interpret ? "--interpret runs the program as written"
			  : !out->mesh ? "the program has no mesh"
				       : "--partition=replicate computes everything on every device";
	if (o->outputs.explain && !propagates)
		return sr_error(&pipeline->ctx->diags, SR_USAGE, (struct sr_src_loc){0},
				"--explain: %s; propagation does not run", why);
	if (propagates && o->partition == SR_PARTITION_UPSTREAM)
		why = "--partition=upstream keeps the propagated shardings";
	else if (propagates && out->n_devices == 1)
		why = "the mesh has one device";
	else if (propagates)
		why = NULL;
	if (o->outputs.explain_partition && why)
		return sr_error(&pipeline->ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "--explain-partition: %s; the search does not run",
				why);
	pipeline->ctx->explain = o->outputs.explain ? &explain : NULL;
	pipeline->ctx->explain_partition = o->outputs.explain_partition ? &explain_partition : NULL;
	enum sr_status status = run_stages(pipeline, out);
	pipeline->ctx->explain = pipeline->ctx->explain_partition = NULL;
	if (!status && o->outputs.explain && !explain.n_found)
		status = sr_explain_missing(pipeline->ctx, "--explain", o->outputs.explain);
	if (!status && o->outputs.explain_partition && !explain_partition.n_found)
		status = sr_explain_missing(pipeline->ctx, "--explain-partition", o->outputs.explain_partition);
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

/* Return how many of n devices, in device order, are on one node of the job. */
static int64_t devices_per_node(const struct sr_job_nodes *nodes, int64_t n)
{
	int64_t devices_per_rank = nodes->devices_per_rank, devices_on_node;
	if (!devices_per_rank)
		devices_per_rank = nodes->ranks && n % nodes->ranks == 0 ? n / nodes->ranks : 1;
	return sr_mul_overflows(nodes->ranks_per_node, devices_per_rank, &devices_on_node) || devices_on_node > n ? n : devices_on_node;
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
	if (nodes->ranks_per_node) {
		machine->ranks_per_node = (int)devices_per_node(nodes, n);
		machine->knows_nodes = true;
	}
	return machine;
}

/* Set the context fields that the stages read. */
static enum sr_status set_context(struct sr_context *ctx, const struct sr_compile_options *options)
{
	ctx->replication_notes.n = 0;
	const struct sr_compile_outputs *outputs = &options->outputs;
	ctx->keep_names = outputs->explain || outputs->explain_partition || outputs->page || outputs->shown_values ||
			  options->probes;
	return sr_read_machine(ctx, options->machine);
}

/* Tell the search how the user places the mesh axes on several nodes. */
static void set_axis_order(struct pipeline *pipeline, const struct sr_mesh *mesh)
{
	struct sr_context *ctx = pipeline->ctx;
	int *order = SR_NEW_ARRAY(ctx->scratch, int, mesh->n_axes);
	int64_t *axes = SR_NEW_ARRAY(ctx->scratch, int64_t, mesh->n_axes);
	if (!ctx->machine->knows_nodes || !sr_mesh_axis_order(mesh, pipeline->options->axis_order, order))
		return;
	for (int i = 0; i < mesh->n_axes; i++)
		axes[i] = order[i];
	sr_op_set_attr(ctx, pipeline->module, SR_AXIS_ORDER, sr_attr_i64s(ctx, axes, mesh->n_axes));
}

/* Check that each instruction can be executed: an op may have extents and windows whose products overflow. The check takes time
 * and memory in proportion to the devices, so a plan for more than MAX_CHECKED_DEVICES, which is only inspected, is not
 * checked. A program file is checked when it is loaded. */
static enum sr_status check_program(struct sr_context *ctx, const struct sr_program *p)
{
	enum { MAX_CHECKED_DEVICES = 1 << 20 };
	const char *message;
	const struct sr_instr *instr;
	if (p->n_devices > MAX_CHECKED_DEVICES)
		return SR_OK;
	enum sr_status status = sr_program_check_at(p, p->bytes, &message, &instr);
	if (!status || !instr)
		return status ? sr_error(&ctx->diags, status, (struct sr_src_loc){.file = sr_program_string(p, p->model)},
					 "the compiled program is invalid: %s", message)
			      : SR_OK;
	return sr_error(&ctx->diags, SR_UNSUPPORTED, (struct sr_src_loc){.file = sr_program_string(p, instr->place)},
			"the instruction that this op was lowered to cannot be run: %s", message);
}

/* Plan the local module, which the stages have made. */
static enum sr_status plan_local_module(struct pipeline *pipeline, struct sr_compiled *out)
{
	struct sr_context *ctx = pipeline->ctx;
	const struct sr_compile_options *options = pipeline->options;
	struct sr_collective_cost collectives[SR_COLL_COUNT];
	struct sr_program *program = NULL;
	sr_collective_costs(ctx, pipeline->module, collectives);
	sr_annotate_trip_counts(ctx, pipeline->module);
	int64_t n_products;
	enum sr_status status = decompose_matmuls(pipeline, &out->times.optimize_s, &n_products);
	enum sr_overlap overlap = effective_overlap(pipeline, n_products);
	if (!status)
		status = lower_to_work(pipeline, overlap, &out->times.optimize_s);
	if (!status && pipeline->saving.limit) /* rematerialization may have added collectives, so cost them again */
		sr_collective_costs(ctx, pipeline->module, collectives);
	if (status)
		return status;
	report_progress(pipeline, "plan", 0, 0);
	status = sr_plan_module(ctx, pipeline->module,
				&(struct sr_plan_options){.function = options->function,
							  .n_devices = out->n_devices,
							  .n_replicas = out->n_replicas,
							  .model = pipeline->file,
							  .replicated = ctx->replication_notes.data,
							  .n_replicated = ctx->replication_notes.n,
							  .overlap = overlap,
							  .decomposed_matmuls = n_products,
							  .calls = options->call_targets,
							  .n_calls = options->n_call_targets,
							  .keep_unused_donors = options->keep_unused_donors,
							  .direct_convolutions = options->direct_convolutions || options->interpret,
							  .keep_denormals = options->keep_denormals || options->interpret,
							  .collectives = collectives},
				&program);
	out->program = program;
	if (!status)
		status = check_program(ctx, program);
	if (!status) {
		sr_estimate_program(program, ctx->machine, ctx->arena, &program->estimate);
		sr_estimate_collectives(program, ctx->machine, ctx->arena);
	}
	return status;
}

/* Compile a parsed module. `start` is the time at which the compilation began. */
static enum sr_status compile(struct pipeline *pipeline, double start, struct sr_compiled *out)
{
	struct sr_context *ctx = pipeline->ctx;
	const struct sr_compile_options *options = pipeline->options;
	set_count_attr(pipeline, "mhlo.num_replicas", options->n_replicas);
	set_count_attr(pipeline, "mhlo.num_partitions", options->n_partitions);
	out->depends_on_arguments = !sr_shapes_are_static(pipeline->module);
	enum sr_status status = make_static(pipeline, &out->times.optimize_s);
	if (!status)
		status = run_stage(pipeline, "shardrun-drop-callbacks,shardrun-inline-async", &out->times.propagate_s);
	if (!status && !options->interpret) { /* these passes run before devices are counted, since they add meshes */
		status = run_stage(pipeline,
				   "shardrun-import-frontend-attributes,shardrun-import-gspmd,sdy-lift-inlined-meshes,"
				   "shardrun-collectives-to-reshards",
				   &out->times.propagate_s);
		if (!status) /* manual computations imported from attributes have not been verified yet */
			status = sr_verify(ctx, pipeline->module);
	}
	struct sr_candidate candidate = {.saving = options->saving};
	if (!status && options->tune)
		status = sr_tune(ctx, pipeline->file, pipeline->module, options, options->tune, &candidate, &out->candidates);
	pipeline->saving = candidate.saving;
	if (!status && options->tune) /* sr_tune has changed the context for each plan it tried */
		status = set_context(ctx, options);
	if (!status)
		status = count_devices(pipeline, out);
	if (!status)
		ctx->machine = sr_machine_of_job(ctx, options->machine, &options->nodes, out->n_devices, &status);
	if (!status && out->mesh)
		set_axis_order(pipeline, out->mesh);
	out->times.parse_s = sr_now() - start;
	if (!status)
		status = run_stages_explained(pipeline, out);
	if (status)
		return status;
	double plan_start = sr_now();
	out->module = pipeline->module;
	if (options->interpret && !has_function(pipeline->module))
		return SR_OK; /* a module without a function has no program */
	status = plan_local_module(pipeline, out);
	out->times.plan_s = sr_now() - plan_start;
	if (!status && options->outputs.page && !options->interpret)
		sr_page_write(&pipeline->page, out, options->outputs.page);
	out->times.total_s = sr_now() - start;
	return status;
}

enum sr_status sr_compile(struct sr_context *ctx, const char *file, const char *text, size_t n,
			  const struct sr_compile_options *options, struct sr_compiled *out)
{
	struct pipeline pipeline = {.ctx = ctx, .options = options, .file = file};
	double start = sr_now();
	*out = (struct sr_compiled){0};
	report_progress(&pipeline, "parse", 0, 0);
	enum sr_status status = set_context(ctx, options);
	if (!status)
		status = read_module(&pipeline, file, text, n);
	return status ? status : compile(&pipeline, start, out);
}

enum sr_status sr_compile_module(struct sr_context *ctx, const char *file, struct sr_op *module,
				 const struct sr_compile_options *options, struct sr_compiled *out)
{
	struct pipeline pipeline = {.ctx = ctx, .options = options, .file = file, .module = module};
	*out = (struct sr_compiled){0};
	enum sr_status status = set_context(ctx, options);
	return status ? status : compile(&pipeline, sr_now(), out);
}
