/* Op signatures, compiled once per process from the table's notation (op_columns.h), and definitions of dialect attributes. */
#ifndef SR_DIALECT_SIGNATURE_H
#define SR_DIALECT_SIGNATURE_H

#include "ir/ir.h"

enum sr_slot_arity { SR_ARITY_ONE, SR_ARITY_OPTIONAL, SR_ARITY_VARIADIC };

enum sr_type_class {
#define TYPE_CLASS(id, alternatives) SR_TYPES_##id,
#include "dialect/classes.def"
	SR_TYPES_COUNT
};
enum sr_attr_class {
#define ATTR_KIND(id, description) SR_KIND_##id,
#include "dialect/classes.def"
	SR_KIND_COUNT
};
enum sr_region_class {
#define REGION_KIND(id) SR_REGION_##id,
#include "dialect/classes.def"
	SR_REGION_COUNT
};

struct sr_slot { /* a named group of operands, results or regions */
	const char *name;
	enum sr_slot_arity arity;
	int class; /* enum sr_type_class, or for a region enum sr_region_class */
};

enum { SR_MAX_OPERAND_GROUPS = 16 }; /* largest number of operand groups or result groups of an op */

struct sr_attr_slot {
	const char *name;
	int kind;         /* class of the attribute, an enum sr_attr_class */
	const char *kind_name; /* kind as written in the table: "struct.dot", "enum.comparison_direction", "i64" */
	bool is_optional;
	const char *default_text; /* default value of the attribute as text; NULL: none */
	const struct sr_attr_def *def; /* definition of enum.x and struct.x, and of the elements of a list of structs; else NULL */
	bool has_empty_default;         /* true if a missing attribute is set to its default, the empty string */
};

struct sr_signature {
	const struct sr_slot *operands, *results, *regions;
	int n_operands, n_results, n_regions;
	const struct sr_attr_slot *attrs;
	int n_attrs;
	/* true if the op has several variadic groups of different lengths, whose sizes are in operandSegmentSizes */
	bool has_operand_segments;
	/* indices of the attributes sorted by name, the order in which they are checked; length n_attrs */
	const int *attrs_by_name;
};

/* Definitions of dialect attributes. ENUM: #stablehlo<comparison_direction LT>, or just LT inside a form. STRUCT:
 * #stablehlo.gather<offset_dims = [1], ...>, its fields in printing order; optional fields are omitted if absent or equal to their
 * default. CUSTOM: printed and parsed by a pair of functions in src/text. */
enum sr_attr_form { SR_FORM_ENUM, SR_FORM_STRUCT, SR_FORM_CUSTOM };
struct sr_attr_def {
	const char *dialect, *name; /* dialect and name of the attribute, for example "stablehlo" and "gather" */
	enum sr_attr_form form;
	const char *const *values;  /* names of the enumerators of an ENUM, NULL-terminated */
	const struct sr_attr_slot *fields; /* slots of the fields of a STRUCT attribute */
	int n_fields;
};
/* Return the definition of an attribute, or NULL if it is unknown. */
const struct sr_attr_def *sr_attr_def_find(const char *dialect, const char *name);
const struct sr_attr *sr_attr_enum(struct sr_context *ctx, const char *dialect, const char *name, const char *value);
/* Return the enum attribute with the enumerator of this number, counted from 0 in the order of attr_defs.def. */
const struct sr_attr *sr_attr_enum_at(struct sr_context *ctx, const char *dialect, const char *name, int value);
const struct sr_attr *sr_attr_struct(struct sr_context *ctx, const struct sr_attr_def *def, const struct sr_attr *const *fields);
/* Check the values of a struct attribute (result_accuracy, dot_algorithm, propagation_edges). Return an error message in the
 * arena, or NULL if they are valid. */
const char *sr_attr_struct_error(struct sr_context *ctx, const struct sr_attr *a);
const char *sr_attr_enum_name(const struct sr_attr *a); /* Return the name of an enum attribute's value, such as "LT". */

/* Return true if the attribute is inherent by the op's signature or, for an unregistered op, was given as inherent. */
bool sr_attr_is_inherent(const struct sr_op *op, const char *name);

/* ---- classes of types ---- */
bool sr_type_is_class(const struct sr_type *t, int class);
/* Describe a type class for messages: "ranked tensor of 4/6/8/16/32/64-bit float or bool ... values". The text is in the
 * context's arena. */
const char *sr_type_class_str(struct sr_context *ctx, int class);
/* Check a type by itself: bounds of a tensor, scales of a quantized type, contents of a future. Return an error message, or
 * NULL if the type is valid. */
const char *sr_type_error(struct sr_context *ctx, const struct sr_type *t);
int sr_type_class_find(const char *name, size_t n); /* Return the type class with this name; -1: unknown. */
/* ---- kinds of attributes ---- */
/* Return true if the attribute has the kind that the slot requires; fields of structs are checked, too. */
bool sr_attr_is_kind(const struct sr_attr *a, const struct sr_attr_slot *slot);
/* Return true if the attribute is this struct and its fields have the required kinds. */
bool sr_attr_is_struct(const struct sr_attr *a, const char *dialect, const char *name);
const char *sr_attr_kind_str(int kind);
int sr_attr_kind_find(const char *name, size_t n); /* Return the kind of attribute with this name; -1: unknown. */

/* Compile the table's notation into the arena of `strings`, in which names are interned. Aborts with the op's name on a syntax
 * error. */
const struct sr_signature *sr_signature_compile(struct sr_strings *strings, const char *op, const char *signature,
						const char *attributes);
/* Compute the number of values in each group: counts[n_slots], from n values and `sizes`, the operandSegmentSizes, or NULL.
 * Return false if the number of values does not match. */
bool sr_slots_count(const struct sr_slot *slots, int n_slots, int n, const int64_t *sizes, int64_t n_sizes, int *counts);

/* Return the sizes of an op's operand or result groups (operandSegmentSizes, resultSegmentSizes) and their number in *n; NULL
 * if the op has no such attribute. `sizes` is memory for the returned list. */
const int64_t *sr_op_segment_sizes(const struct sr_op *op, const char *attr, int64_t sizes[SR_MAX_OPERAND_GROUPS], int64_t *n);

/* Quantized element types: !quant.uniform<i8:f32:1, {0.1:-30, 0.5:2}>, parsed from the text of an OPAQUE type. */
struct sr_quant {
	bool is_signed;
	bool is_signless;          /* true if written i8 or u8 rather than si8 or ui8; StableHLO has no si8 */
	int width;              /* bits of the storage type: 2, 4, 8, 16, 32 */
	enum sr_dtype storage_type, expressed_type;
	int64_t min, max;       /* range of the storage type */
	int64_t axis;           /* quantized dimension; -1 if one scale applies to the whole tensor */
	int n;                  /* number of scales and of zero points; 1 if quantized per tensor */
	const double *scales;
	const int64_t *zero_points;
};
/* Parse a quantized element type, except its scales. Return false if the type is not quantized. */
bool sr_type_quant(const struct sr_type *t, struct sr_quant *out);
/* Return the canonical text of a quantized type: default storage ranges omitted, scales in uniform notation. Other text is
 * returned unchanged. Interned. */
const char *sr_quant_text(struct sr_context *ctx, const char *text);
/* Parse a quantized element type with its scales and zero points. */
bool sr_type_quant_values(struct sr_context *ctx, const struct sr_type *t, struct sr_quant *out);

#endif
