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

/* Set used[v] for each value v that an instruction has as an argument or an access has as an index. */
static void mark_arguments(const struct sr_nest_prepared *r, bool *used)
{
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = sr_nest_instrs(r->nest) + i;
		for (int k = 0; k < in->n_args; k++)
			used[in->args[k]] = true;
		for (int k = 0; in->op == SR_NEST_FOLD && k < in->n_folds; k++)
			used[in->body_results[k]] = true;
	}
	for (int i = 0; i < r->nest->n_dims; i++)
		if (sr_nest_dims(r->nest)[i].index >= 0)
			used[sr_nest_dims(r->nest)[i].index] = true;
}

/* Return true if the access `fill` is within bounds in each iteration in which the access `a` is out of bounds. */
static bool covers(const struct sr_nest_prepared *r, const struct sr_nest_access *fill, const struct sr_nest_access *a)
{
	int loop, fill_loop;
	int64_t first, last, fill_first, fill_last;
	if (!sr_nest_find_bound(r, fill, &fill_loop, &fill_first, &fill_last) || !sr_nest_find_bound(r, a, &loop, &first, &last))
		return false;
	return loop == fill_loop && (first <= 0 || (fill_first <= 0 && fill_last >= first - 1)) &&
	       (last >= r->extent[loop] - 1 || (fill_first <= last + 1 && fill_last >= r->extent[loop] - 1));
}

/* Return the access of a load that has a fill value; NULL for other instructions. */
static const struct sr_nest_access *access_with_fill(const struct sr_nest_prepared *r, const struct sr_nest_instr *in)
{
	return in->op == SR_NEST_LOAD && r->accesses[in->access].fill >= 0 ? &r->accesses[in->access] : NULL;
}

const bool *sr_nest_find_unused(const struct sr_nest_prepared *r, struct sr_arena *arena)
{
	const struct sr_nest_instr *instrs = sr_nest_instrs(r->nest);
	size_t n = (size_t)r->nest->n_values + 1;
	bool *is_unused = SR_NEW_ARRAY(arena, bool, n);
	/* for each value: true if it has a use at which the load that defines it may be out of bounds */
	bool *is_used_out_of_bounds = SR_NEW_ARRAY(arena, bool, n);
	const struct sr_nest_access **loaded_by = SR_NEW_ARRAY(arena, const struct sr_nest_access *, n);
	mark_arguments(r, is_used_out_of_bounds);
	for (int v = 0; v < r->nest->n_values; v++)
		is_unused[v] = !is_used_out_of_bounds[v];
	for (int i = 0; i < r->nest->n_instrs; i++)
		if (instrs[i].op == SR_NEST_LOAD)
			loaded_by[instrs[i].result] = &r->accesses[instrs[i].access];
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_access *a = access_with_fill(r, &instrs[i]);
		if (a && loaded_by[a->fill] && !covers(r, loaded_by[a->fill], a))
			is_used_out_of_bounds[a->fill] = true;
	}
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_access *a = access_with_fill(r, &instrs[i]);
		int loop;
		int64_t first, last;
		if (a && (is_used_out_of_bounds[instrs[i].result] || !sr_nest_find_bound(r, a, &loop, &first, &last)))
			is_unused[a->fill] = false;
	}
	return is_unused;
}
