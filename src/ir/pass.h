/* Passes as a table: name, options, what it does, what it requires and leaves; pipelines are lists of pass names.
 *
 * A pass works on a module (or, on_func, on each func.func) in place and returns a status; messages go to ctx->diags. The manager
 * prints before or after passes, verifies between them, and times each.
 *
 * Options in a row: "name:type=default, ..." with type bool, int or str. Given: "a=1 b='x y' c" (a bool alone is true; quotes or
 * braces keep a value together). A pipeline row's text is "a,b{x=1},c": $name inside an option value stands for the row's own
 * option, and an item written $flag?pass{...} or !$flag?pass{...} is taken only where that option is true, or is not; one may
 * follow the other. */
#ifndef SR_IR_PASS_H
#define SR_IR_PASS_H

#include "ir/ir.h"
#include "support/json.h"

/* Options as given: name=value pairs, names without quotes. Defaults come from the row's `options` text. */
struct sr_pass_options {
	struct sr_named_text { const char *name, *value; } *at;
	int n;
};
bool sr_option_bool(const struct sr_pass_options *o, const char *name);
int64_t sr_option_int(const struct sr_pass_options *o, const char *name);
const char *sr_option_string(const struct sr_pass_options *o, const char *name); /* "" where not given and no default */

typedef enum sr_status sr_pass_fn(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options);

struct sr_pass {
	const char *name;    /* "sdy-basic-propagate", as on the command line */
	const char *options; /* "keep-sharding-rules:bool=false, module-dump-directory:str" or "" */
	bool on_func;
	sr_pass_fn *run;
	const char *pipeline; /* run NULL: "a,b{x=1},c", option values may name own options as $x; expanded when added */
	const char *doc;      /* what it does, one to three sentences */
	const char *requires, *ensures;
};

struct sr_passes { /* a registry: tables of folders, in order */
	const struct sr_pass *const *tables; /* [n_tables], each ended by a row with name NULL */
	int n_tables;
};
const struct sr_pass *sr_pass_find(const struct sr_passes *passes, const char *name, size_t n);

/* A list of passes to run, expanded from pipelines. */
struct sr_pass_list;
struct sr_pass_list *sr_pass_list_new(struct sr_context *ctx, const struct sr_passes *passes);
/* One command-line pass: name and the text after '=' ("a=1 b=2", quotes allowed), or NULL. SR_USAGE, reported, where unknown. */
enum sr_status sr_pass_list_add(struct sr_pass_list *list, const char *name, const char *options);
/* "builtin.module(func.func(canonicalize{test-convergence}),cse)" or "a,b{x=1}" */
enum sr_status sr_pass_list_parse(struct sr_pass_list *list, const char *pipeline);

struct sr_pass_run {
	bool verify_each;
	/* Called before and after each pass where set; `after` with the status. For printing IR and statistics. */
	void (*before)(void *data, const char *pass, int index, struct sr_op *root);
	void (*after)(void *data, const char *pass, int index, struct sr_op *root, enum sr_status status);
	void *data;
};
enum sr_status sr_pass_list_run(struct sr_pass_list *list, struct sr_op *module, const struct sr_pass_run *run);
/* Seconds per pass of the last run, in order. */
int sr_pass_list_size(const struct sr_pass_list *list);
const char *sr_pass_list_name(const struct sr_pass_list *list, int i);
void sr_pass_list_print(const struct sr_pass_list *list, struct sr_buf *out); /* as a pipeline text, options and all */
double sr_pass_list_seconds(const struct sr_pass_list *list, int i);
void sr_passes_print(const struct sr_passes *passes, struct sr_buf *out); /* --list-passes */

#endif
