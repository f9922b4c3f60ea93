/* Reference kernel of SCATTER, with a monoid or replacement. StableHLO does not specify the order of updates; this kernel applies
 * them in index order, so that results are reproducible. */
#include "kernels/element.h"
#include <string.h>

static int64_t count_elements(const int64_t *shape, int rank)
{
	int64_t n = 1;

	for (int d = 0; d < rank; d++)
		n *= shape[d];
	return n;
}

#include "kernels/map/all_types.h"
#define BODY "kernels/map/scalar_body.h"
#include "kernels/map/each_type.h"
#include "kernels/map/all_types.h"
#define BODY "kernels/scatter_body.h"
#include "kernels/map/each_type.h"

void sr_kernels_init_scatter(struct sr_kernels *table)
{
#include "kernels/map/all_types.h"
#define BODY "kernels/map/register_kernels.h"
#include "kernels/map/each_type.h"
}
