/* Decompositions of chlo's elementwise ops as formulas. */
#ifndef SR_OPTIMIZE_CHLO_FORMULAS_H
#define SR_OPTIMIZE_CHLO_FORMULAS_H

#include "optimize/legalize/formula.h"

enum sr_chlo_class { SR_CHLO_REAL, SR_CHLO_COMPLEX, SR_CHLO_ANY, SR_CHLO_SIGNED, SR_CHLO_UNSIGNED };

struct sr_chlo_rule {
	enum sr_op_code code;
	enum sr_chlo_class class; /* class of element types of the first operand to which the row applies */
	bool upcast;              /* true if floats of less than 32 bits are computed in f32 */
	enum sr_dtype element_type;       /* element type to which the row applies, after upcasting; SR_DTYPE_NONE: any */
	const char *formula;      /* name of a formula in sr_chlo_formulas */
};

extern const struct sr_formula sr_chlo_formulas[]; /* formulas of chlo's ops; the table ends with a row with NULL name */
/* rules that assign formulas to chlo's ops: the first matching row is used; the table ends with a row with code 0 */
extern const struct sr_chlo_rule sr_chlo_rules[];

#endif
