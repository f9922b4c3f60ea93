/* Signatures compiled at start from the table's notation (op_columns.h), and the definitions of dialect attributes. */
#ifndef SR_DIALECT_SIGNATURE_H
#define SR_DIALECT_SIGNATURE_H

#include "ir/ir.h"

enum sr_slot_arity { SR_ONE, SR_OPTIONAL, SR_VARIADIC };

enum sr_type_class {
#define TYPE_CLASS(id, parts) SR_TYPES_##id,
#include "dialect/classes.def"
	SR_TYPES_COUNT
};
enum sr_attr_class {
#define ATTR_KIND(id, words) SR_KIND_##id,
#include "dialect/classes.def"
	SR_KIND_COUNT
};
enum sr_region_class {
#define REGION_KIND(id) SR_REGION_##id,
#include "dialect/classes.def"
	SR_REGION_COUNT
};

struct sr_slot { /* an operand, a result or a region */
	const char *name;
	enum sr_slot_arity many;
	int class; /* enum sr_type_class; of a region enum sr_region_class */
};

struct sr_attr_slot {
	const char *name;
	int kind;         /* enum sr_attr_class */
	const char *kind_name; /* "struct.dot", "enum.comparison_direction", "i64" */
	bool optional;
	const char *initial; /* default as text; NULL */
	const struct sr_attr_def *def; /* of enum.x and struct.x, and of lists of structures (their elements); else NULL */
	bool filled;         /* set to the default, an empty string, where it is not given */
};

struct sr_signature {
	const struct sr_slot *operands, *results, *regions;
	int n_operands, n_results, n_regions;
	const struct sr_attr_slot *attrs;
	int n_attrs;
	bool operand_segments; /* variadic groups of lengths of their own: operandSegmentSizes */
	const int *attrs_by_name; /* [n_attrs], in the order in which messages take them */
	struct sr_context *ctx;
};

/* Dialect attributes. ENUM: #stablehlo<comparison_direction LT>, bare LT inside a form. STRUCT: #stablehlo.gather<offset_dims =
 * [1], ...>: fields "name:kind" in printing order, name?: left out where not given or equal to its default. */
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
/* What is wrong with a structure's values (result_accuracy, dot_algorithm, propagation_edges), NULL: nothing. In the arena. */
const char *sr_attr_struct_mistake(struct sr_context *ctx, const struct sr_attr *a);
const char *sr_attr_enum_name(const struct sr_attr *a); /* "LT" */

/* Inherent attribute of this op by its signature (or as an unregistered op was given)? */
bool sr_attr_is_inherent(const struct sr_op *op, const char *name);

/* ---- classes of types ---- */
bool sr_type_is_class(const struct sr_type *t, int class);
/* Words for messages: "ranked tensor of 4/6/8/16/32/64-bit float or bool ... values". In the arena. */
const char *sr_type_class_str(struct sr_context *ctx, int class);
/* What is wrong with a type by itself: bounds of a tensor, scales of a quantized type, contents of a future. NULL: nothing. */
const char *sr_type_mistake(struct sr_context *ctx, const struct sr_type *t);
int sr_type_class_find(const char *name, size_t n); /* -1 */
/* ---- kinds of attributes ---- */
bool sr_attr_is_kind(const struct sr_attr *a, const struct sr_attr_slot *slot); /* fields of structures included */
bool sr_attr_is_struct(const struct sr_attr *a, const char *dialect, const char *name); /* and its fields are of their kinds */
const char *sr_attr_kind_str(int kind);
int sr_attr_kind_find(const char *name, size_t n); /* -1 */

/* Compile the table's notation; a mistake in it aborts with the op's name. */
const struct sr_signature *sr_signature_compile(struct sr_context *ctx, const char *op, const char *signature,
						const char *attributes);
/* Which slot an operand or result belongs to, and how many values each slot has: counts[n_slots]. False where the number does not
 * fit. sizes: operandSegmentSizes, NULL where the op has none. */
bool sr_slots_count(const struct sr_slot *slots, int n_slots, int n, const int64_t *sizes, int64_t n_sizes, int *counts);

/* Quantized element types: !quant.uniform<i8:f32:1, {0.1:-30, 0.5:2}>, parsed from the text of an OPAQUE type. */
struct sr_quant {
	bool is_signed;
	bool signless;          /* written i8 or u8, not si8 or ui8; StableHLO has no si8 */
	int width;              /* of the storage type: 2, 4, 8, 16, 32 */
	enum sr_dtype storage, expressed;
	int64_t min, max;       /* of the storage */
	int64_t axis;           /* -1: per tensor */
	int n;                  /* scales and zero points; 1 per tensor */
	const double *scales;
	const int64_t *zero_points;
};
bool sr_type_quant(const struct sr_type *t, struct sr_quant *out); /* of an element type; false: not quantized. Without scales */
/* The text of a quantized type as it is printed: default storage ranges left out, scales in one notation; others as they are.
 * Interned. */
const char *sr_quant_text(struct sr_context *ctx, const char *text);
bool sr_type_quant_values(struct sr_context *ctx, const struct sr_type *t, struct sr_quant *out); /* with scales and zero points */

#endif
