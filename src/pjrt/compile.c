/* Compilation: a module and options to an executable. */
#include "dialect/ops.h"
#include "driver/driver.h"
#include "driver/tune.h"
#include "optimize/pass_functions.h"
#include "pjrt/settings.h"
#include "support/checked.h"
#include "support/proto.h"
#include "support/sha256.h"
#include "text/text.h"
#include <stdlib.h>
#include <string.h>

struct compilation {
	struct sr_context *ctx;
	const struct PJRT_Program *program;
	const void *options;
	size_t n_options;
	struct sr_pjrt_options o;
	struct sr_pjrt_settings settings;
	struct sr_buf module, html_page;
	/* layouts of main's arguments and results, as orders of dimensions; NULL: all are row-major */
	const int64_t *const *orders;
	const uint8_t *tokens; /* for each of main's results, whether it is a token; NULL: none is */
	const uint8_t *memory_kinds; /* for each of main's arguments and results, its kind of memory; NULL: device memory */
	struct sr_buf settings_text; /* the settings as text, since options may also be environment variables */
	struct sr_compiled out;
	PJRT_Client *client;
	PJRT_Error *error;
	PJRT_Executable *executable;
};

static enum sr_status stop_with_error(struct compilation *c, PJRT_Error *error)
{
	c->error = error;
	return SR_USAGE;
}

/* Check that the program runs on the number of devices that the options give; a module without a mesh runs on one device per
 * replica. */
static enum sr_status check_devices(struct compilation *c)
{
	int64_t n_expected = c->o.n_replicas * c->o.n_partitions;
	if (c->out.n_devices == n_expected)
		return SR_OK;
	return stop_with_error(c, sr_pjrt_error(PJRT_INVALID_ARGUMENT,
				     "the module is for %lld devices, but the compile options ask for %lld replicas of %lld partitions",
				     (long long)c->out.n_devices, (long long)c->o.n_replicas, (long long)c->o.n_partitions));
}

/* Return device i of the assignment: that of replica i / n_partitions and partition i % n_partitions. */
static int64_t assigned_device(const struct sr_pjrt_options *o, int64_t i)
{
	int64_t n = o->n_replicas * o->n_partitions;
	return o->assignment ? o->assignment[i] : n == 1 && o->device > 0 ? o->device : i;
}

/* Return true if this process writes the output files of a compilation, since the program's first device is in this process. */
static bool writes_outputs(const struct compilation *c)
{
	int64_t device = assigned_device(&c->o, 0);
	return device >= 0 && device < c->client->n_devices && c->client->devices[device].local_index >= 0;
}

static const char *program_name(const struct compilation *c)
{
	const char *name = c->out.module ? sr_symbol_name(c->out.module) : NULL;
	return name ? name : "main";
}

static bool has_format(const struct PJRT_Program *p, const char *format)
{
	return p->format_size == strlen(format) && !memcmp(p->format, format, p->format_size);
}

static bool is_allowed(const sr_integers *list, int i)
{
	return list->n == 1 ? list->data[0] : (size_t)i < list->n && list->data[i];
}

/* Mark the parameters and results of an HLO module that have no sharding, and that propagation may not shard, as replicated.
 * Modules of JAX have such marks already. */
static enum sr_status replicate_unsharded(struct compilation *c, struct sr_op *module)
{
	static const char sharding_name[] = "mhlo.sharding", replicated_sharding[] = "{replicated}";
	enum sr_status status = SR_OK;
	struct sr_op *func = c->o.n_partitions > 1 && has_format(c->program, "hlo") ? sr_find_entry_function(c->ctx, module, NULL, &status) : NULL;
	if (status || !func)
		return status;
	const struct sr_attr *value = sr_attr_string(c->ctx, replicated_sharding, sizeof replicated_sharding - 1);
	for (int i = 0; i < sr_func_type(func)->n_inputs; i++)
		if (!is_allowed(&c->o.allow_parameters, i) && !sr_func_arg_attr(func, i, sharding_name))
			sr_func_set_arg_attr(c->ctx, func, i, sharding_name, value);
	for (int i = 0; i < sr_func_type(func)->n_results; i++)
		if (!is_allowed(&c->o.allow_results, i) && !sr_func_result_attr(func, i, sharding_name))
			sr_func_set_result_attr(c->ctx, func, i, sharding_name, value);
	return SR_OK;
}

/* Read the module, replace its tokens, apply the layouts that its attributes ask for, and compile it. */
static enum sr_status read_and_compile(struct compilation *c, const struct sr_compile_options *options)
{
	static const char file[] = "module";
	const char *text = c->program->code;
	size_t n = c->program->code_size;
	struct sr_op *module;
	enum sr_status status = sr_check_format(c->ctx, file, &text, &n);
	if (!status)
		status = sr_parse(c->ctx, file, text, n, &module);
	if (!status)
		status = sr_verify(c->ctx, module);
	if (!status)
		status = sr_pjrt_replace_tokens(c->ctx, module, &c->tokens);
	if (!status)
		status = sr_pjrt_read_memory_kinds(c->ctx, module, &c->memory_kinds);
	if (!status) /* frameworks expect XLA's scatter, which skips windows that are partly out of bounds */
		status = sr_run_skip_partial_windows(c->ctx, module, NULL);
	if (!status)
		status = sr_pjrt_apply_layouts(c->ctx, module, &c->orders);
	if (!status)
		status = replicate_unsharded(c, module);
	return status ? status : sr_compile_module(c->ctx, file, module, options, &c->out);
}

