/* The op table's columns. A *.ops file includes this first and dialect/op_columns_end.h last, so it can be included once by each folder
 * that wants a column, with the others empty:
 *
 *	static sr_rule_fn *const rules[SR_OP_COUNT] = {
 *	#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
 *	#define RULE(f) sr_rule_##f,
 *	#include "dialect/all.ops"
 *	};
 *
 * An entry (every column on each entry, in this order; a column that does not apply says none):
 *
 *	OP(stablehlo, dot_general, "lhs:tensor, rhs:tensor -> result:tensor", "dot_dimension_numbers:struct.dot, precision_config?:array, algorithm?:struct.dot_algorithm")
 *		TRAITS(SR_PURE) PRIORITY(none) FORM("lhs `,` rhs `,` <dot-dimensions> attr-dict `:` <functional-type>")
 *		INFER(dot_general) RULE(dot_general) LOCAL(from_rule) PAD(zero) LOWER(product)
 *
 * Signature: "operand:class, ... -> result:class, ... ; region:what, ..."; name*: variadic, name?: optional. Classes and attribute kinds
 * are rows of dialect/classes.def. Attributes: "name:kind", "name?:kind" (optional), "name:kind=default" (printed where given).
 * Attributes named here are the inherent ones.
 *
 * FORM (text/form.h says it in full): literals in backquotes, operand, result and attribute names, directives in <>, attr-dict; ( ... )? a
 * group printed where its first member is there; GENERIC: the quoted form only; CUSTOM(f): a pair of functions sr_parse_f, sr_print_f.
 *
 * Columns by owner: TRAITS, INFER dialect; FORM text; PRIORITY, RULE propagate (sr_rule_f); LOCAL, PAD partition (sr_local_f, enum SR_PAD_f);
 * LOWER plan (sr_lower_f). INFER's function is sr_infer_f. */
#ifndef OP
#error "define OP before including an .ops file"
#endif
#ifndef TRAITS
#define TRAITS(flags)
#endif
#ifndef PRIORITY /* op-priority propagation: passthrough (elementwise, reshape-like both ways), forward, none */
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
