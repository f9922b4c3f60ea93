/* Implement <shardrun/collectives.h>: the algorithms of collectives and their cost. */
#include "api/api.h"
#include "collectives/schedule.h"
#include <stdio.h>
#include <string.h>

int shardrun_algorithm(int i, struct shardrun_algorithm *out)
{
	const struct sr_algorithm *row = &sr_algorithms[i];
	if (i < 0 || i >= sr_n_algorithms)
		return 0;
	*out = (struct shardrun_algorithm){sr_coll_name(row->coll), row->name, row->precondition, row->doc, row->source};
	return 1;
}

struct query {
	struct sr_context *ctx;
	const struct shardrun_call *call;
	const char *selection, *message;
	struct shardrun_cost *cost;
};

static enum sr_status parse(struct query *query, struct sr_selection **selection)
{
	const char *message = "";
	enum sr_status status = sr_selection_parse(query->ctx->arena, query->selection, selection, &message);
	query->message = status ? message : "";
	return status;
}

static enum sr_status cost(void *data)
{
	struct query *query = data;
	const struct shardrun_call *c = query->call;
	struct sr_selection *selection;
	struct sr_schedule schedule;
	const struct sr_algorithm *row;
	struct sr_coll_call call = {.coll = sr_coll_find(c->collective, strlen(c->collective)), .n = c->members,
				    .member = c->me, .count = c->count,
				    .type = sr_dtype_find(c->element, strlen(c->element)), .monoid = SR_MONOID_ADD, .native = false,
				    .carrier = SR_CARRIER_MPI};
	if (call.coll == SR_COLL_COUNT || call.type == SR_DTYPE_NONE || call.n < 1 || call.member < 0 || call.member >= call.n || call.count < 0 ||
	    parse(query, &selection))
		return SR_USAGE;
	call.from = call.coll == SR_PERMUTE ? (call.member + call.n - 1) % call.n : 0;
	call.to = call.coll == SR_PERMUTE ? (call.member + 1) % call.n : 0;
	enum sr_status status = sr_select(selection, &call, query->ctx->arena, &schedule, &row);
	if (status)
		return status == SR_INTERNAL ? SR_USAGE : status;
	struct shardrun_cost found_cost = {0, row->name, schedule.n_rounds, schedule.sent_bytes, schedule.scratch_bytes};
	sr_api_copy_out(&found_cost, sizeof found_cost, query->cost);
	return SR_OK;
}

enum sr_status shardrun_collective_cost(const struct shardrun_call *call, const char *selection, struct shardrun_cost *out)
{
	struct query query = {.ctx = sr_context_new(), .call = call, .selection = selection, .cost = out};
	enum sr_status status = query.ctx ? sr_api_guarded(query.ctx, cost, &query) : SR_NO_MEMORY;
	sr_context_free(query.ctx);
	return status;
}

static enum sr_status check(void *data)
{
	struct sr_selection *selection;
	return parse(data, &selection);
}

enum sr_status shardrun_selection_check(const char *selection, char *message, size_t n)
{
	struct query query = {.ctx = sr_context_new(), .selection = selection};
	enum sr_status status = query.ctx ? sr_api_guarded(query.ctx, check, &query) : SR_NO_MEMORY;
	if (n)
		snprintf(message, n, "%s", query.message ? query.message : sr_api_no_memory);
	sr_context_free(query.ctx);
	return status;
}
