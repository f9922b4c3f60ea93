/* Build pass lists from command lines and pipeline texts, and run them with hooks, verification and timing (the pass manager). */
#include "ir/pass.h"
#include "ir/pass_options.h"
#include "support/clock.h"
#include "support/vec.h"
#include <ctype.h>
#include <string.h>

enum { MAX_DEPTH = 32 }; /* maximum nesting of pipelines and of anchors such as func.func(...) */

struct pass_entry {
	const struct sr_pass *pass;
	struct sr_pass_options options;
	bool on_func;
	double seconds;
};

struct sr_pass_list {
	struct sr_context *ctx;
	const struct sr_passes *passes;
	SR_VEC(struct pass_entry) entries;
};

/* Parser state for a pipeline text. `owner`: options that $name refers to. */
struct pipeline_reader {
	const char *at, *end;
	const struct sr_pass_options *owner;
	bool on_func;
	int depth;
};

struct sr_passes sr_passes_with(struct sr_arena *arena, const struct sr_passes *passes, const struct sr_pass *table)
{
	const struct sr_pass **tables = SR_NEW_ARRAY(arena, const struct sr_pass *, passes->n_tables + 1);
	memcpy(tables, passes->tables, (size_t)passes->n_tables * sizeof *tables);
	tables[passes->n_tables] = table;
	return (struct sr_passes){tables, passes->n_tables + 1};
}

const struct sr_pass *sr_pass_find(const struct sr_passes *passes, const char *name, size_t n)
{
	for (int i = 0; i < passes->n_tables; i++)
		for (const struct sr_pass *p = passes->tables[i]; p->name; p++)
			if (p->name[0] == name[0] && strncmp(p->name, name, n) == 0 && !p->name[n])
				return p;
	return NULL;
}

struct sr_pass_list *sr_pass_list_new(struct sr_context *ctx, const struct sr_passes *passes)
{
	struct sr_pass_list *list = SR_NEW(ctx->arena, struct sr_pass_list);
	list->ctx = ctx;
	list->passes = passes;
	return list;
}

/* ---------------------------------------------------------------- reading pipelines */

static enum sr_status read_items(struct sr_pass_list *list, struct pipeline_reader *r);

static enum sr_status report_syntax_error(struct sr_pass_list *list, const char *problem, const struct pipeline_reader *r)
{
	int n = (int)(r->end - r->at);
	return sr_error(&list->ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "pass pipeline: %s at %s%.*s%s", problem,
			n ? "'" : "its end", n, r->at, n ? "'" : "");
}

static enum sr_status add_pass(struct sr_pass_list *list, const char *name, size_t n, const char *options, size_t n_options,
			       const struct pipeline_reader *r)
{
	const struct sr_pass *pass = sr_pass_find(list->passes, name, n);
	if (!pass)
		return sr_error(&list->ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "'%.*s' is not a pass or pipeline", (int)n,
				name);
	if (r->depth > MAX_DEPTH)
		return sr_error(&list->ctx->diags, SR_INTERNAL, (struct sr_src_loc){0}, "pipeline '%s' contains itself", pass->name);
	struct pass_entry entry = {.pass = pass, .on_func = pass->on_func || r->on_func};
	enum sr_status status = sr_pass_options_read(list->ctx, pass, options, n_options, r->owner, &entry.options);
	if (status != SR_OK)
		return status;
	if (!pass->run) {
		struct pipeline_reader inner = {pass->pipeline, pass->pipeline + strlen(pass->pipeline), &entry.options, r->on_func,
					r->depth + 1};
		return read_items(list, &inner);
	}
	sr_push(list->ctx->arena, &list->entries, entry);
	return SR_OK;
}

static void skip_space(struct pipeline_reader *r)
{
	while (r->at < r->end && isspace((unsigned char)*r->at))
		r->at++;
}

