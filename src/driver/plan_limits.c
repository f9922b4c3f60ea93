/* Check a plan against limits, for continuous integration: every excess is reported at the op that causes it. */
#include "driver/collective_summaries.h"
#include "support/knobs/knobs.h"
#include <stdlib.h>
#include <string.h>

struct limit_check {
	const struct sr_program *p;
	struct sr_collective_summaries summaries;
	struct sr_arena *arena;
	struct sr_diags *diags;
};

/* Parse "model.mlir:3:5" as a location; text without numbers is a file name. */
static struct sr_src_loc parse_place(struct sr_arena *arena, const char *text)
{
	struct sr_src_loc location = {.file = text};
	const char *col = strrchr(text, ':'), *line = col;
	while (line && line > text && line[-1] != ':')
		line--;
	if (!line || line == text || line == col)
		return location;
	location.line = atoi(line);
	location.col = atoi(col + 1);
	location.file = sr_strndup(arena, text, (size_t)(line - 1 - text));
	return location;
}

static struct sr_src_loc model_location(const struct limit_check *c)
{
	return (struct sr_src_loc){.file = sr_program_string(c->p, c->p->model)};
}

static enum sr_status parse_limit(struct limit_check *c, const char *flag, const char *text, int64_t *bytes)
{
	if (sr_parse_size(text, bytes))
		return SR_OK;
	return sr_error(c->diags, SR_USAGE, (struct sr_src_loc){0}, "%s=%s is not a size (a number, perhaps with K, M, G or T)", flag,
			text);
}

enum { MAX_REPORTED = 5 }; /* maximum number of values to report; the most expensive are reported first */

static enum sr_status check_replicated_values(struct limit_check *c, const char *limit, int64_t max_bytes)
{
	enum sr_status status = SR_OK;
	int n_reported = 0;
	for (uint64_t i = 0; i < c->p->replicated.n && n_reported < MAX_REPORTED; i++) {
		const struct sr_replicated_value *replicated_value = sr_program_replicated(c->p) + i;
		if (replicated_value->bytes <= max_bytes)
			continue;
		n_reported++;
		status = sr_error(c->diags, SR_DIFFERS, parse_place(c->arena, sr_program_string(c->p, replicated_value->place)),
				  "'%s' is replicated on every device with %lld bytes, more than --error-on-full-replication=%s "
				  "allows; %s",
				  sr_program_string(c->p, replicated_value->op), (long long)replicated_value->bytes, limit,
				  sr_program_string(c->p, replicated_value->hint));
	}
	return status;
}

static enum sr_status check_gathered_values(struct limit_check *c, const char *limit, int64_t max_bytes)
{
	enum sr_status status = SR_OK;
	int n_reported = 0;
	for (size_t i = 0; i < c->summaries.n && n_reported < MAX_REPORTED; i++) {
		const struct sr_collective_summary *m = &c->summaries.summaries[i];
		int64_t bytes_per_call = m->bytes / m->count;
		if (bytes_per_call <= max_bytes || !sr_collective_summary_cure(m))
			continue;
		n_reported++;
		status = sr_error(c->diags, SR_DIFFERS, parse_place(c->arena, m->place),
				  "'%s' replicates %lld bytes on every device (%s, from %s over %s), more than "
				  "--error-on-full-replication=%s allows; %s",
				  m->op, (long long)bytes_per_call, m->cause, m->from_sharding, m->axes, limit,
				  sr_collective_summary_cure(m));
	}
	return status;
}

static enum sr_status check_replications(struct limit_check *c, const char *text)
{
	int64_t limit;
	enum sr_status status = parse_limit(c, "--error-on-full-replication", text, &limit);
	if (status)
		return status;
	status = check_replicated_values(c, text, limit);
	enum sr_status gathered_status = check_gathered_values(c, text, limit);
	return status ? status : gathered_status;
}

static const struct sr_collective_summary *most_expensive(const struct limit_check *c)
{
	const struct sr_collective_summary *max_summary = NULL;
	for (size_t i = 0; i < c->summaries.n; i++)
		if (!max_summary || c->summaries.summaries[i].wire_bytes > max_summary->wire_bytes)
			max_summary = &c->summaries.summaries[i];
	return max_summary;
}

