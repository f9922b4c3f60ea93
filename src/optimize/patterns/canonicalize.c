/* canonicalize: apply target-independent simplifications until nothing changes (greedy.c). */
#include "optimize/pass_functions.h"
#include "optimize/patterns/patterns.h"

enum sr_status sr_run_canonicalize(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct sr_rewrite_config config = {.tables = {sr_canonical_patterns},
					   .enabled = sr_option_string(options, "enable-patterns"),
					   .disabled = sr_option_string(options, "disable-patterns"),
					   .max_rounds = sr_option_int(options, "max-iterations")};
	sr_rewrite_greedily(ctx, root, &config);
	return SR_OK;
}
