/* Signatures compiled at start from the table's notation (op_columns.h), and the definitions of dialect attributes. */
#ifndef SR_DIALECT_SIGNATURE_H
#define SR_DIALECT_SIGNATURE_H

#include "ir/ir.h"

enum sr_many { SR_ONE, SR_OPTIONAL, SR_VARIADIC };

struct sr_slot { /* an operand, a result or a region */
	const char *name;
	enum sr_many many;
	int class; /* row of classes.def */
};

struct sr_attr_slot {
	const char *name; /* interned in the context */
	int kind;         /* row of classes.def */
	const char *kind_name; /* "struct.dot", "enum.comparison_direction", "i64" */
	bool optional;
	const char *initial; /* default as text; NULL */
};

struct sr_signature {
	const struct sr_slot *operands, *results, *regions;
	int n_operands, n_results, n_regions;
	const struct sr_attr_slot *attrs;
	int n_attrs;
	bool operand_segments; /* several variadic groups: operandSegmentSizes */
};

/* Dialect attributes. ENUM: #stablehlo<comparison_direction LT>, bare LT inside a form. STRUCT: #stablehlo.gather<offset_dims = [1], ...>:
 * fields "name:kind" in printing order, name?: left out where not given or equal to its default. */
enum sr_attr_form { SR_FORM_ENUM, SR_FORM_STRUCT, SR_FORM_CUSTOM };
struct sr_attr_def {
	const char *dialect, *name; /* "stablehlo", "gather" */
	enum sr_attr_form form;
	const char *const *values;  /* ENUM: names, NULL-terminated */
	const struct sr_attr_slot *fields; /* STRUCT */
	int n_fields;
};
const struct sr_attr_def *sr_attr_def_find(const char *dialect, const char *name); /* NULL */
const struct sr_attr *sr_attr_enum(struct sr_context *ctx, const char *dialect, const char *name, const char *value);
const struct sr_attr *sr_attr_struct(struct sr_context *ctx, const struct sr_attr_def *def, const struct sr_attr *const *fields);
const char *sr_attr_enum_name(const struct sr_attr *a); /* "LT" */

/* Inherent attribute of this op by its signature (or as an unregistered op was given)? */
bool sr_attr_is_inherent(const struct sr_op *op, const char *name);

#endif
