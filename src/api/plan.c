/* Implement <shardrun/plan.h>: plans. */
#include "api/api.h"
#include "support/map.h"
#include "text/text.h"
#include <stdlib.h>
#include <string.h>

struct job {
	struct shardrun_plan *plan;
	struct shardrun_plan_options options;
	const void *bytes; /* contents of the file of a compiled program; NULL: read the file plan->name */
	size_t n;
};

static void describe_value(struct shardrun_value *v, const struct sr_program *p, const struct sr_io *io)
{
	*v = (struct shardrun_value){.type = sr_program_string(p, io->type), .name = sr_program_string(p, io->name), .rank = io->rank,
				     .element = sr_dtypes[io->dtype].name, .element_bytes = sr_dtype_bytes((enum sr_dtype)io->dtype),
				     .shape = sr_program_ids(p) + io->shape, .local_bytes = sr_program_buffers(p)[io->buffer].bytes,
				     .donated = io->donated, .aliases = io->aliases};
}

/* Fill the plan's descriptions of values and collectives from its program. */
static void read_program(struct shardrun_plan *plan, const struct sr_program *p)
{
	plan->values = SR_NEW_ARRAY(plan->ctx->arena, struct shardrun_value, p->n_arguments + p->n_results);
	for (int32_t i = 0; i < p->n_arguments + p->n_results; i++)
		describe_value(&plan->values[i], p, sr_program_values(p) + i);
	for (int i = 0; i < SR_COLL_COUNT; i++) {
		const struct sr_collective_cost *c = &p->collectives[i];
		if (c->count)
			plan->collectives[plan->n_collectives++] = (struct shardrun_collective){
				sr_coll_report_name((enum sr_coll)i), c->count, c->bytes, c->wire_bytes};
	}
	plan->program = p;
}

/* Compile a copy of the module, since passes change it and more plans may be made from it. */
static enum sr_status compile(void *data)
{
	struct job *job = data;
	struct shardrun_plan *plan = job->plan;
	struct sr_context *ctx = plan->ctx;
	struct sr_map copies;
	struct sr_compiled compiled;
	const struct sr_compile_options options = {.function = job->options.function, .interpret = job->options.interpret,
						   .partition = job->options.replicate ? SR_PARTITION_REPLICATE : SR_PARTITION_CHEAP,
						   .outputs.verify_each = job->options.verify_each,};
	sr_map_init(&copies, ctx->arena);
	struct sr_op *copy = sr_op_clone(ctx, plan->source_module->op, &copies);
	enum sr_status status = sr_compile_module(ctx, plan->name, copy, &options, &compiled);
	if (status)
		return status;
	plan->times = compiled.times;
	plan->module = compiled.module;
	if (compiled.program)
		read_program(plan, compiled.program);
	return SR_OK;
}

enum sr_status shardrun_plan_make(const struct shardrun_module *module, const struct shardrun_plan_options *options,
				  struct shardrun_plan **out)
{
	struct shardrun_plan *plan = calloc(1, sizeof *plan);
	struct job job = {.plan = plan};
	bool is_usable = module && module->op;
	enum sr_status status;
	*out = NULL;
	if (!plan || !(plan->ctx = is_usable ? module->ctx : sr_context_new())) {
		free(plan);
		return SR_NO_MEMORY;
	}
	*out = plan;
	plan->references = 1;
	plan->source_module = is_usable ? (struct shardrun_module *)(uintptr_t)module : NULL;
	plan->name = is_usable ? module->name : "";
	if (is_usable)
		plan->source_module->references++;
	if (!sr_api_options(&job.options, sizeof job.options, options))
		status = sr_api_error(plan->ctx, "the options of the plan are of a newer library");
	else if (!is_usable)
		status = sr_api_error(plan->ctx, "a plan needs a module that was read without error");
	else
		status = sr_api_guarded(plan->ctx, compile, &job);
	plan->message = sr_api_message(plan->ctx, status);
	return status;
}

/* ---- compiled programs ---- */

