/* Enumerate the iota tile assignment of GSPMD's V2 form, [dims]<=[reshape]T(perm): count 0, 1, 2, ... in shape `reshape`,
 * transpose by `perm` and flatten in row-major order.
 *
 * [2,2,2]<=[4,2]T(1,0) counts 0 1 / 2 3 / 4 5 / 6 7; transposed this is 0 2 4 6 / 1 3 5 7: the ids 0 2 4 6 1 3 5 7. */
#include "mesh/mesh.h"
#include "support/checked.h"

static bool is_permutation(struct sr_arena *arena, const int *perm, int n)
{
	bool *is_seen = SR_NEW_ARRAY(arena, bool, n);
	for (int i = 0; i < n; i++) {
		if (perm[i] < 0 || perm[i] >= n || is_seen[perm[i]])
			return false;
		is_seen[perm[i]] = true;
	}
	return true;
}

int64_t *sr_iota_tile(struct sr_arena *arena, const int64_t *reshape, const int *perm, int n_reshape)
{
	int64_t n;
	if (sr_product_overflows(reshape, n_reshape, &n) || (perm && !is_permutation(arena, perm, n_reshape)))
		return NULL;
	int64_t *ids = SR_NEW_ARRAY(arena, int64_t, n);
	int64_t *strides = SR_NEW_ARRAY(arena, int64_t, n_reshape), *index = SR_NEW_ARRAY(arena, int64_t, n_reshape);
	int64_t stride = 1;
	for (int i = n_reshape - 1; n > 0 && i >= 0; i--) {
		strides[i] = stride;
		stride *= reshape[i];
	}
	int64_t id = 0;
	for (int64_t k = 0; k < n; k++) {
		ids[k] = id;
		/* Advance the index in the transposed shape, the last dimension fastest. */
		for (int i = n_reshape - 1; i >= 0; i--) {
			int dim = perm ? perm[i] : i;
			id += strides[dim];
			if (++index[dim] < reshape[dim])
				break;
			id -= index[dim] * strides[dim];
			index[dim] = 0;
		}
	}
	return ids;
}
