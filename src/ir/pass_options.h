/* Options of passes as text: what a row declares, what was given, and a pipeline's own options put in. */
#ifndef SR_IR_PASS_OPTIONS_H
#define SR_IR_PASS_OPTIONS_H

#include "ir/pass.h"

/* `given` may be NULL; `owner`, whose $names may stand in values, too. Every declared option is filled. SR_USAGE, reported, where
 * an option is unknown or a value is none of its type. */
enum sr_status sr_pass_options_read(struct sr_context *ctx, const struct sr_pass *pass, const char *given, size_t n,
				    const struct sr_pass_options *owner, struct sr_pass_options *out);

#endif
