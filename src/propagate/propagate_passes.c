/* The propagation passes: basic, aggressive, by op priority, by user priority. Each pass of this list runs the previous one in
 * several rounds.
 *
 * Requires: static shapes, no tuples; data-flow edges (sdy-add-data-flow-edges) if shardings are to cross regions. Leaves:
 * shardings on values, edges and function results; unused ops without side effects are removed. */
#include "propagate/propagate_passes.h"
#include "propagate/priorities.h"
#include <string.h>

enum { STRATEGY_AGGRESSIVE = 1, STRATEGY_BASIC = 2 };

struct schedule {
	int strategies; /* STRATEGY_* flags; basic runs before aggressive */
	bool op_priority;
};

static void run_strategies(struct sr_propagation *state, const struct schedule *schedule)
{
	if (schedule->strategies & STRATEGY_BASIC) {
		state->strategy = sr_propagate_factors_basic;
		sr_propagation_run(state);
	}
	if (schedule->strategies & STRATEGY_AGGRESSIVE) {
		state->strategy = sr_propagate_factors_aggressive;
		sr_propagation_run(state);
	}
}

static void run_schedule(struct sr_propagation *state, void *data)
{
	const struct schedule *schedule = data;
	if (!schedule->op_priority) {
		state->level = SR_DIRECTIONS_ALL;
		run_strategies(state, schedule);
		return;
	}
	for (state->level = 0; state->level < SR_DIRECTIONS_COUNT; state->level++)
		run_strategies(state, schedule);
}

/* Parse the option propagation-strategy into flags. */
static enum sr_status read_strategy(struct sr_context *ctx, const struct sr_pass_options *options, int *strategies)
{
	static const struct {
		const char *name;
		int strategies;
	} names[] = {{"aggressive", STRATEGY_AGGRESSIVE}, {"basic", STRATEGY_BASIC},
		     {"basic-then-aggressive", STRATEGY_BASIC | STRATEGY_AGGRESSIVE}};
	const char *text = sr_option_string(options, "propagation-strategy");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i].name, text) == 0) {
			*strategies = names[i].strategies;
			return SR_OK;
		}
	return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0},
			"propagation-strategy is aggressive, basic or basic-then-aggressive, not '%s'", text);
}

static enum sr_status propagate(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options,
				struct schedule schedule,
				bool user_priority)
{
	struct sr_propagation state;
	struct sr_provenance provenance;
	struct sr_provenance_request request = sr_provenance_request_read(options);
	bool is_requested = request.origins || request.edges || ctx->explain;
	if (is_requested) /* annotations are recorded before sharding groups are unified, which changes them */
		sr_provenance_init(&provenance, ctx, module, request.origins);
	enum sr_status status = sr_propagation_init(&state, ctx, module, sr_option_bool(options, "conservative-propagation"));
	if (status != SR_OK)
		return status;
	state.provenance = is_requested ? &provenance : NULL;
	if (user_priority)
		sr_propagate_by_user_priority(&state, run_schedule, &schedule);
	else
		run_schedule(&state, &schedule);
	if (ctx->explain)
		sr_propagation_explain(&state);
	sr_propagation_write(&state, sr_option_bool(options, "keep-sharding-rules"));
	if (is_requested)
		sr_provenance_write(&provenance, request);
	sr_propagation_done(&state);
	return SR_OK;
}

enum sr_status sr_pass_basic_propagate(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	return propagate(ctx, module, options, (struct schedule){STRATEGY_BASIC, false}, false);
}

enum sr_status sr_pass_aggressive_propagate(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct schedule schedule = {0};
	enum sr_status status = read_strategy(ctx, options, &schedule.strategies);
	return status != SR_OK ? status : propagate(ctx, module, options, schedule, false);
}

static enum sr_status propagate_by_priorities(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options,
					      bool user)
{
	struct schedule schedule = {.op_priority = sr_option_bool(options, "run-op-priority-propagation")};
	enum sr_status status = read_strategy(ctx, options, &schedule.strategies);
	return status != SR_OK ? status : propagate(ctx, module, options, schedule, user);
}

enum sr_status sr_pass_op_priority_propagate(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	return propagate_by_priorities(ctx, module, options, false);
}

enum sr_status sr_pass_user_priority_propagate(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	return propagate_by_priorities(ctx, module, options, true);
}

#define BASIC_OPTIONS \
	"keep-sharding-rules:bool=false, module-dump-directory:str, conservative-propagation:bool=false, " \
	"debug-sharding-origins:bool=false, debug-propagation-edge-sharding:bool=false"
#define AGGRESSIVE_OPTIONS BASIC_OPTIONS ", propagation-strategy:str=aggressive"
#define PRIORITY_OPTIONS AGGRESSIVE_OPTIONS ", run-op-priority-propagation:bool=true"

const struct sr_pass sr_propagate_passes[] = {
	{.name = "sdy-basic-propagate", .options = BASIC_OPTIONS, .run = sr_pass_basic_propagate,
	 .doc = "Propagates shardings without resolving conflicts: only axes that all operands and results can have.",
	 .requires = "static shapes; one entry function", .ensures = "shardings on values and function results"},
	{.name = "sdy-aggressive-propagate", .options = AGGRESSIVE_OPTIONS, .run = sr_pass_aggressive_propagate,
	 .doc = "Propagates shardings and resolves conflicts between factors.", .requires = "static shapes; one entry function",
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
	 .doc = "Adds sharding rules to calls into LAPACK beyond batch dimensions: triangular systems are solved column by "
		"column.",
	 .requires = "a verified module", .ensures = "sdy.sharding_rule on such calls"},
	{0},
};
