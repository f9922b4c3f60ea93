/* Columns of the op table. A *.ops file includes this first and dialect/table/op_columns_end.h last. A component that wants a
 * column defines its macro and includes the table; the other columns are then empty:
 *
 *	static sr_rule_fn *const rules[SR_OP_COUNT] = {
 *	#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
 *	#define RULE(f) sr_rule_##f,
 *	#include "dialect/table/all.ops"
 *	};
 *
 * An entry has every column in this order; `none` if a column does not apply:
 *
 *	OP(stablehlo, dot_general, "lhs:tensor, rhs:tensor -> result:tensor", "dot_dimension_numbers:struct.dot, precision_config?:array, algorithm?:struct.dot_algorithm")
 *		TRAITS(SR_PURE) PRIORITY(none) FORM("lhs `,` rhs `,` <dot-dimensions> attr-dict `:` <functional-type>")
 *		INFER(dot_general) RULE(dot_general) LOCAL(from_rule) PAD(zero) LOWER(product) NEST(none)
 *
 * Signature: "operand:class, ... -> result:class, ... ; region:kind, ..."; name* is variadic, name? optional. Classes and kinds
 * are rows of dialect/classes.def. Several variadic groups have equal lengths unless operandSegmentSizes is among the attributes.
 * Attributes: "name:kind"; "name?:kind" (optional); "name?:kind=default" (optional, omitted when equal to the default);
 * "name:kind=" (set to an empty string if absent). The attributes named here are the inherent ones. "__" in an op's name stands
 * for a dash (cross-replica-sum).
 *
 * FORM, the assembly format (text/mlir/form/form.h): literals in backquotes, names of operands, results and attributes,
 * directives in <>, attr-dict; ( ... )? is a group printed if its first member is present. "GENERIC": generic form only.
 * "CUSTOM(f)": the functions sr_parse_f and sr_print_f.
 *
 * The other columns, and the components that own their functions:
 *	TRAITS    dialect    flags of enum sr_trait
 *	INFER     dialect    sr_infer_f: type inference and verification
 *	PRIORITY  propagate  class of op-priority propagation
 *	RULE      propagate  sr_rule_f: sharding rule
 *	LOCAL     partition  enum sr_local_kind: how the op becomes local
 *	PAD       partition  pad_f: handling of padded operands
 *	NEST      work       sr_nest_from_f: the op as a loop nest; none: library calls, collectives, control flow
 *	LOWER     plan       sr_lower_f: instructions of ops that are not loop nests
 *	REDUCER   dialect    the op is a monoid (dialect/reducer.h); only some entries have it */
#ifndef OP
#error "define OP before including an .ops file"
#endif
#ifndef TRAITS
#define TRAITS(flags)
#endif
#ifndef PRIORITY /* The classes of op-priority propagation are in import/op_class.h. */
#define PRIORITY(class)
#endif
#ifndef FORM
#define FORM(text)
#endif
#ifndef INFER
#define INFER(f)
#endif
#ifndef RULE
#define RULE(f)
#endif
#ifndef LOCAL
#define LOCAL(f)
#endif
#ifndef PAD
#define PAD(f)
#endif
#ifndef LOWER
#define LOWER(f)
#endif
#ifndef NEST
#define NEST(f)
#endif
#ifndef REDUCER
#define REDUCER(monoid, identity, idempotent)
#endif

/* Families of ops that share signatures and columns. */
#ifndef SR_UNARY
#define SR_UNARY_COLUMNS(infer) \
	TRAITS(SR_PURE | SR_ELEMENTWISE | SR_SAME_TYPE | SR_INFERRED_RESULT) PRIORITY(passthrough) \
	FORM("operand attr-dict `:` <same-type>") INFER(infer) RULE(pointwise) LOCAL(from_rule) PAD(any) LOWER(map) NEST(map)
