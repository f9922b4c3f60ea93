/* Estimate the cost of a collective by its selected schedule: rounds, messages and bytes by link, copies and reductions. */
#include "plan/internode_traffic.h"
#include "collectives/schedule.h"
#include "plan/estimate/estimate.h"
#include <string.h>

struct sr_cached_collective_cost {
	int32_t coll, monoid, group, dtype;
	int64_t count;
	struct sr_coll_layout form[SR_COLL_LAYOUTS];
	struct sr_cost cost;
	struct sr_cached_collective_cost *next;
};

/* The device whose share of a collective is estimated: the first device that takes part, in a permute the first that sends. */
struct member {
	int64_t *devices; /* devices of the group; NULL: device i is member i; length n */
	int64_t group;
	int n, me, from, to;
};

/* List the devices of the member's group. */
static void list_members(struct sr_estimator *e, const struct sr_group_list *list, struct member *m)
{
	int64_t group, index;
	m->devices = SR_NEW_ARRAY(e->arena, int64_t, list->size);
	for (int64_t d = 0; d < e->p->n_devices; d++)
		if (sr_program_group_of(e->p, list, d, &group, &index) && group == m->group) {
			m->devices[index] = d;
			m->n++;
		}
}

static int index_in(const struct sr_program *p, const struct sr_group_list *list, int64_t device)
{
	int64_t group, index = device;
	return device < 0 || (list && !sr_program_group_of(p, list, device, &group, &index)) ? -1 : (int)index;
}

static struct member member_of(struct sr_estimator *e, const struct sr_collective_instr *c)
{
	const struct sr_program *p = e->p;
	int32_t group = c->group < 0 ? c->members : c->group;
	const struct sr_group_list *list = group < 0 ? NULL : sr_program_groups(p) + group;
	struct member m = {.from = -1, .to = -1, .me = -1};
	for (int64_t d = 0; d < p->n_devices && m.me < 0; d++) {
		int64_t source = -1, target = -1, index = d;
		if (list && !sr_program_group_of(p, list, d, &m.group, &index))
			continue;
		if (c->group < 0)
			sr_program_permute_peers(p, c, d, &source, &target);
		if (c->group < 0 && (target < 0 || target == d))
			continue;
		m.me = (int)index;
		m.from = c->coll == SR_BROADCAST ? 0 : index_in(p, list, source);
		m.to = index_in(p, list, target);
	}
	if (list && m.me >= 0)
		list_members(e, list, &m);
	else
		m.n = p->n_devices;
	return m;
}

static enum sr_link link_to(const struct sr_estimator *e, const struct member *m, int peer)
{
	int64_t pair[] = {m->devices ? m->devices[m->me] : m->me, m->devices ? m->devices[peer] : peer};
	return sr_cost_link(&e->machine, pair, 2);
}

/* Number the members' nodes and return what carries the call: shared memory, messages, or both. */
static enum sr_carrier carrier_of(const struct sr_estimator *e, const struct member *m, const int **nodes)
{
	int64_t *number = SR_NEW_ARRAY(e->arena, int64_t, m->n);
	int *node = SR_NEW_ARRAY(e->arena, int, m->n), n = 0;
	for (int k = 0; k < m->n; k++) {
		number[k] = sr_cost_node(&e->machine, m->devices ? m->devices[k] : k);
		int previous = k - 1;
		while (previous >= 0 && number[previous] != number[k])
			previous--;
		node[k] = previous < 0 ? n++ : node[previous];
	}
	*nodes = node;
	return n == 1 ? SR_CARRIER_SHM : n == m->n ? SR_CARRIER_MPI : SR_CARRIER_HIERARCHICAL;
}

static void add_entry(struct sr_collective_work *work, const struct sr_schedule_entry *entry, enum sr_link link)
{
	int64_t source_bytes = entry->bytes / sr_dtype_bytes(entry->type) * sr_dtype_bytes(entry->src_type);
	switch ((enum sr_entry_kind)entry->kind) {
	case SR_ENTRY_SEND:
		work->sent_bytes[link] += entry->bytes;
		work->messages[link]++;
		break;
	case SR_ENTRY_RECV:
		work->messages[link]++;
		break;
	case SR_ENTRY_READ:
		work->segment_bytes += entry->bytes;
		break;
	case SR_ENTRY_COPY:
	case SR_ENTRY_ZERO:
		work->copied_bytes += entry->bytes;
		break;
	case SR_ENTRY_REDUCE:
		work->reduced_bytes += entry->bytes + source_bytes;
		break;
	case SR_ENTRY_FOLD:
	case SR_ENTRY_FOLD_MEMBERS:
		work->reduced_bytes += entry->bytes + entry->n_fold * source_bytes;
		break;
	case SR_ENTRY_WAIT: /* the wait of a round is counted once, not for each entry */
	case SR_ENTRY_SIGNAL:
	case SR_ENTRY_NATIVE:
		break;
	}
}

