/* Fill values that are never used. A nest with periodic borders reads each element from one of two places:
 *
 *	load a[i - 1], if 0 <= i - 1 < n, otherwise (load a[i - 1 + n], if 0 <= i - 1 + n < n, otherwise fill)
 *
 * The second load is within bounds wherever the first one is not, so its fill value is never used, and need not be loaded. */
#include "kernels/nest/nest_prepared.h"

bool sr_nest_find_bound(const struct sr_nest_prepared *r, const struct sr_nest_access *a, int *loop, int64_t *first, int64_t *last)
{
	const struct sr_nest_dim *d = &r->dims[a->first_dim];
	int n_loops = 0;
	for (int l = 0; a->n_dims == 1 && l < r->n_loops; l++)
		if (d->coef[l])
			*loop = l, n_loops++;
	if (n_loops != 1 || d->coef[*loop] != 1 || d->index >= 0 || d->divisor != 1 || d->extent <= 0)
		return false;
	int64_t end = r->extent[*loop] - 1;
	*first = d->offset < 0 ? -d->offset : 0;
	*last = d->extent - 1 - d->offset < end ? d->extent - 1 - d->offset : end;
	return true;
}

/* Return true if an instruction has the value as an argument, or an access has it as an index. */
static bool is_argument(const struct sr_nest_prepared *r, int32_t value)
{
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = sr_nest_instrs(r->nest) + i;
		for (int k = 0; k < in->n_args; k++)
			if (in->args[k] == value)
				return true;
		for (int k = 0; in->op == SR_NEST_FOLD && k < in->n_folds; k++)
			if (in->body_results[k] == value)
				return true;
	}
	for (int i = 0; i < r->nest->n_dims; i++)
		if (sr_nest_dims(r->nest)[i].index == value)
			return true;
	return false;
}

/* Return true if a load is used only where another load is out of bounds, and is always within bounds there. */
static bool is_covering(const struct sr_nest_prepared *r, const struct sr_nest_instr *load)
{
	int loop, other_loop;
	int64_t first, last, other_first, other_last;
	if (is_argument(r, load->result) || !sr_nest_find_bound(r, &r->accesses[load->access], &loop, &first, &last))
		return false;
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = sr_nest_instrs(r->nest) + i;
		if (in->op != SR_NEST_LOAD || r->accesses[in->access].fill != load->result)
			continue;
		if (!sr_nest_find_bound(r, &r->accesses[in->access], &other_loop, &other_first, &other_last) ||
		    other_loop != loop || (other_first > 0 && (first > 0 || last < other_first - 1)) ||
		    (other_last < r->extent[loop] - 1 && (first > other_last + 1 || last < r->extent[loop] - 1)))
			return false;
	}
	return true;
}

bool sr_nest_is_never_used(const struct sr_nest_prepared *r, int32_t value)
{
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = sr_nest_instrs(r->nest) + i;
		if (in->op == SR_NEST_LOAD && r->accesses[in->access].fill == value && !is_covering(r, in))
			return false;
	}
	return !is_argument(r, value);
}
