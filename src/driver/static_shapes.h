/* Make dynamic shapes static, before any other pass runs on a module. */
#ifndef SR_DRIVER_STATIC_SHAPES_H
#define SR_DRIVER_STATIC_SHAPES_H

#include "driver/driver.h"

bool sr_shapes_are_static(struct sr_op *module);
/* Refine the shapes of the entry and of the functions it calls, by the argument types that options->argument_type returns. */
enum sr_status sr_refine_entry_arguments(struct sr_context *ctx, struct sr_op *module, const struct sr_compile_options *options);
/* Report SR_UNSUPPORTED at the first op of unknown shape, if there is one. */
enum sr_status sr_check_static_shapes(struct sr_context *ctx, struct sr_op *module);

#endif
