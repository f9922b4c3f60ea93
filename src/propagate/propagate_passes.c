/* The propagation passes: basic, aggressive, by op priority, by user priority; each does what the one before does, in more rounds.
 *
 * Requires: static shapes, no tuples; data-flow edges added (sdy-add-data-flow-edges) if values are to pass through regions.
 * Leaves: shardings on values, edges and function results; ops without users and effects are removed. */
#include "propagate/propagate_passes.h"
#include "propagate/priorities.h"
#include <string.h>

enum { STRATEGY_AGGRESSIVE = 1, STRATEGY_BASIC = 2 };

struct way {
	int strategies; /* flags: basic comes first */
	bool op_priority;
};

static void run_strategies(struct sr_propagation *flow, const struct way *way)
{
	if (way->strategies & STRATEGY_BASIC) {
		flow->strategy = sr_propagate_factors_basic;
		sr_propagation_run(flow);
	}
	if (way->strategies & STRATEGY_AGGRESSIVE) {
		flow->strategy = sr_propagate_factors_aggressive;
		sr_propagation_run(flow);
	}
}

static void run_way(struct sr_propagation *flow, void *data)
{
	const struct way *way = data;
	if (!way->op_priority) {
		flow->level = SR_DIRECTIONS_ALL;
		run_strategies(flow, way);
		return;
	}
	for (flow->level = 0; flow->level < SR_DIRECTIONS_COUNT; flow->level++)
		run_strategies(flow, way);
}

/* Flags of a propagation-strategy option. */
static enum sr_status read_strategy(struct sr_context *ctx, const struct sr_pass_options *options, int *strategies)
{
	static const struct {
		const char *name;
		int strategies;
	} names[] = {{"aggressive", STRATEGY_AGGRESSIVE}, {"basic", STRATEGY_BASIC},
		     {"basic-then-aggressive", STRATEGY_BASIC | STRATEGY_AGGRESSIVE}};
	const char *given = sr_option_string(options, "propagation-strategy");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i].name, given) == 0) {
			*strategies = names[i].strategies;
			return SR_OK;
		}
	return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0},
			"propagation-strategy is aggressive, basic or basic-then-aggressive, not '%s'", given);
}

static enum sr_status propagate(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options, struct way way,
				bool user_priority)
{
	struct sr_propagation flow;
	struct sr_provenance provenance;
	struct sr_provenance_request request = sr_provenance_request_read(options);
	bool asked = request.origins || request.edges || ctx->explain;
	if (asked) /* before groups are made alike */
		sr_provenance_init(&provenance, ctx, module, request.origins);
	enum sr_status status = sr_propagation_init(&flow, ctx, module, sr_option_bool(options, "conservative-propagation"));
	if (status != SR_OK)
		return status;
	flow.provenance = asked ? &provenance : NULL;
	if (user_priority)
		sr_propagate_by_user_priority(&flow, run_way, &way);
	else
		run_way(&flow, &way);
	if (ctx->explain)
		sr_propagation_explain(&flow);
	sr_propagation_write(&flow, sr_option_bool(options, "keep-sharding-rules"));
	if (asked)
		sr_provenance_write(&provenance, request);
	sr_propagation_done(&flow);
	return SR_OK;
}

enum sr_status sr_pass_basic_propagate(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	return propagate(ctx, module, options, (struct way){STRATEGY_BASIC, false}, false);
}

enum sr_status sr_pass_aggressive_propagate(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct way way = {0};
	enum sr_status status = read_strategy(ctx, options, &way.strategies);
	return status != SR_OK ? status : propagate(ctx, module, options, way, false);
}

static enum sr_status by_priorities(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options, bool user)
{
	struct way way = {.op_priority = sr_option_bool(options, "run-op-priority-propagation")};
	enum sr_status status = read_strategy(ctx, options, &way.strategies);
	return status != SR_OK ? status : propagate(ctx, module, options, way, user);
}

enum sr_status sr_pass_op_priority_propagate(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	return by_priorities(ctx, module, options, false);
}

enum sr_status sr_pass_user_priority_propagate(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	return by_priorities(ctx, module, options, true);
}

#define BASIC_OPTIONS \
	"keep-sharding-rules:bool=false, module-dump-directory:str, conservative-propagation:bool=false, " \
	"debug-sharding-origins:bool=false, debug-propagation-edge-sharding:bool=false"
#define AGGRESSIVE_OPTIONS BASIC_OPTIONS ", propagation-strategy:str=aggressive"
#define PRIORITY_OPTIONS AGGRESSIVE_OPTIONS ", run-op-priority-propagation:bool=true"

const struct sr_pass sr_propagate_passes[] = {
	{.name = "sdy-basic-propagate", .options = BASIC_OPTIONS, .run = sr_pass_basic_propagate,
	 .doc = "Propagates shardings without deciding conflicts: only axes that all operands and results can have.",
	 .requires = "static shapes; one entry function", .ensures = "shardings on values and function results"},
	{.name = "sdy-aggressive-propagate", .options = AGGRESSIVE_OPTIONS, .run = sr_pass_aggressive_propagate,
	 .doc = "Propagates shardings and decides conflicts between factors.", .requires = "static shapes; one entry function",
	 .ensures = "shardings on values and function results"},
	{.name = "sdy-op-priority-propagate", .options = PRIORITY_OPTIONS, .run = sr_pass_op_priority_propagate,
	 .doc = "Propagates aggressively in rounds: first through elementwise and data-moving ops, last forward through "
		"broadcasts.",
	 .requires = "static shapes; one entry function", .ensures = "shardings on values and function results"},
	{.name = "sdy-user-priority-propagate", .options = PRIORITY_OPTIONS, .run = sr_pass_user_priority_propagate,
	 .doc = "Propagates by op priority in rounds: dimension shardings of a lower priority number first.",
	 .requires = "static shapes; one entry function", .ensures = "shardings on values and function results"},
	{.name = "sdy-populate-op-sharding-rules", .options = "conservative-propagation:bool=false", .on_func = true,
	 .run = sr_pass_populate_op_sharding_rules, .doc = "Puts on every op the sharding rule that propagation would use.",
	 .ensures = "sdy.sharding_rule on ops"},
	{.name = "shardrun-library-rules", .options = "", .run = sr_pass_library_rules,
	 .doc = "Sharding rules of calls into LAPACK that say more than batch dimensions: triangular systems are solved column by "
		"column.",
	 .requires = "a verified module", .ensures = "sdy.sharding_rule on such calls"},
	{0},
};
