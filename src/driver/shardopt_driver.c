/* The shardopt driver: splits the input, runs the passes on each chunk, and handles dumps, timing and expected diagnostics. */
#include "driver/driver.h"
#include "propagate/explain.h"
#include "support/characters.h"
#include "support/clock.h"
#include "text/text.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

struct opt {
	const struct sr_opt_options *options;
	const struct sr_opt_pass *passes;
	int n_passes;
	struct sr_context *ctx; /* context of the current chunk of the input */
	FILE *out;
	double parse_s, print_s;
	/* explanations that --explain and --explain-partition print for the current chunk of a split input */
	struct sr_explain explain, explain_partition;
};

static struct sr_print_options print_options(const struct sr_opt_options *o)
{
	return (struct sr_print_options){.uses_generic_form = o->generic,
					 .prints_debuginfo = o->debuginfo,
					 .uses_local_scope = o->local_scope,
					 .elision_limit = o->elide_larger};
}

static void dump(struct opt *opt, const char *position, const char *pass, struct sr_op *root)
{
	struct sr_buf buf;
	struct sr_print_options how = print_options(opt->options);
	sr_buf_init(&buf, opt->ctx->arena);
	sr_print(opt->ctx, root, &how, &buf);
	fprintf(stderr, "// -----// IR Dump %s %s //----- //\n%s\n", position, pass, sr_buf_string(&buf));
}

static void before_pass(void *data, const char *pass, int index, struct sr_op *root)
{
	struct opt *opt = data;
	(void)index;
	if (opt->options->print_before && sr_pass_list_contains(opt->options->print_before, pass))
		dump(opt, "Before", pass, root);
}

static void after_pass(void *data, const char *pass, int index, struct sr_op *root, enum sr_status status)
{
	struct opt *opt = data;
	(void)index;
	if (status)
		return;
	if (opt->options->print_after_all || (opt->options->print_after && sr_pass_list_contains(opt->options->print_after, pass)))
		dump(opt, "After", pass, root);
}

static void print_timing(const struct opt *opt, const struct sr_pass_list *list)
{
	double total = opt->parse_s + opt->print_s;
	fprintf(stderr, "  ----Wall Time----  ----Name----\n");
	fprintf(stderr, "  %12.6f        Parser\n", opt->parse_s);
	for (int i = 0; i < sr_pass_list_size(list); i++) {
		fprintf(stderr, "  %12.6f        %s\n", sr_pass_list_seconds(list, i), sr_pass_list_name(list, i));
		total += sr_pass_list_seconds(list, i);
	}
	fprintf(stderr, "  %12.6f        Output\n  %12.6f        Total\n", opt->print_s, total);
}

static enum sr_status run_passes(struct opt *opt, struct sr_op *module, struct sr_pass_list **list)
{
	enum sr_status status = SR_OK;
	*list = sr_pass_list_new(opt->ctx, opt->options->registry);
	if (opt->options->pipeline)
		status = sr_pass_list_parse(*list, opt->options->pipeline);
	for (int i = 0; !status && i < opt->n_passes; i++)
		status = sr_pass_list_add(*list, opt->passes[i].name, opt->passes[i].options);
	if (status)
		return status;
	if (opt->options->dump_pipeline) {
		struct sr_buf text;
		sr_buf_init(&text, opt->ctx->arena);
		sr_pass_list_print(*list, &text);
		fprintf(stderr, "%.*s\n", (int)text.n, text.data);
	}
	return sr_pass_list_run(*list, module, &(struct sr_pass_run){opt->options->verify_each, before_pass, after_pass, opt});
}

static enum sr_status run_chunk(struct opt *opt, const char *file, const char *text, size_t n, int line_offset)
{
	struct sr_op *module = NULL;
	struct sr_pass_list *list = NULL;
	struct sr_buf buf;
	struct sr_print_options how = print_options(opt->options);
	double start = sr_now();
	sr_buf_init(&buf, opt->ctx->arena);
	const char *explain_request = opt->options->explain, *partition_request = opt->options->explain_partition;
	opt->explain = (struct sr_explain){.request = explain_request, .out = &buf};
	opt->explain_partition = (struct sr_explain){.request = partition_request, .out = &buf};
	opt->ctx->explain = explain_request ? &opt->explain : NULL;
	opt->ctx->explain_partition = partition_request ? &opt->explain_partition : NULL;
	opt->ctx->keep_names = opt->ctx->keep_names || explain_request || partition_request;
	enum sr_status status = sr_check_format(opt->ctx, file, &text, &n);
	if (!status)
		status = sr_parse_at(opt->ctx, file, text, n, line_offset, &module);
	if (!status)
		status = sr_verify(opt->ctx, module);
	opt->parse_s = sr_now() - start;
	if (!status)
		status = sr_read_machine(opt->ctx, opt->options->machine);
	if (!status)
		status = run_passes(opt, module, &list);
	if (status)
		return status;
	start = sr_now();
	if (explain_request && !opt->explain.n_found)
		return sr_explain_missing(opt->ctx, "--explain", explain_request);
	if (partition_request && !opt->explain_partition.n_found)
		return sr_explain_missing(opt->ctx, "--explain-partition", partition_request);
	if (!explain_request && !partition_request) {
		buf.drain = opt->out;
		sr_print(opt->ctx, module, &how, &buf);
		sr_buf_putc(&buf, '\n');
	}
	sr_buf_write(&buf, opt->out);
	opt->print_s = sr_now() - start;
	if (opt->options->timing)
		print_timing(opt, list);
	return SR_OK;
}