static struct sr_collective_work schedule_work(const struct sr_estimator *e, const struct sr_schedule *s, const struct member *m)
{
	struct sr_collective_work work = {0};
	int64_t i = 0;
	for (int64_t r = 0; r < s->n_rounds; r++) {
		bool is_used[SR_LINK_COUNT] = {false}, must_wait = false;
		for (; i < s->round_end[r]; i++) {
			const struct sr_schedule_entry *entry = &s->entries[i];
			bool message = entry->kind == SR_ENTRY_SEND || entry->kind == SR_ENTRY_RECV;
			enum sr_link link = message ? link_to(e, m, entry->peer) : SR_LINK_NODE;
			add_entry(&work, entry, link);
			is_used[link] = is_used[link] || message;
			must_wait = must_wait || entry->kind == SR_ENTRY_WAIT;
		}
		work.segment_rounds += must_wait;
		enum sr_link slowest = is_used[SR_LINK_NETWORK] ? SR_LINK_NETWORK : SR_LINK_NODE;
		work.rounds[slowest] += is_used[slowest];
	}
	return work;
}

enum { MAX_MEMBERS = 4096 }; /* maximum number of members for which the schedule is built */

/* Return the cost of a collective of a large group: a member sends the minimum number of bytes over the group's slowest link,
 * in the rounds of a binary tree. */
static struct sr_cost lower_bound_cost(const struct sr_estimator *e, const struct member *m, const struct sr_coll_call *call)
{
	enum sr_link link = sr_cost_link(&e->machine, m->devices, m->n);
	struct sr_collective_work work = {0};
	work.sent_bytes[link] = sr_coll_least_bytes(call);
	for (int64_t n_reached = 1; n_reached < m->n; n_reached *= 2)
		work.rounds[link]++;
	work.messages[link] = 2 * work.rounds[link];
	return sr_cost_of_collective(&e->machine, &work);
}

/* Return a member of the collective without the list of its group's devices, which would be long on a large mesh. */
static struct member member_of_many(const struct sr_estimator *e, const struct sr_collective_instr *c)
{
	int32_t group = c->group < 0 ? c->members : c->group;
	return (struct member){.n = group < 0 ? e->p->n_devices : sr_program_groups(e->p)[group].size, .to = 1};
}

static struct sr_cost schedule_cost(struct sr_estimator *e, const struct sr_instr *instr, const struct sr_collective_instr *c)
{
	struct member m = e->p->n_devices > SR_TRAFFIC_DEVICES ? member_of_many(e, c) : member_of(e, c);
	struct sr_coll_call call = {.coll = (enum sr_coll)c->coll,
				    .n = m.n,
				    .member = m.me,
				    .from = m.from,
				    .to = m.to,
				    .count = c->count,
				    .type = (enum sr_dtype)instr->dtype,
				    .monoid = (enum sr_monoid)c->monoid,
				    .in_place = sr_instr_is_in_place(e->p, instr)};
	struct sr_schedule schedule;
	const struct sr_algorithm *row;
	if (m.n > MAX_MEMBERS || e->p->n_devices > SR_TRAFFIC_DEVICES)
		return lower_bound_cost(e, &m, &call);
	memcpy(call.form, c->form, sizeof call.form);
	call.carrier = (uint8_t)carrier_of(e, &m, &call.node);
	if (m.me < 0 || sr_select(e->selection, &call, e->arena, &schedule, &row))
		/* no device sends, or the call is invalid, which its execution will report */
		return sr_cost_of_elementwise(&e->machine, &(struct sr_elementwise_work){0});
	struct sr_collective_work work = schedule_work(e, &schedule, &m);
	return sr_cost_of_collective(&e->machine, &work);
}

struct sr_cost sr_estimate_collective(struct sr_estimator *e, const struct sr_instr *instr)
{
	const struct sr_collective_instr *c = (const void *)(sr_program_params(e->p) + instr->params);
	struct sr_cached_collective_cost *k = e->cached_costs;
	while (k && (c->group < 0 || k->coll != c->coll || k->monoid != c->monoid || k->group != c->group || k->dtype != instr->dtype ||
		     k->count != c->count || memcmp(k->form, c->form, sizeof k->form)))
		k = k->next;
	if (k)
		return k->cost;
	struct sr_cost cost = schedule_cost(e, instr, c);
	if (c->group < 0)
		return cost;
	k = SR_NEW(e->arena, struct sr_cached_collective_cost);
	*k = (struct sr_cached_collective_cost){c->coll, c->monoid, c->group, instr->dtype, c->count, {c->form[SR_IN], c->form[SR_OUT]},
					  cost, e->cached_costs};
	e->cached_costs = k;
	return cost;
}