static bool take_char(struct pipeline_reader *r, char c)
{
	skip_space(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

static size_t take_name(struct pipeline_reader *r, const char **name)
{
	skip_space(r);
	*name = r->at;
	while (r->at < r->end && (isalnum((unsigned char)*r->at) || strchr("-_.", *r->at)))
		r->at++;
	return (size_t)(r->at - *name);
}

/* Consume the text up to the matching brace, and the brace. Return its length; -1 if there is no match. */
static long take_braced(struct pipeline_reader *r)
{
	const char *begin = r->at;
	char quote = 0;
	for (int depth = 1; r->at < r->end; r->at++) {
		if (quote)
			quote = *r->at == quote ? 0 : quote;
		else if (*r->at == '"' || *r->at == '\'')
			quote = *r->at;
		else if (*r->at == '{')
			depth++;
		else if (*r->at == '}' && --depth == 0)
			return r->at++ - begin;
	}
	return -1;
}

/* Consume conditions ($flag? and !$flag?). Return false if the item that follows is to be skipped. */
static bool take_conditions(struct sr_pass_list *list, struct pipeline_reader *r)
{
	for (bool is_included = true;;) {
		const char *start = r->at, *name;
		bool expected_value = !take_char(r, '!');
		if (!take_char(r, '$')) {
			r->at = start;
			return is_included;
		}
		size_t n = take_name(r, &name);
		is_included = is_included && sr_option_bool(r->owner, sr_strndup(list->ctx->arena, name, n)) == expected_value;
		take_char(r, '?');
	}
}

/* Parse the contents of an anchor such as builtin.module(...), func.func(...) or any(...). */
static enum sr_status read_anchor(struct sr_pass_list *list, struct pipeline_reader *r, const char *name, size_t n)
{
	bool is_func = n == strlen("func.func") && memcmp(name, "func.func", n) == 0;
	struct pipeline_reader inner = *r;
	inner.on_func = r->on_func || is_func;
	inner.depth++;
	if (inner.depth > MAX_DEPTH)
		return report_syntax_error(list, "nested too deeply", r);
	enum sr_status status = read_items(list, &inner);
	r->at = inner.at;
	if (status == SR_OK && !take_char(r, ')'))
		return report_syntax_error(list, "expected ')'", r);
	return status;
}

static enum sr_status read_item(struct sr_pass_list *list, struct pipeline_reader *r)
{
	const char *name, *options = NULL;
	bool is_included = take_conditions(list, r);
	size_t n = take_name(r, &name);
	long n_options = 0;
	if (n == 0)
		return report_syntax_error(list, "expected a pass", r);
	if (take_char(r, '(')) {
		return read_anchor(list, r, name, n);
	}
	if (take_char(r, '{')) {
		options = r->at;
		n_options = take_braced(r);
		if (n_options < 0)
			return report_syntax_error(list, "expected '}'", r);
	}
	return is_included ? add_pass(list, name, n, options, (size_t)n_options, r) : SR_OK;
}

static enum sr_status read_items(struct sr_pass_list *list, struct pipeline_reader *r)
{
	skip_space(r);
	if (r->at == r->end || *r->at == ')')
		return SR_OK;
	do {
		enum sr_status status = read_item(list, r);
		if (status != SR_OK)
			return status;
	} while (take_char(r, ','));
	return SR_OK;
}

enum sr_status sr_pass_list_add(struct sr_pass_list *list, const char *name, const char *options)
{
	return add_pass(list, name, strlen(name), options, options ? strlen(options) : 0, &(struct pipeline_reader){0});
}

enum sr_status sr_pass_list_parse(struct sr_pass_list *list, const char *pipeline)
{
	struct pipeline_reader r = {.at = pipeline, .end = pipeline + strlen(pipeline)};
	enum sr_status status = read_items(list, &r);
	skip_space(&r);
	if (status == SR_OK && r.at != r.end)
		return report_syntax_error(list, "unexpected text", &r);
	return status;
}

/* ---------------------------------------------------------------- running */

static enum sr_status run_entry(struct sr_context *ctx, const struct pass_entry *e, struct sr_op *module)
{
	if (!e->on_func || strcmp(module->info->name, "func.func") == 0)
		return e->pass->run(ctx, module, &e->options);
	/* After a failure continue with the remaining functions, and return the first failure. */
	enum sr_status first_failure = SR_OK;
	for (struct sr_op *op = sr_module_body(module)->first, *next; op; op = next) {
		next = op->next;
		enum sr_status status = strcmp(op->info->name, "func.func") == 0 ? e->pass->run(ctx, op, &e->options) : SR_OK;
		first_failure = first_failure == SR_OK ? status : first_failure;
	}
	return first_failure;
}

/* Verify the module if its fingerprint changed since the last verification. Most passes leave most modules unchanged. */
static enum sr_status verify_changed(struct sr_context *ctx, struct sr_op *module, uint64_t *verified_fingerprint)
{
	uint64_t fingerprint = sr_op_fingerprint(module);
	if (fingerprint == *verified_fingerprint)
		return SR_OK;
	*verified_fingerprint = fingerprint;
	return sr_verify(ctx, module);
}

enum sr_status sr_pass_list_run(struct sr_pass_list *list, struct sr_op *module, const struct sr_pass_run *run)
{
	static const struct sr_pass_run default_run;
	run = run ? run : &default_run;
	uint64_t verified_fingerprint = 0;
	for (size_t i = 0; i < list->entries.n; i++) {
		struct pass_entry *e = &list->entries.data[i];
		if (run->before)
			run->before(run->data, e->pass->name, (int)i, module);
		double start = sr_now();
		struct sr_arena_position mark = sr_arena_mark(list->ctx->scratch);
		enum sr_status status = run_entry(list->ctx, e, module);
		sr_arena_release(list->ctx->scratch, mark);
		e->seconds = sr_now() - start;
		if (status == SR_OK && run->verify_each)
			status = verify_changed(list->ctx, module, &verified_fingerprint);
		if (run->after)
			run->after(run->data, e->pass->name, (int)i, module, status);
		if (status != SR_OK)
			return status;
	}
	return SR_OK;
}

int sr_pass_list_size(const struct sr_pass_list *list)
{
	return (int)list->entries.n;
}

const char *sr_pass_list_name(const struct sr_pass_list *list, int i)
{
	return list->entries.data[i].pass->name;
}

void sr_pass_list_print(const struct sr_pass_list *list, struct sr_buf *out)
{
	for (size_t i = 0; i < list->entries.n; i++) {
		const struct pass_entry *e = &list->entries.data[i];
		sr_buf_printf(out, "%s%s", i ? "," : "", e->pass->name);
		const char *separator = "{";
		for (int k = 0; k < e->options.n; k++) {
			const struct sr_named_text *option = &e->options.options[k];
			if (option->value && option->value[0]) {
				sr_buf_printf(out, "%s%s=%s", separator, option->name, option->value);
				separator = " ";
			}
		}
		if (separator[0] == ' ')
			sr_buf_putc(out, '}');
	}
}

double sr_pass_list_seconds(const struct sr_pass_list *list, int i)
{
	return list->entries.data[i].seconds;
}

/* ---------------------------------------------------------------- the registry as text */

static void print_line(struct sr_buf *out, const char *head, const char *text)
{
	if (text && *text)
		sr_buf_printf(out, "    %s%s\n", head, text);
}

void sr_passes_print(const struct sr_passes *passes, struct sr_buf *out)
{
	for (int i = 0; i < passes->n_tables; i++)
		for (const struct sr_pass *p = passes->tables[i]; p->name; p++) {
			sr_buf_printf(out, "--%s\n", p->name);
			print_line(out, "", p->doc);
			print_line(out, "options: ", p->options);
			print_line(out, "requires: ", p->requires);
			print_line(out, "ensures: ", p->ensures);
			print_line(out, "pipeline: ", p->run ? NULL : p->pipeline);
		}
}
