/* The pass manager: lists of passes from command lines and pipeline texts, run in order with hooks, verification and times. */
#include "ir/pass.h"
#include "ir/pass_options.h"
#include "support/vec.h"
#include <ctype.h>
#include <string.h>
#include <time.h>

enum { MAX_DEPTH = 32 }; /* of pipelines in pipelines and of anchors in texts */

struct entry {
	const struct sr_pass *pass;
	struct sr_pass_options options;
	bool on_func;
	double seconds;
};

struct sr_pass_list {
	struct sr_context *ctx;
	const struct sr_passes *passes;
	SR_VEC(struct entry) entries;
};

/* Where a pipeline text is read and what it may refer to. */
struct reading {
	const char *at, *end;
	const struct sr_pass_options *owner;
	bool on_func;
	int depth;
};

const struct sr_pass *sr_pass_find(const struct sr_passes *passes, const char *name, size_t n)
{
	for (int i = 0; i < passes->n_tables; i++)
		for (const struct sr_pass *p = passes->tables[i]; p->name; p++)
			if (strlen(p->name) == n && memcmp(p->name, name, n) == 0)
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

static enum sr_status read_items(struct sr_pass_list *list, struct reading *r);

static enum sr_status mistake(struct sr_pass_list *list, const char *what, const struct reading *r)
{
	return sr_error(&list->ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "pass pipeline: %s at '%.*s'", what,
			(int)(r->end - r->at),
			r->at);
}

static enum sr_status add(struct sr_pass_list *list, const char *name, size_t n, const char *options, size_t n_options,
			  const struct reading *r)
{
	const struct sr_pass *pass = sr_pass_find(list->passes, name, n);
	if (!pass)
		return sr_error(&list->ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "'%.*s' is not a pass or pipeline", (int)n,
				name);
	if (r->depth > MAX_DEPTH)
		return sr_error(&list->ctx->diags, SR_INTERNAL, (struct sr_src_loc){0}, "pipeline '%s' holds itself", pass->name);
	struct entry entry = {.pass = pass, .on_func = pass->on_func || r->on_func};
	enum sr_status status = sr_pass_options_read(list->ctx, pass, options, n_options, r->owner, &entry.options);
	if (status != SR_OK)
		return status;
	if (!pass->run) {
		struct reading inner = {pass->pipeline, pass->pipeline + strlen(pass->pipeline), &entry.options, r->on_func,
					r->depth + 1};
		return read_items(list, &inner);
	}
	sr_push(list->ctx->arena, &list->entries, entry);
	return SR_OK;
}

static void skip_space(struct reading *r)
{
	while (r->at < r->end && isspace((unsigned char)*r->at))
		r->at++;
}

static bool take(struct reading *r, char c)
{
	skip_space(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

static size_t take_name(struct reading *r, const char **name)
{
	skip_space(r);
	*name = r->at;
	while (r->at < r->end && (isalnum((unsigned char)*r->at) || strchr("-_.", *r->at)))
		r->at++;
	return (size_t)(r->at - *name);
}

/* The text between the brace just taken and its match, which is taken too; -1 where there is none. */
static long take_braced(struct reading *r)
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

/* $flag? and !$flag? before an item, any number; false: the item is read and left out. */
static bool take_conditions(struct sr_pass_list *list, struct reading *r)
{
	for (bool all = true;;) {
		const char *start = r->at, *name;
		bool wanted = !take(r, '!');
		if (!take(r, '$')) {
			r->at = start;
			return all;
		}
		size_t n = take_name(r, &name);
		all = all && sr_option_bool(r->owner, sr_strndup(list->ctx->arena, name, n)) == wanted;
		take(r, '?');
	}
}

/* builtin.module(...), func.func(...), any(...): what is inside runs there. */
static enum sr_status read_anchor(struct sr_pass_list *list, struct reading *r, const char *name, size_t n)
{
	bool func = n == strlen("func.func") && memcmp(name, "func.func", n) == 0;
	struct reading inner = *r;
	inner.on_func = r->on_func || func;
	inner.depth++;
	if (inner.depth > MAX_DEPTH)
		return mistake(list, "nested too deeply", r);
	enum sr_status status = read_items(list, &inner);
	r->at = inner.at;
	if (status == SR_OK && !take(r, ')'))
		return mistake(list, "expected )", r);
	return status;
}

static enum sr_status read_item(struct sr_pass_list *list, struct reading *r)
{
	const char *name, *options = NULL;
	bool wanted = take_conditions(list, r);
	size_t n = take_name(r, &name);
	long n_options = 0;
	if (n == 0)
		return mistake(list, "expected a pass", r);
	if (take(r, '(')) {
		return read_anchor(list, r, name, n);
	}
	if (take(r, '{')) {
		options = r->at;
		n_options = take_braced(r);
		if (n_options < 0)
			return mistake(list, "expected }", r);
	}
	return wanted ? add(list, name, n, options, (size_t)n_options, r) : SR_OK;
}

static enum sr_status read_items(struct sr_pass_list *list, struct reading *r)
{
	skip_space(r);
	if (r->at == r->end || *r->at == ')')
		return SR_OK;
	do {
		enum sr_status status = read_item(list, r);
		if (status != SR_OK)
			return status;
	} while (take(r, ','));
	return SR_OK;
}

enum sr_status sr_pass_list_add(struct sr_pass_list *list, const char *name, const char *options)
{
	return add(list, name, strlen(name), options, options ? strlen(options) : 0, &(struct reading){0});
}

enum sr_status sr_pass_list_parse(struct sr_pass_list *list, const char *pipeline)
{
	struct reading r = {.at = pipeline, .end = pipeline + strlen(pipeline)};
	enum sr_status status = read_items(list, &r);
	skip_space(&r);
	if (status == SR_OK && r.at != r.end)
		return mistake(list, "unexpected text", &r);
	return status;
}

/* ---------------------------------------------------------------- running */

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static enum sr_status run_entry(struct sr_context *ctx, const struct entry *e, struct sr_op *module)
{
	if (!e->on_func || strcmp(module->info->name, "func.func") == 0)
		return e->pass->run(ctx, module, &e->options);
	/* A function that fails keeps no other from being checked; the first failure counts. */
	enum sr_status first = SR_OK;
	for (struct sr_op *op = sr_module_body(module)->first, *next; op; op = next) {
		next = op->next;
		enum sr_status status = strcmp(op->info->name, "func.func") == 0 ? e->pass->run(ctx, op, &e->options) : SR_OK;
		first = first == SR_OK ? status : first;
	}
	return first;
}

/* Most passes of a pipeline leave most modules as they are: what is as it was when it was last verified is right. */
static enum sr_status verify_changed(struct sr_context *ctx, struct sr_op *module, uint64_t *verified)
{
	uint64_t print = sr_op_fingerprint(module);
	if (print == *verified)
		return SR_OK;
	*verified = print;
	return sr_verify(ctx, module);
}

enum sr_status sr_pass_list_run(struct sr_pass_list *list, struct sr_op *module, const struct sr_pass_run *run)
{
	static const struct sr_pass_run plain;
	run = run ? run : &plain;
	uint64_t verified = 0;
	for (size_t i = 0; i < list->entries.n; i++) {
		struct entry *e = &list->entries.data[i];
		if (run->before)
			run->before(run->data, e->pass->name, (int)i, module);
		double start = now();
		struct sr_arena_position mark = sr_arena_mark(list->ctx->scratch);
		enum sr_status status = run_entry(list->ctx, e, module);
		sr_arena_release(list->ctx->scratch, mark);
		e->seconds = now() - start;
		if (status == SR_OK && run->verify_each)
			status = verify_changed(list->ctx, module, &verified);
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
		const struct entry *e = &list->entries.data[i];
		sr_buf_printf(out, "%s%s", i ? "," : "", e->pass->name);
		const char *before = "{";
		for (int k = 0; k < e->options.n; k++) {
			const struct sr_named_text *option = &e->options.at[k];
			if (option->value && option->value[0]) {
				sr_buf_printf(out, "%s%s=%s", before, option->name, option->value);
				before = " ";
			}
		}
		if (before[0] == ' ')
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