/* Run the passes on one chunk in a context of its own, whose memory is freed afterwards. */
static enum sr_status run_chunk_guarded(struct opt *opt, const char *file, const char *all, size_t all_bytes, const char *text,
					size_t n, int line_offset)
{
	jmp_buf unwind;
	volatile enum sr_status status = SR_NO_MEMORY;
	opt->ctx = sr_context_new();
	if (!opt->ctx)
		return SR_NO_MEMORY;
	opt->ctx->allow_unregistered = opt->options->allow_unregistered;
	if (!setjmp(unwind)) {
		sr_arena_guard(opt->ctx->arena, &unwind);
		sr_dialects_register(opt->ctx);
		sr_diags_add_source(&opt->ctx->diags, file, all, all_bytes);
		status = run_chunk(opt, file, text, n, line_offset);
		if (opt->options->verify_diagnostics)
			status = sr_expectations_met(opt->ctx->arena, &opt->ctx->diags, file, text, n, line_offset, stderr) ? SR_OK : SR_INVALID;
		else
			sr_diags_print(&opt->ctx->diags, stderr);
	} else {
		fprintf(stderr, "%s: error: out of memory\n", file);
	}
	sr_context_free(opt->ctx);
	return status;
}

const char *sr_split_marker(const char *p, const char *end)
{
	static const char mark[] = "// -----";
	for (const char *line = p; line < end;) {
		const char *eol = memchr(line, '\n', (size_t)(end - line));
		size_t n = (size_t)((eol ? eol : end) - line);
		while (n && (line[n - 1] == ' ' || line[n - 1] == '\r' || line[n - 1] == '\t'))
			n--;
		if (n >= sizeof mark - 1 && !memcmp(line + n - (sizeof mark - 1), mark, sizeof mark - 1))
			return line + n - (sizeof mark - 1);
		if (!eol)
			return NULL;
		line = eol + 1;
	}
	return NULL;
}

static enum sr_status run_chunks(struct opt *opt, const char *file, const char *text, size_t n)
{
	const char *p = text, *end = text + n;
	enum sr_status first_error = SR_OK;
	for (;;) {
		const char *marker = opt->options->split_input_file ? sr_split_marker(p, end) : NULL;
		enum sr_status status = run_chunk_guarded(opt, file, text, n, p, (size_t)((marker ? marker : end) - p),
							  sr_count_lines(text, p));
		first_error = first_error ? first_error : status;
		if (!marker)
			return first_error;
		fputs("// -----\n", opt->out);
		p = memchr(marker, '\n', (size_t)(end - marker));
		p = p ? p + 1 : end;
	}
}

/* Close the output file. Afterwards either the file is complete, or an error was reported and there is no file. */
static enum sr_status close_output(struct opt *opt, struct sr_diags *diags)
{
	bool is_file = opt->out != stdout;
	const char *name = is_file ? opt->options->output : "standard output";
	struct stat st;
	bool is_regular = is_file && !fstat(fileno(opt->out), &st) && S_ISREG(st.st_mode);
	enum sr_status status = sr_flush_stream(diags, opt->out, name);
	if (is_file && fclose(opt->out) && !status)
		status = sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = name}, "cannot be written: %s", strerror(errno));
	if (status && is_regular)
		remove(name);
	return status;
}

enum sr_status sr_opt_run(const char *path, const struct sr_opt_options *options, const struct sr_opt_pass *passes, int n_passes)
{
	struct opt opt = {.options = options, .passes = passes, .n_passes = n_passes, .out = stdout};
	struct sr_context *ctx = sr_context_new();
	const char *text;
	size_t n;
	enum sr_status status;
	if (!ctx)
		return SR_NO_MEMORY;
	status = sr_read_file(ctx, path, options->max_model_bytes, &text, &n);
	if (status) {
		sr_diags_print(&ctx->diags, stderr);
	} else if (options->output && strcmp(options->output, "-") && !(opt.out = fopen(options->output, "w"))) {
		fprintf(stderr, "%s: error: cannot be written: %s\n", options->output, strerror(errno));
		status = SR_USAGE;
	} else {
		status = run_chunks(&opt, path, text, n);
		enum sr_status close_status = close_output(&opt, &ctx->diags);
		sr_diags_print(&ctx->diags, stderr);
		status = status ? status : close_status;
	}
	sr_context_free(ctx);
	return status;
}
