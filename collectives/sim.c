/* Simulator: executes the schedules of all members in one process, to test them.
 *
 * Messages of a pair match in posting order, as in MPI. A round is complete when its receives have their message, its sends have
 * been matched by a posted receive, and the stages it waits for have been announced. Nothing is buffered, which is the strictest
 * semantics: a schedule that completes here cannot deadlock on a transport that buffers. Scratch and slots start as garbage, and
 * a finished member's memory becomes garbage while others run, so that a premature read or write produces a wrong result under
 * some interleaving. Interleavings are randomized by a seed; some members run up to a hundred times as fast as others. */
#include "collectives/schedule.h"
#include "support/map.h"
#include <string.h>

enum { GARBAGE = 0xa5 };

struct post {
	const struct sr_schedule_entry *entry;
	char *data; /* data of a send, read when the receive is matched */
	bool is_done;
	struct post *next_entry;
};

/* Posted, unmatched messages of an ordered pair; at least one of the two lists is empty. */
struct pair {
	struct post *sends, **last_send;
	struct post *recvs, **last_recv;
};

struct member_state {
	const struct sr_schedule *schedule;
	struct sr_views views;
	int64_t round, next_entry; /* current round; next entry to execute. `posts` has the round's messages */
	struct post *posts;
	int64_t n_posts, n_waits; /* number of messages in `posts`; number of WAIT entries in the round */
	int stage;
	char *in, *out; /* contents of input and output when the result was complete; NULL before */
	bool is_done;
	int speed;
	int64_t sent_bytes;
};

struct simulation {
	struct sr_arena *arena;
	int n;
	struct member_state *members;
	struct pair *pairs; /* queue of messages from one member to another at from * n + to */
	uint64_t seed;
	const char *error;
};

static void match_messages(struct simulation *g, int source, int dest)
{
	struct pair *p = &g->pairs[source * g->n + dest];
	while (p->sends && p->recvs) {
		struct post *s = p->sends, *r = p->recvs;
		if (s->entry->bytes != r->entry->bytes || s->entry->tag != r->entry->tag) {
			g->error = sr_printf(
				g->arena, "member %d sends %lld bytes with tag %d to %d, which expects %lld with tag %d", source,
				(long long)s->entry->bytes, s->entry->tag, dest, (long long)r->entry->bytes, r->entry->tag);
			return;
		}
		memcpy(r->data, s->data, (size_t)s->entry->bytes);
		s->is_done = r->is_done = true;
		p->sends = s->next_entry;
		p->recvs = r->next_entry;
	}
}

static void append_post(struct post **first, struct post ***tail, struct post *post)
{
	if (!*first)
		*tail = first;
	**tail = post;
	*tail = &post->next_entry;
}

static void post_message(struct simulation *g, int me, const struct sr_schedule_entry *e)
{
	struct member_state *p = &g->members[me];
	bool send = e->kind == SR_ENTRY_SEND;
	struct post *post = &p->posts[p->n_posts++];
	int source = send ? me : e->peer, dest = send ? e->peer : me;
	struct pair *pair = &g->pairs[source * g->n + dest];
	*post = (struct post){e, (char *)p->views.own[send ? e->src : e->dst] + (send ? e->src_offset : e->dst_offset)};
	if (send)
		append_post(&pair->sends, &pair->last_send, post);
	else
		append_post(&pair->recvs, &pair->last_recv, post);
	p->sent_bytes += send ? e->bytes : 0;
	match_messages(g, source, dest);
}

static bool on_same_node(const struct simulation *g, int a, int b)
{
	const int *node = g->members[a].schedule->node;
	return !node || node[a] == node[b];
}

