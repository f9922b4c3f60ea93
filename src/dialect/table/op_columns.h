/* The op table's columns. A *.ops file includes this first and dialect/table/op_columns_end.h last, so it can be included once by
 * each folder that wants a column, with the others empty:
 *
 *	static sr_rule_fn *const rules[SR_OP_COUNT] = {
 *	#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
 *	#define RULE(f) sr_rule_##f,
 *	#include "dialect/table/all.ops"
 *	};
 *
 * An entry (every column on each entry, in this order; a column that does not apply says none):
 *
 *	OP(stablehlo, dot_general, "lhs:tensor, rhs:tensor -> result:tensor", "dot_dimension_numbers:struct.dot, precision_config?:array, algorithm?:struct.dot_algorithm")
 *		TRAITS(SR_PURE) PRIORITY(none) FORM("lhs `,` rhs `,` <dot-dimensions> attr-dict `:` <functional-type>")
 *		INFER(dot_general) RULE(dot_general) LOCAL(from_rule) PAD(zero) LOWER(product) NEST(none)
 *
 * Signature: "operand:class, ... -> result:class, ... ; region:what, ..."; name*: variadic, name?: optional. Classes and attribute
 * kinds are rows of dialect/classes.def. Attributes: "name:kind", "name?:kind" (optional), "name?:kind=default" (as good as not
 * given where it is the default), "name:kind=" (an empty string where it is not given).
 * Attributes named here are the inherent ones. A name's "__" is a dash in the text (cross-replica-sum). Two variadic groups are of
 * one length each, unless operandSegmentSizes is among the attributes.
 *
 * FORM (text/mlir/form/form.h says it in full): literals in backquotes, operand, result and attribute names, directives in <>,
 * attr-dict; ( ... )? a group printed where its first member is there; "GENERIC": the quoted form only; "CUSTOM(f)":
 * a pair of functions sr_parse_f, sr_print_f.
 *
 * Columns by owner: TRAITS, INFER dialect; FORM text; PRIORITY, RULE propagate (sr_rule_f); LOCAL (enum sr_local_kind), PAD (pad_f)
 * partition; TILE work (sr_nest_from_f: the op as a tile; none: a call, a collective, control), LOWER plan (sr_lower_f: the steps of
 * what is no tile). INFER's function is sr_infer_f. REDUCER (dialect/reducer.h), the only column that few entries have:
 * the op combines two values as a monoid. */
#ifndef OP
#error "define OP before including an .ops file"
#endif
#ifndef TRAITS
#define TRAITS(flags)
#endif
#ifndef PRIORITY /* classes of op-priority propagation: import/op_class.h */
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
#define PAD(what)
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

/* Families: the op's notation with the columns that all of its kind share. */
#ifndef SR_UNARY
#define SR_UNARY_COLUMNS(infer) \
	TRAITS(SR_PURE | SR_ELEMENTWISE | SR_SAME_TYPE | SR_INFERRED_RESULT) PRIORITY(passthrough) \
	FORM("operand attr-dict `:` <same-type>") INFER(infer) RULE(pointwise) LOCAL(from_rule) PAD(any) LOWER(map) NEST(map)
#define SR_UNARY(name, class) OP(stablehlo, name, "operand:" class " -> result:" class, "") SR_UNARY_COLUMNS(same)
/* functions whose accuracy can be asked for */
#define SR_FUNCTION(name) \
	OP(stablehlo, name, "operand:fp_complex_or_q -> result:fp_complex_or_q", "result_accuracy?:struct.result_accuracy=default") \
	SR_UNARY_COLUMNS(function)
/* the result's element type is another one */
#define SR_UNARY_TO(name, operand, result, infer) \
	OP(stablehlo, name, "operand:" operand " -> result:" result, "") TRAITS(SR_PURE | SR_ELEMENTWISE | SR_INFERRED_RESULT) \
	PRIORITY(passthrough) FORM("operand attr-dict `:` <same-type>") INFER(infer) RULE(pointwise) LOCAL(from_rule) PAD(any) LOWER(map) NEST(map)
#define SR_BINARY(name, class, flags) \
	OP(stablehlo, name, "lhs:" class ", rhs:" class " -> result:" class, "") \
	TRAITS(SR_PURE | SR_ELEMENTWISE | SR_SAME_TYPE | SR_INFERRED_RESULT | (flags)) PRIORITY(passthrough) \
	FORM("lhs `,` rhs attr-dict `:` <same-type>") INFER(same) RULE(pointwise) LOCAL(from_rule) PAD(any) LOWER(map) NEST(map)
/* CHLO: rewritten to StableHLO before propagation, which knows no rules for it;
 * the columns after INFER serve programs that keep them */
#define SR_CHLO_UNARY(name, class) \
	OP(chlo, name, "operand:" class " -> result:" class, "") TRAITS(SR_PURE | SR_ELEMENTWISE | SR_SAME_TYPE | SR_INFERRED_RESULT) \
	PRIORITY(passthrough) FORM("operand attr-dict `:` <type operand> `->` <type result>") \
	INFER(same) RULE(none) LOCAL(from_rule) PAD(any) LOWER(map) NEST(map)
#define SR_CHLO_TEST(name) \
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
/* Shardy's collectives on the global module: partition makes them local */
#define SR_SDY_COLLECTIVE(name, infer, axes, kind, form) \
	OP(sdy, name, "tensor:shaped -> result:shaped", axes kind "out_sharding:sharding") \
	TRAITS(SR_COLLECTIVE | SR_SAME_TYPE | SR_INFERRED_RESULT) PRIORITY(none) FORM(form) \
	INFER(infer) RULE(none) LOCAL(name) PAD(collective) LOWER(none) NEST(none)
#endif
