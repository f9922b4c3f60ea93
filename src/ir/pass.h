/* The table of passes (name, options, documentation, preconditions and postconditions) and the pass manager. Pipelines are lists of
 * pass names.
 *
 * A pass transforms a module (or each func.func, if on_func) in place and returns a status; messages go to ctx->diags. The
 * manager calls hooks before and after passes, verifies between them and measures their times.
 *
 * A row declares its options as "name:type=default, ..." with type bool, int or str. Options are passed as "a=1 b='x y' c" (a
 * bool without value is true; quotes or braces keep a value together). The pipeline of a row is a text like "a,b{x=1},c": $name
 * inside an option value is replaced by the row's own option, and an item $flag?pass{...} or !$flag?pass{...} is included only
 * if that option is true or, with !, false. Conditions may be combined. */
#ifndef SR_IR_PASS_H
#define SR_IR_PASS_H

#include "ir/ir.h"
#include "support/json.h"

/* Option values by name. Options that were not passed have the row's defaults. */
struct sr_pass_options {
	struct sr_named_text { const char *name, *value; } *options;
	int n;
};
bool sr_option_bool(const struct sr_pass_options *o, const char *name);
int64_t sr_option_int(const struct sr_pass_options *o, const char *name);
/* Return the value of an option; "" if it is absent and has no default. */
const char *sr_option_string(const struct sr_pass_options *o, const char *name);

typedef enum sr_status sr_pass_fn(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options);

struct sr_pass {
	const char *name;    /* name as on the command line: "sdy-basic-propagate" */
	const char *options; /* declarations: "keep-sharding-rules:bool=false, module-dump-directory:str", or "" */
	bool on_func;
	sr_pass_fn *run;
	/* if run is NULL: a text such as "a,b{x=1},c", expanded when the pass is added; $x refers to the pass's own option x */
	const char *pipeline;
	const char *doc;      /* what the pass does, in one to three sentences */
	const char *requires, *ensures;
};

struct sr_passes { /* a registry of passes: the tables of all components, in order */
	const struct sr_pass *const *tables; /* tables, each ended by a row with name NULL; length n_tables */
	int n_tables;
};
/* Return the registry with one more table, in the arena. */
struct sr_passes sr_passes_with(struct sr_arena *arena, const struct sr_passes *passes, const struct sr_pass *table);
const struct sr_pass *sr_pass_find(const struct sr_passes *passes, const char *name, size_t n);

/* A list of passes to run, with pipelines expanded. */
struct sr_pass_list;
struct sr_pass_list *sr_pass_list_new(struct sr_context *ctx, const struct sr_passes *passes);
/* Add a pass or pipeline by name; `options` is the text after '=' ("a=1 b=2", quotes allowed) or NULL. Return SR_USAGE, after
 * reporting it, if it is unknown. */
enum sr_status sr_pass_list_add(struct sr_pass_list *list, const char *name, const char *options);
/* Parse and add a pipeline text: "builtin.module(func.func(canonicalize{test-convergence}),cse)" or "a,b{x=1}". */
enum sr_status sr_pass_list_parse(struct sr_pass_list *list, const char *pipeline);

struct sr_pass_run {
	bool verify_each;
	/* Called before and after each pass if not NULL, e.g. to print the IR. `after` receives the pass's status. */
	void (*before)(void *data, const char *pass, int index, struct sr_op *root);
	void (*after)(void *data, const char *pass, int index, struct sr_op *root, enum sr_status status);
	void *data;
};
enum sr_status sr_pass_list_run(struct sr_pass_list *list, struct sr_op *module, const struct sr_pass_run *run);
/* Functions that return the name and the seconds of each pass of the last run, in order. */
int sr_pass_list_size(const struct sr_pass_list *list);
const char *sr_pass_list_name(const struct sr_pass_list *list, int i);
void sr_pass_list_print(const struct sr_pass_list *list, struct sr_buf *out); /* Print the list as a pipeline text with options. */
double sr_pass_list_seconds(const struct sr_pass_list *list, int i);
void sr_passes_print(const struct sr_passes *passes, struct sr_buf *out); /* Print all passes, for --list-passes. */

#endif
