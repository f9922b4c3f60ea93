/* The elementwise reference kernels of f16, bf16, f32 and f64: map.ops for each type. */
#include "kernels/element.h"

#define WANT_FLOAT 1
#define BODY "kernels/scalar_body.h"
#include "kernels/each_type.h"
#define WANT_FLOAT 1
#define BODY "kernels/map_body.h"
#include "kernels/each_type.h"

void sr_kernels_init_map_float(struct sr_kernels *table)
{
#define WANT_FLOAT 1
#define BODY "kernels/fill_row.h"
#include "kernels/each_type.h"
}