#define SR_UNARY(name, class) OP(stablehlo, name, "operand:" class " -> result:" class, "") SR_UNARY_COLUMNS(same)
/* Family of elementwise functions with a result_accuracy attribute. */
#define SR_UNARY_WITH_ACCURACY(name) \
	OP(stablehlo, name, "operand:fp_complex_or_q -> result:fp_complex_or_q", "result_accuracy?:struct.result_accuracy=default") \
	SR_UNARY_COLUMNS(function)
/* Family of elementwise ops whose result has another element type than the operands. */
#define SR_UNARY_NEW_TYPE(name, operand, result, infer) \
	OP(stablehlo, name, "operand:" operand " -> result:" result, "") TRAITS(SR_PURE | SR_ELEMENTWISE | SR_INFERRED_RESULT) \
	PRIORITY(passthrough) FORM("operand attr-dict `:` <same-type>") INFER(infer) RULE(pointwise) LOCAL(from_rule) PAD(any) LOWER(map) NEST(map)
#define SR_BINARY(name, class, flags) \
	OP(stablehlo, name, "lhs:" class ", rhs:" class " -> result:" class, "") \
	TRAITS(SR_PURE | SR_ELEMENTWISE | SR_SAME_TYPE | SR_INFERRED_RESULT | (flags)) PRIORITY(passthrough) \
	FORM("lhs `,` rhs attr-dict `:` <same-type>") INFER(same) RULE(pointwise) LOCAL(from_rule) PAD(any) LOWER(map) NEST(map)
/* CHLO ops are legalized to StableHLO before propagation; the columns after INFER serve programs that keep them. */
#define SR_CHLO_UNARY(name, class) \
	OP(chlo, name, "operand:" class " -> result:" class, "") TRAITS(SR_PURE | SR_ELEMENTWISE | SR_SAME_TYPE | SR_INFERRED_RESULT) \
	PRIORITY(passthrough) FORM("operand attr-dict `:` <type operand> `->` <type result>") \
	INFER(same) RULE(none) LOCAL(from_rule) PAD(any) LOWER(map) NEST(map)
#define SR_CHLO_PREDICATE(name) \
	OP(chlo, name, "operand:any_float -> result:any_pred", "") TRAITS(SR_PURE | SR_ELEMENTWISE | SR_INFERRED_RESULT) \
	PRIORITY(passthrough) FORM("operand attr-dict `:` <type operand> `->` <type result>") \
	INFER(predicate) RULE(none) LOCAL(from_rule) PAD(any) LOWER(map) NEST(map)
#define SR_CHLO_BINARY(name, first, second, class, flags) \
	OP(chlo, name, first ":" class ", " second ":" class " -> result:" class, "") \
	TRAITS(SR_PURE | SR_SAME_TYPE | SR_INFERRED_RESULT | (flags)) PRIORITY(none) \
	FORM(first " `,` " second " attr-dict `:` <type " first "> `,` <type " second "> `->` <type result>") \
	INFER(same) RULE(none) LOCAL(from_rule) PAD(any) LOWER(map) NEST(map)
#define SR_CHLO_BROADCAST(name, class, result, flags, infer) \
	OP(chlo, name, "lhs:" class ", rhs:" class " -> result:" result, "broadcast_dimensions?:i64s") \
	TRAITS(SR_PURE | SR_ELEMENTWISE | SR_INFERRED_RESULT | (flags)) PRIORITY(passthrough) \
	FORM("lhs `,` rhs attr-dict `:` `(` <type lhs> `,` <type rhs> `)` `->` <type result>") \
	INFER(infer) RULE(none) LOCAL(none) PAD(any) LOWER(none) NEST(none)
/* Shardy's collectives on global tensors; partition lowers them to local collectives. */
#define SR_SDY_COLLECTIVE(name, infer, axes, kind, form) \
	OP(sdy, name, "tensor:shaped -> result:shaped", axes kind "out_sharding:sharding") \
	TRAITS(SR_COLLECTIVE | SR_SAME_TYPE | SR_INFERRED_RESULT) PRIORITY(none) FORM(form) \
	INFER(infer) RULE(none) LOCAL(name) PAD(collective) LOWER(none) NEST(none)
#endif
