/* A module's symbol table and call graph: unique names for new symbols, functions in call order, cloning a function together with
 * its callees. */
#ifndef SR_IMPORT_CALL_GRAPH_H
#define SR_IMPORT_CALL_GRAPH_H

#include "dialect/ops.h"
#include "support/vec.h"

typedef SR_VEC(struct sr_op *) sr_op_vec;

/* Symbol table of a module. A new symbol whose name is taken gets the suffix _0, _1, ... from one counter per table, as in MLIR's
 * SymbolTable. */
struct sr_symbols {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_map by_name; /* maps an interned symbol name to its op */
	/* set of the functions that sr_func_clone_with_callees is cloning; a call of one of them is recursion */
	struct sr_map functions_being_cloned;
	int next_suffix;
};
void sr_symbols_init(struct sr_symbols *symbols, struct sr_context *ctx, struct sr_op *module);
/* Return the op with this symbol name; NULL if there is none. */
struct sr_op *sr_symbols_find(const struct sr_symbols *symbols, const char *name);
/* Insert op and return its name, made unique if necessary. Append op to the module if it is in no block. */
const char *sr_symbols_insert(struct sr_symbols *symbols, struct sr_op *op);
void sr_symbols_erase(struct sr_symbols *symbols, struct sr_op *op);

/* Return all functions that have a body, callees before callers (upstream's post-order walk of the call graph). */
sr_op_vec sr_funcs_callees_first(struct sr_context *ctx, struct sr_op *module);
/* Return the func.call ops under `root` in post-order. The list is complete before the caller changes anything. */
sr_op_vec sr_calls_of(struct sr_context *ctx, struct sr_op *root);
/* Return the function that a func.call calls. Report an error and return NULL if it is not in the module. */
struct sr_op *sr_callee(const struct sr_symbols *symbols, const struct sr_op *call);
/* Call fn for every func.call of the module. Return SR_INVALID if a callee is not in the module. */
enum sr_status sr_for_each_call(struct sr_context *ctx, struct sr_op *module,
				void (*fn)(struct sr_context *ctx, struct sr_op *call, struct sr_op *callee));
void sr_set_callee(struct sr_context *ctx, struct sr_op *call, const char *name);

struct sr_op *sr_main_func(struct sr_op *module); /* Return the only function, else @main; NULL if there is neither. */

/* Create a private function under a unique name, append it to the module and move op's region into it; sdy.return becomes
 * func.return. */
struct sr_op *sr_outline_body(struct sr_symbols *symbols, struct sr_op *op, const char *name);

/* Clone func and, recursively, its callees into the module. Each clone keeps the original's name in sdy.original_func_name.
 * Report an error and return NULL on recursion. */
struct sr_op *sr_func_clone_with_callees(struct sr_symbols *symbols, struct sr_op *func);
/* Return sdy.original_func_name if func has it, else the function's own name. */
const char *sr_func_original_name(const struct sr_op *func);

/* Return sdy.sharding of all arguments or results as a SHARDINGS attribute, with fully open shardings where one is missing.
 * Return NULL if none of them is on a mesh of several devices. */
const struct sr_attr *sr_func_arg_shardings(struct sr_context *ctx, const struct sr_op *func);
const struct sr_attr *sr_func_result_shardings(struct sr_context *ctx, const struct sr_op *func);
/* Return a replicated sharding of type's rank on the mesh of `mesh_source`, with all dimensions closed or open. */
const struct sr_attr *sr_replicated_like(struct sr_context *ctx, const struct sr_sdy_sharding *mesh_source,
					 const struct sr_type *type, bool is_closed);

#endif
