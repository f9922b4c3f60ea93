/* Make dynamic shapes static, before anything else is done with a module. */
#ifndef SR_DRIVER_STATIC_SHAPES_H
#define SR_DRIVER_STATIC_SHAPES_H

#include "driver/driver.h"

bool sr_shapes_are_static(struct sr_op *module);
/* Refine the entry, and what it calls, by the types that options->argument_type returns. */
enum sr_status sr_refine_entry_arguments(struct sr_context *ctx, struct sr_op *module, const struct sr_compile_options *options);
/* Report SR_UNSUPPORTED at the first op of unknown shape. */
enum sr_status sr_check_static_shapes(struct sr_context *ctx, struct sr_op *module);

#endif