static enum sr_status check_wire_bytes(struct limit_check *c, const char *text)
{
	int64_t limit, sum = 0;
	enum sr_status status = parse_limit(c, "--max-wire-bytes", text, &limit);
	struct sr_buf largest_text;
	for (int i = 0; i < SR_COLL_COUNT; i++)
		sum += c->p->collectives[i].wire_bytes;
	if (status || sum <= limit)
		return status;
	const struct sr_collective_summary *m = most_expensive(c);
	sr_buf_init(&largest_text, c->arena);
	if (m)
		sr_collective_summary_print(m, &largest_text);
	return sr_error(
	    c->diags, SR_DIFFERS, m ? parse_place(c->arena, m->place) : model_location(c),
	    "a device sends %lld bytes in a step, more than --max-wire-bytes=%s allows; most of them, %lld, in %lld of: "
	    "%.*s; give producer and consumer the same sharding, or shard the moved value over fewer axes",
	    (long long)sum, text, m ? (long long)m->wire_bytes : 0LL, m ? (long long)m->count : 0LL, (int)largest_text.n,
	    largest_text.data);
}

/* Return the kind of collective with this name, written with dashes as in reports or with underscores; SR_COLL_COUNT if there
 * is none. */
static int find_kind(const char *name, size_t n)
{
	int kind = 0;
	for (; kind < SR_COLL_COUNT; kind++) {
		const char *known_name = sr_coll_report_name((enum sr_coll)kind);
		size_t i = 0;
		while (i < n && known_name[i] && (known_name[i] == name[i] || (known_name[i] == '-' && name[i] == '_')))
			i++;
		if (i == n && !known_name[i])
			break;
	}
	return kind;
}

static enum sr_status check_kind(struct limit_check *c, int kind, int64_t limit)
{
	const char *name = sr_coll_report_name((enum sr_coll)kind);
	const struct sr_collective_summary *m = NULL;
	if (c->p->collectives[kind].count <= limit)
		return SR_OK;
	for (size_t i = 0; i < c->summaries.n && !m; i++)
		m = (int)c->summaries.summaries[i].kind == kind ? &c->summaries.summaries[i] : NULL;
	return sr_error(c->diags, SR_DIFFERS, m ? parse_place(c->arena, m->place) : model_location(c),
			"the plan has %lld of %s, more than --max-collectives=%s:%lld allows; the most expensive is for '%s' (%s), from %s "
			"to %s; give producer and consumer the same sharding",
			(long long)c->p->collectives[kind].count, name, name, (long long)limit, m ? m->op : "", m ? m->cause : "",
			m && *m->from_sharding ? m->from_sharding : "?", m && *m->to_sharding ? m->to_sharding : "?");
}

static enum sr_status check_collectives(struct limit_check *c, const char *text)
{
	enum sr_status status = SR_OK;
	for (const char *at = text; *at;) {
		size_t n = strcspn(at, ","), name = strcspn(at, ":,");
		int kind = find_kind(at, name);
		char *end = NULL;
		long long limit = at[name] == ':' ? strtoll(at + name + 1, &end, 10) : -1;
		if (kind == SR_COLL_COUNT || limit < 0 || !end || end != at + n || end == at + name + 1)
			return sr_error(c->diags, SR_USAGE, (struct sr_src_loc){0},
					"--max-collectives=%s cannot be parsed: expected KIND:N like all-gather:3, separated by commas (all-reduce, "
					"all-gather, reduce-scatter, all-to-all, collective-permute, collective-broadcast)",
					text);
		enum sr_status check_status = check_kind(c, kind, limit);
		status = check_status ? check_status : status;
		at += n + (at[n] == ',');
	}
	return status;
}

enum sr_status sr_plan_limits_check(const struct sr_program *p, const struct sr_plan_limits *limits, struct sr_arena *arena,
				    struct sr_diags *diags)
{
	struct limit_check c = {.p = p, .summaries = sr_collective_summaries_of(p, arena), .arena = arena, .diags = diags};
	const struct {
		const char *limit_text;
		enum sr_status (*check)(struct limit_check *c, const char *text);
	} rows[] = {{limits->full_replication, check_replications}, {limits->wire_bytes, check_wire_bytes}, {limits->collectives, check_collectives}};
	enum sr_status status = SR_OK;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enum sr_status check_status = rows[i].limit_text ? rows[i].check(&c, rows[i].limit_text) : SR_OK;
		status = check_status == SR_USAGE || !status ? check_status : status;
	}
	return status;
}