/* Add to a member's sent bytes what other members read of its memory. */
static void count_read_bytes(struct simulation *g, int me, const struct sr_schedule_entry *e)
{
	for (int k = 0; k < g->n; k++)
		if (k != me && (e->peer == k || (e->kind == SR_ENTRY_FOLD_MEMBERS && k >= e->peer && k < e->peer + e->n_fold))) {
			g->members[k].sent_bytes += e->bytes / sr_dtype_bytes(e->type) * sr_dtype_bytes(e->src_type);
			if (!on_same_node(g, me, k))
				g->error = sr_printf(g->arena, "member %d reads memory of member %d on another node", me, k);
		}
}

static void run_entry(struct simulation *g, int me, const struct sr_schedule_entry *e)
{
	struct member_state *p = &g->members[me];
	switch (e->kind) {
	case SR_ENTRY_NATIVE:
		g->error = "a native schedule cannot be simulated";
		break;
	case SR_ENTRY_SEND:
	case SR_ENTRY_RECV:
		post_message(g, me, e);
		break;
	case SR_ENTRY_SIGNAL:
		p->stage = e->tag > p->stage ? e->tag : p->stage;
		break;
	case SR_ENTRY_WAIT:
		p->n_waits++;
		break;
	case SR_ENTRY_READ:
	case SR_ENTRY_FOLD_MEMBERS:
		count_read_bytes(g, me, e);
		sr_entry_run(e, p->schedule->monoid, &p->views);
		break;
	default:
		sr_entry_run(e, p->schedule->monoid, &p->views);
	}
}

static bool has_reached(const struct simulation *g, int me, const struct sr_schedule_entry *entry)
{
	for (int k = 0; k < g->n; k++)
		if (entry->peer == SR_ALL_LOCAL_MEMBERS ? on_same_node(g, me, k) && g->members[k].stage < entry->tag
						       : entry->peer == k && g->members[k].stage < entry->tag)
			return false;
	return true;
}

static bool round_is_complete(const struct simulation *g, const struct member_state *p)
{
	const struct sr_schedule *s = p->schedule;
	for (int64_t i = 0; i < p->n_posts; i++)
		if (!p->posts[i].is_done)
			return false;
	for (int64_t i = p->round ? s->round_end[p->round - 1] : 0; p->n_waits && i < s->round_end[p->round]; i++)
		if (s->entries[i].kind == SR_ENTRY_WAIT && !has_reached(g, (int)(p - g->members), &s->entries[i]))
			return false;
	return true;
}

/* Overwrite a member's input and output, as a caller may do once the call has ended. */
static void overwrite_buffers(struct member_state *p)
{
	memset(p->views.own[SR_IN], GARBAGE, (size_t)p->schedule->in_bytes);
	memset(p->views.own[SR_OUT], GARBAGE, (size_t)p->schedule->out_bytes);
}

/* Copy the finished result aside, and overwrite memory that no other member reads. */
static void record_result(struct simulation *g, struct member_state *p)
{
	const struct sr_schedule *s = p->schedule;
	p->stage = SR_CALL_STAGES;
	p->in = sr_dup(g->arena, p->views.own[SR_IN], (size_t)s->in_bytes, 1);
	p->out = sr_dup(g->arena, p->views.own[SR_OUT], (size_t)s->out_bytes, 1);
	memset(p->views.own[SR_SCRATCH], GARBAGE, (size_t)s->scratch_bytes);
	if (!s->is_shared[SR_IN] && !s->is_shared[SR_OUT])
		overwrite_buffers(p);
}

/* Execute one entry or end a round. Returns true if the member made progress. */
static bool run_one(struct simulation *g, int me)
{
	struct member_state *p = &g->members[me];
	const struct sr_schedule *s = p->schedule;
	if (p->round == s->result_rounds && !p->in) {
		record_result(g, p);
		return true;
	}
	if (p->round == s->n_rounds && !p->is_done) {
		overwrite_buffers(p);
		return p->is_done = true;
	}
	if (p->round == s->n_rounds || g->error)
		return false;
	if (p->next_entry < s->round_end[p->round]) {
		if (!p->posts)
			p->posts = SR_NEW_ARRAY(g->arena, struct post, s->round_end[p->round] - p->next_entry);
		run_entry(g, me, &s->entries[p->next_entry++]);
		return true;
	}
	if (!round_is_complete(g, p))
		return false;
	p->round++;
	p->posts = NULL;
	p->n_posts = p->n_waits = 0;
	return true;
}

