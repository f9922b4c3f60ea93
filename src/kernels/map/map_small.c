/* Elementwise reference kernels of floats with at most 8 bits: map.ops for each type. */
#include "kernels/element.h"

#define WANT_SMALL 1
#define BODY "kernels/map/scalar_body.h"
#include "kernels/map/each_type.h"
#define WANT_SMALL 1
#define BODY "kernels/map/map_body.h"
#include "kernels/map/each_type.h"

void sr_kernels_init_map_small(struct sr_kernels *table)
{
#define WANT_SMALL 1
#define BODY "kernels/map/register_kernels.h"
#include "kernels/map/each_type.h"
}
