/* Elementwise reference kernels of integers and i1: map.ops for each type. */
#include "kernels/element.h"

#define WANT_BOOL 1
#define WANT_INTEGER 1
#define BODY "kernels/map/scalar_body.h"
#include "kernels/map/each_type.h"
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define BODY "kernels/map/map_body.h"
#include "kernels/map/each_type.h"

void sr_kernels_init_map_integer(struct sr_kernels *table)
{
#define WANT_BOOL 1
#define WANT_INTEGER 1
#define BODY "kernels/map/register_kernels.h"
#include "kernels/map/each_type.h"
}