static enum sr_status load(void *data)
{
	struct job *job = data;
	struct shardrun_plan *plan = job->plan;
	struct sr_context *ctx = plan->ctx;
	const struct sr_program *p;
	const char *bytes, *message;
	size_t n = job->n;
	enum sr_status status = SR_OK;
	plan->name = sr_strdup(ctx->arena, plan->name);
	if (job->bytes)
		bytes = sr_dup(ctx->arena, job->bytes, n, 1);
	else
		status = sr_read_own_file(ctx, plan->name, 0, &bytes, &n, &plan->trusts_objects);
	if (status)
		return status;
	status = sr_program_load(bytes, n, &p, &message);
	if (status)
		return sr_error(&ctx->diags, status, (struct sr_src_loc){.file = plan->name}, "%s", message);
	sr_program_objects_load(p, n, ctx->arena, &plan->objects);
	read_program(plan, p);
	return SR_OK;
}

static enum sr_status make_loaded(struct job *job, const char *name, struct shardrun_plan **out)
{
	struct shardrun_plan *plan = calloc(1, sizeof *plan);
	*out = NULL;
	if (!plan || !(plan->ctx = sr_context_new())) {
		free(plan);
		return SR_NO_MEMORY;
	}
	*out = job->plan = plan;
	plan->references = 1;
	plan->name = name;
	enum sr_status status = sr_api_guarded(plan->ctx, load, job);
	plan->message = sr_api_message(plan->ctx, status);
	return status;
}

enum sr_status shardrun_plan_load(const char *path, struct shardrun_plan **out)
{
	return make_loaded(&(struct job){0}, path, out);
}

enum sr_status shardrun_plan_read(const char *name, const void *bytes, size_t n, struct shardrun_plan **out)
{
	return make_loaded(&(struct job){.bytes = bytes ? bytes : "", .n = bytes ? n : 0}, name ? name : "program", out);
}

static enum sr_status save(void *data)
{
	struct job *job = data;
	struct sr_buf *out = sr_alloc(job->plan->ctx->arena, 1, sizeof *out);
	sr_buf_init(out, job->plan->ctx->arena);
	sr_program_save(job->plan->program, &job->plan->objects, out);
	job->bytes = out->data;
	job->n = out->n;
	return SR_OK;
}

enum sr_status shardrun_plan_bytes(struct shardrun_plan *plan, const void **bytes, size_t *n)
{
	struct job job = {.plan = plan};
	enum sr_status status = SR_USAGE;
	*bytes = NULL;
	*n = 0;
	if (!plan || !plan->program)
		return status;
	if (!plan->bytes) {
		status = sr_api_guarded(plan->ctx, save, &job);
		plan->bytes = status ? NULL : job.bytes;
		plan->n_bytes = job.n;
	}
	*bytes = plan->bytes;
	*n = plan->bytes ? plan->n_bytes : 0;
	return plan->bytes ? SR_OK : status;
}

const char *shardrun_plan_message(const struct shardrun_plan *plan)
{
	return plan ? plan->message : sr_api_no_memory;
}

void shardrun_plan_free(struct shardrun_plan *plan)
{
	if (!plan || --plan->references)
		return;
	if (plan->source_module)
		shardrun_module_free(plan->source_module);
	else
		sr_context_free(plan->ctx);
	free(plan);
}

/* ---- figures ---- */

static const struct sr_program *program(const struct shardrun_plan *plan)
{
	return plan ? plan->program : NULL;
}

void shardrun_plan_figures(const struct shardrun_plan *plan, struct shardrun_figures *figures)
{
	const struct sr_program *p = program(plan);
	struct shardrun_figures f = {0};
	if (p)
		f = (struct shardrun_figures){.devices = p->n_devices, .argument_bytes = p->argument_bytes,
					      .output_bytes = p->output_bytes,
					      .alias_bytes = p->alias_bytes, .temp_bytes = p->temp_bytes, .constant_bytes = p->constant_bytes,
					      .peak_bytes = p->argument_bytes + p->output_bytes - p->alias_bytes + p->temp_bytes, .flops = p->flops,
					      .steps = (int64_t)p->instrs.n, .compile_s = plan->times.total_s};
	sr_api_copy_out(&f, sizeof f, figures);
}

