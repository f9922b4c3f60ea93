/* Functions of a module: by name with new names made unique, in the order of calls, copied with what they call. */
#ifndef SR_IMPORT_CALL_GRAPH_H
#define SR_IMPORT_CALL_GRAPH_H

#include "dialect/ops.h"
#include "support/vec.h"

typedef SR_VEC(struct sr_op *) sr_op_vec;

/* A module's symbols. New symbols that clash get a suffix _0, _1, ... of one counter, as MLIR's symbol table gives it. */
struct sr_symbols {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_map by_name; /* interned name -> op */
	struct sr_map copying; /* functions that sr_func_clone_with_callees is at: a call of one of them is recursion */
	int next_suffix;
};
void sr_symbols_init(struct sr_symbols *symbols, struct sr_context *ctx, struct sr_op *module);
struct sr_op *sr_symbols_find(const struct sr_symbols *symbols, const char *name); /* NULL */
/* Renames the op where its name is taken; appends it to the module if it is in none. Returns its name. */
const char *sr_symbols_insert(struct sr_symbols *symbols, struct sr_op *op);
void sr_symbols_erase(struct sr_symbols *symbols, struct sr_op *op);

/* All functions with a body, callees before callers (upstream's post-order of the call graph). */
sr_op_vec sr_funcs_callees_first(struct sr_context *ctx, struct sr_op *module);
/* All calls of those functions' bodies, in that order, inner ops before outer. The list is made before anything is changed. */
sr_op_vec sr_calls_of(struct sr_context *ctx, struct sr_op *root);
struct sr_op *sr_callee(const struct sr_symbols *symbols, const struct sr_op *call); /* NULL, reported, where there is none */
/* fn for each of these calls of the module, with the function that it calls. */
enum sr_status sr_for_each_call(struct sr_context *ctx, struct sr_op *module,
			    void (*fn)(struct sr_context *ctx, struct sr_op *call, struct sr_op *callee));
void sr_set_callee(struct sr_context *ctx, struct sr_op *call, const char *name);

struct sr_op *sr_main_func(struct sr_op *module); /* the only function, or @main; NULL */

/* A private function, put into the module under a name made unique, that takes over the op's region; the region's sdy.return
 * becomes func.return. */
struct sr_op *sr_outline_body(struct sr_symbols *symbols, struct sr_op *op, const char *name);

/* A copy of the function, put into the module, with copies of all that it calls; each remembers what it is a copy of. NULL,
 * reported, where a function calls itself. */
struct sr_op *sr_func_clone_with_callees(struct sr_symbols *symbols, struct sr_op *func);
const char *sr_func_original_name(const struct sr_op *func); /* sdy.original_func_name, or its own */

/* sdy.sharding of all arguments or results as a list (kind SHARDINGS), open where missing; NULL: no sharding on a mesh of
 * devices. */
const struct sr_attr *sr_func_arg_shardings(struct sr_context *ctx, const struct sr_op *func);
const struct sr_attr *sr_func_result_shardings(struct sr_context *ctx, const struct sr_op *func);
/* Replicated, closed or open, on the mesh of `like`. */
const struct sr_attr *sr_replicated_like(struct sr_context *ctx, const struct sr_sdy_sharding *like, const struct sr_type *type,
					 bool closed);

#endif