static enum sr_status compile_module(struct compilation *c)
{
	const struct sr_pjrt_settings *s = &c->settings;
	int64_t n_devices = c->o.n_replicas * c->o.n_partitions;
	const struct sr_tune_options tune_options = {.auto_shard = s->auto_shard && n_devices > 1, .ranks = n_devices, .memory.requested_bytes = s->memory_per_device};
	struct sr_compile_options options = {.n_replicas = c->o.n_replicas,
					     .n_partitions = c->o.n_partitions,
					     .partition = (enum sr_partition_mode)s->partition,
					     .overlap = (enum sr_overlap)s->overlap,
					     .combine = (enum sr_combine_collectives)s->combine,
					     .strip_mine = (enum sr_strip_mine)s->strip_mine,
					     .interpret_nests = s->codegen.mode == SR_CODEGEN_OFF,
					     .decompose_matmul = (enum sr_decompose_matmul)s->decompose_matmul,
					     .direct_convolutions = s->winograd == SR_WINOGRAD_OFF,
					     .keep_denormals = !s->flush_denormals,
					     .machine = s->machine,
					     /* frameworks read the results' shardings, so keep the ones that propagation found */
					     .keep_results = !tune_options.auto_shard,
					     .keep_unreduced = true, /* a framework's arrays have the partial values */
					     /* an argument whose donation was not used stays valid, since frameworks use such
					      * arguments again */
					     .keep_unused_donors = true,
					     .tune = tune_options.auto_shard || tune_options.memory.requested_bytes ? &tune_options : NULL,
					     .outputs = {.verify_each = s->verify_each, .page = s->html ? &c->html_page : NULL, .local_module = &c->module}};
	if (options.tune && options.partition != SR_PARTITION_CHEAP)
		return sr_error(&c->ctx->diags, SR_USAGE, (struct sr_src_loc){0},
				"shardrun_auto_shard and shardrun_memory_per_device require shardrun_partition=cheap");
	options.n_call_targets = sr_pjrt_ffi_handlers(c->ctx->arena, &options.call_targets, NULL);
	return read_and_compile(c, &options);
}

static enum sr_status compile(void *data)
{
	struct compilation *c = data;
	struct sr_arena *arena = c->ctx->arena;
	sr_dialects_register(c->ctx);
	sr_buf_init(&c->module, arena);
	sr_buf_init(&c->html_page, arena);
	sr_buf_init(&c->settings_text, arena);
	PJRT_Error *error = sr_pjrt_read_options(c->options, c->n_options, arena, &c->o);
	if (error)
		return stop_with_error(c, error);
	enum sr_status status = sr_pjrt_read_settings(&c->o, arena, &c->ctx->diags, &c->settings);
	sr_pjrt_put_settings(&c->settings, &c->settings_text);
	if (!status)
		status = compile_module(c);
	if (!status)
		status = check_devices(c);
	if (!status && writes_outputs(c))
		status = sr_pjrt_write_outputs(&c->settings, &c->out, program_name(c), &c->html_page, arena, &c->ctx->diags);
	return status;
}

/* ---- the executable ---- */

static void set_fingerprint(PJRT_Executable *x, const struct compilation *c)
{
	static const char digits[] = "0123456789abcdef";
	struct sr_sha256 h;
	sr_sha256_begin(&h);
	sr_sha256_add(&h, c->program->code, c->program->code_size);
	sr_sha256_add(&h, c->options, c->n_options);
	sr_sha256_add(&h, c->settings_text.data, c->settings_text.n);
	struct sr_digest d = sr_sha256_end(&h);
	for (size_t i = 0; i < sizeof d.bytes; i++) {
		x->fingerprint[2 * i] = digits[d.bytes[i] >> 4];
		x->fingerprint[2 * i + 1] = digits[d.bytes[i] & 15];
	}
}

static const int *copy_assignment(const struct sr_pjrt_options *o, struct sr_arena *arena)
{
	int64_t n = o->n_replicas * o->n_partitions;
	int *devices = SR_NEW_ARRAY(arena, int, n);
	for (int64_t i = 0; i < n; i++)
		devices[i] = (int)assigned_device(o, i);
	return devices;
}

/* Copy the layouts into the executable's arena; return NULL if all are row-major. */
static const int64_t *const *copy_orders(const struct compilation *c, struct sr_arena *arena)
{
	const struct sr_io *values = sr_program_values(c->out.program);
	int n = c->out.program->n_arguments + c->out.program->n_results;
	bool has_orders = false;
	const int64_t **orders = SR_NEW_ARRAY(arena, const int64_t *, n);
	for (int i = 0; i < n; i++) {
		orders[i] = c->orders && c->orders[i] ? sr_dup(arena, c->orders[i], (size_t)values[i].rank, sizeof **orders) : NULL;
		has_orders = has_orders || orders[i];
	}
	return has_orders ? orders : NULL;
}