const struct shardrun_collective *shardrun_plan_collective(const struct shardrun_plan *plan, int i)
{
	return plan && i >= 0 && i < plan->n_collectives ? &plan->collectives[i] : NULL;
}

const struct shardrun_value *shardrun_plan_argument(const struct shardrun_plan *plan, int i)
{
	return program(plan) && i >= 0 && i < program(plan)->n_arguments ? &plan->values[i] : NULL;
}

const struct shardrun_value *shardrun_plan_result(const struct shardrun_plan *plan, int i)
{
	return program(plan) && i >= 0 && i < program(plan)->n_results ? &plan->values[program(plan)->n_arguments + i] : NULL;
}

static enum sr_status fill_slice(const struct shardrun_plan *plan, const struct shardrun_value *v, int64_t device, int64_t *start,
				 int64_t *size, int64_t *local)
{
	const struct sr_program *p = program(plan);
	if (!v || device < 0 || device >= p->n_devices)
		return SR_USAGE;
	struct sr_device_slice s = sr_program_slice(p, sr_program_values(p) + (v - plan->values), device);
	const struct {
		int64_t *to;
		const int64_t *from;
	} rows[] = {{start, s.start}, {size, s.size}, {local, s.local}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].to)
			memcpy(rows[i].to, rows[i].from, sizeof(int64_t) * (size_t)v->rank);
	return SR_OK;
}

enum sr_status shardrun_plan_argument_slice(const struct shardrun_plan *plan, int i, int64_t device, int64_t *start, int64_t *size,
					    int64_t *local)
{
	return fill_slice(plan, shardrun_plan_argument(plan, i), device, start, size, local);
}

enum sr_status shardrun_plan_result_slice(const struct shardrun_plan *plan, int i, int64_t device, int64_t *start, int64_t *size,
					  int64_t *local)
{
	return fill_slice(plan, shardrun_plan_result(plan, i), device, start, size, local);
}

/* ---- as text ---- */

struct text {
	struct shardrun_plan *plan;
	void (*write)(struct shardrun_plan *plan, struct sr_buf *out);
	const char *result;
};

static void write_report(struct shardrun_plan *plan, struct sr_buf *out)
{
	struct sr_json json;
	sr_json_init(&json, out);
	sr_report_plan(&json, plan->program, &plan->times, out->arena);
	sr_json_close(&json);
	sr_buf_putc(out, '\n');
}

static void write_instructions(struct shardrun_plan *plan, struct sr_buf *out)
{
	sr_program_print(plan->program, out);
}

static void write_local_module(struct shardrun_plan *plan, struct sr_buf *out)
{
	sr_print(plan->ctx, plan->module, &(struct sr_print_options){0}, out);
}

static enum sr_status write_text(void *data)
{
	struct text *t = data;
	struct sr_buf buf;
	sr_buf_init(&buf, t->plan->ctx->arena);
	t->write(t->plan, &buf);
	t->result = sr_buf_string(&buf);
	return SR_OK;
}

static const char *text_of(struct shardrun_plan *plan, const char **cached_text,
			   void (*writer)(struct shardrun_plan *plan, struct sr_buf *out))
{
	struct text t = {plan, writer, NULL};
	if (!*cached_text && program(plan) && !sr_api_guarded(plan->ctx, write_text, &t))
		*cached_text = t.result;
	return *cached_text;
}

const char *shardrun_plan_report(struct shardrun_plan *plan)
{
	return plan ? text_of(plan, &plan->report, write_report) : NULL;
}

const char *shardrun_plan_text(struct shardrun_plan *plan)
{
	return plan ? text_of(plan, &plan->text, write_instructions) : NULL;
}

const char *shardrun_plan_module_text(struct shardrun_plan *plan)
{
	return plan && plan->module ? text_of(plan, &plan->module_text, write_local_module) : NULL;
}
