/* Elementwise reference kernels of f16, bf16, f32 and f64: map.ops for each type. */
#include "kernels/element.h"

#define WANT_FLOAT 1
#define BODY "kernels/map/scalar_body.h"
#include "kernels/map/each_type.h"
#define WANT_FLOAT 1
#define BODY "kernels/map/map_body.h"
#include "kernels/map/each_type.h"

void sr_kernels_init_map_float(struct sr_kernels *table)
{
#define WANT_FLOAT 1
#define BODY "kernels/map/register_kernels.h"
#include "kernels/map/each_type.h"
}