/* Return the module's text with the shardings of the results as an attribute, for frameworks that do not use the extension for
 * shardings (PyTorch/XLA): a serialized OpSharding, of a tuple if there are several results. */
static struct sr_buf add_output_shardings(const PJRT_Executable *x, const struct sr_buf *module)
{
	enum { TYPE = 1, ELEMENTS = 5, TUPLE = 2 };
	static const char attributes[] = " attributes {";
	struct sr_buf out, sharding;
	const struct sr_pjrt_value *results = x->values + x->n_arguments;
	const char *end = module->n ? memchr(module->data, '\n', module->n) : NULL;
	if (!end || end - module->data < 2 || x->n_partitions == 1 || !x->n_results)
		return *module;
	size_t line = (size_t)(end - module->data) - 2; /* length of the module's first line, without the " {" at its end */
	const char *list = memmem(module->data, line, attributes, sizeof attributes - 1);
	size_t at = list ? (size_t)(list - module->data) + sizeof attributes - 1 : line;
	sr_buf_init(&sharding, x->arena);
	sr_buf_init(&out, x->arena);
	if (x->n_results == 1) {
		sr_buf_put(&sharding, results->sharding, results->n_sharding);
	} else {
		sr_proto_put_int(&sharding, TYPE, TUPLE);
		for (int i = 0; i < x->n_results; i++)
			sr_proto_put_bytes(&sharding, ELEMENTS, results[i].sharding, results[i].n_sharding);
	}
	sr_buf_put(&out, module->data, at);
	sr_buf_printf(&out, "%smhlo.spmd_output_sharding = \"", list ? "" : attributes);
	for (size_t i = 0; i < sharding.n; i++)
		sr_buf_printf(&out, "\\%02X", (unsigned char)sharding.data[i]);
	sr_buf_puts(&out, list ? "\", " : "\"}");
	sr_buf_put(&out, module->data + at, module->n - at);
	return out;
}

/* Copy all that the executable keeps from the context of the compilation. */
static enum sr_status fill_executable(void *data)
{
	struct compilation *c = data;
	PJRT_Executable *x = c->executable;
	x->name = sr_strdup(x->arena, program_name(c));
	x->n_replicas = (int)c->o.n_replicas;
	x->n_partitions = (int)c->o.n_partitions;
	x->program = sr_dup(x->arena, c->out.program, 1, c->out.program->bytes);
	x->options = sr_dup(x->arena, c->options, c->n_options, 1);
	x->n_options = c->n_options;
	x->orders = copy_orders(c, x->arena);
	x->tokens = c->tokens ? sr_dup(x->arena, c->tokens, (size_t)x->program->n_results, sizeof *x->tokens) : NULL;
	x->memory_kinds = c->memory_kinds ? sr_dup(x->arena, c->memory_kinds, (size_t)(x->program->n_arguments + x->program->n_results), 1) : NULL;
	x->assignment = copy_assignment(&c->o, x->arena);
	x->codegen = sr_pjrt_codegen_copy(&c->settings.codegen, x->arena);
	set_fingerprint(x, c);
	sr_pjrt_executable_describe(x);
	struct sr_buf module = add_output_shardings(x, &c->module);
	x->module = sr_strndup(x->arena, module.data ? module.data : "", module.n);
	x->n_module = module.n;
	return SR_OK;
}

static PJRT_Error *make_executable(struct compilation *c)
{
	PJRT_Executable *x = c->executable = calloc(1, sizeof *x);
	if (!x)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	atomic_init(&x->n_references, 1);
	x->arena = sr_arena_new();
	enum sr_status status = x->arena ? sr_arena_guarded(x->arena, fill_executable, c) : SR_NO_MEMORY;
	if (status) {
		sr_pjrt_executable_release(x);
		c->executable = NULL;
	}
	return sr_pjrt_message_error(status, "");
}

static PJRT_Error *compile_program(struct compilation *c)
{
	if (!has_format(c->program, "mlir") && !has_format(c->program, "hlo"))
		return sr_pjrt_error(PJRT_UNIMPLEMENTED, "programs of format '%.*s' cannot be compiled; mlir or hlo is expected",
				     (int)c->program->format_size, c->program->format);
	c->ctx = sr_context_new();
	if (!c->ctx)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	enum sr_status status = sr_arena_guarded(c->ctx->arena, compile, c);
	PJRT_Error *error = c->error ? c->error : sr_pjrt_status_error(status, &c->ctx->diags);
	if (!error)
		error = make_executable(c);
	sr_context_free(c->ctx);
	return error;
}

PJRT_Error *sr_pjrt_Client_Compile(struct PJRT_Client_Compile_Args *args)
{
	struct compilation c = {.program = args->program, .options = args->compile_options, .n_options = args->compile_options_size,
				.client = args->client};
	PJRT_Error *error = compile_program(&c);
	return error ? error : sr_pjrt_load(args->client, c.executable, &args->executable);
}

