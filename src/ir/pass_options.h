/* Parse the options of a pass by the declarations in its row, and substitute options of the enclosing pipeline. */
#ifndef SR_IR_PASS_OPTIONS_H
#define SR_IR_PASS_OPTIONS_H

#include "ir/pass.h"

/* Parse the options in `given` (n bytes, may be NULL). $name in a value is replaced by that option of `owner`, which may be
 * NULL. Sets every declared option. Return SR_USAGE, after reporting it, if an option is unknown or a value has the wrong type. */
enum sr_status sr_pass_options_read(struct sr_context *ctx, const struct sr_pass *pass, const char *given, size_t n,
				    const struct sr_pass_options *owner, struct sr_pass_options *out);

#endif