static uint64_t random_next(struct simulation *g)
{
	return g->seed = sr_hash_bytes(&g->seed, sizeof g->seed, 1);
}

/* Run members round robin, each as far as it can go. */
static void run_round_robin(struct simulation *g)
{
	for (bool has_progress = true; has_progress && !g->error;) {
		has_progress = false;
		for (int k = 0; k < g->n; k++)
			while (run_one(g, k))
				has_progress = true;
	}
}

/* Run members in randomized order: fast members execute many entries for one of a slow member. If no randomly selected member
 * can proceed, run any that can. */
static void run_randomized(struct simulation *g)
{
	for (int k = 0; k < g->n; k++)
		g->members[k].speed = random_next(g) % 2 ? 100 : 1 + (int)(random_next(g) % 5);
	for (bool made_progress = true; made_progress && !g->error;) {
		made_progress = false;
		for (int member = 0; member < g->n; member++) {
			int k = (int)(random_next(g) % (uint64_t)g->n);
			for (int steps = g->members[k].speed; steps > 0 && run_one(g, k); steps--)
				made_progress = true;
		}
		for (int k = 0; k < g->n && !made_progress; k++)
			made_progress = run_one(g, k);
	}
}

static void check_end(struct simulation *g)
{
	for (int k = 0; k < g->n && !g->error; k++) {
		struct member_state *p = &g->members[k];
		if (p->round < p->schedule->n_rounds)
			g->error = sr_printf(g->arena, "member %d never completes round %lld", k, (long long)p->round);
		else if (p->sent_bytes != p->schedule->sent_bytes)
			g->error = sr_printf(g->arena, "member %d sent %lld bytes, %lld were predicted", k,
					     (long long)p->sent_bytes, (long long)p->schedule->sent_bytes);
	}
}

static void init_members(struct simulation *g, const struct sr_schedule *schedules, void *const *in, void *const *out)
{
	void **slots = SR_NEW_ARRAY(g->arena, void *, g->n);
	for (int k = 0; k < g->n; k++) {
		struct member_state *p = &g->members[k];
		char *scratch = sr_alloc(g->arena, (size_t)schedules[k].scratch_bytes, 1);
		slots[k] = sr_alloc(g->arena, SR_SLOT_BYTES, 1);
		memset(scratch, GARBAGE, (size_t)schedules[k].scratch_bytes);
		memset(slots[k], GARBAGE, SR_SLOT_BYTES);
		*p = (struct member_state){.schedule = &schedules[k]};
		p->views = (struct sr_views){.own = {in[k], out[k], scratch, slots[k]}, .member_buffers = {in, out, NULL, slots}, .n = g->n,
					   .form = schedules[k].form, .streams = g->seed % 2 == 1};
	}
}

enum sr_status sr_simulate(const struct sr_schedule *schedules, int n, void *const *in, void *const *out, uint64_t seed,
			   struct sr_arena *arena, const char **message)
{
	struct simulation g = {.arena = arena, .n = n, .seed = seed};
	g.members = SR_NEW_ARRAY(arena, struct member_state, n);
	g.pairs = sr_alloc(arena, (size_t)n * (size_t)n, sizeof *g.pairs);
	init_members(&g, schedules, in, out);
	if (seed)
		run_randomized(&g);
	else
		run_round_robin(&g);
	check_end(&g);
	/* In place, results of members that finished later overwrite shared memory: restore each result from its copy. */
	for (int k = 0; k < n && !g.error; k++) {
		memcpy(in[k], g.members[k].in, (size_t)schedules[k].in_bytes);
		memcpy(out[k], g.members[k].out, (size_t)schedules[k].out_bytes);
	}
	*message = g.error;
	return g.error ? SR_INTERNAL : SR_OK;
}
