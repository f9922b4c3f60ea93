/* The simulator: all members of a schedule in one process.
 *
 * Messages of a pair match in the order in which they are posted, as MPI's do. A round is complete when its receives have got their
 * message, its sends have been taken by a posted receive, and what it waits for has been reached: the strictest reading (nothing is
 * buffered), so what passes here cannot deadlock on a transport that buffers. Scratch and slots begin as garbage, and the memory
 * of a member that is done becomes garbage while others play: so a member that reads another's too early, or writes what another
 * still reads, ends with a wrong result under some order of their steps. Orders are drawn from a seed, with members up to a
 * hundred times as fast as others. */
#include "collectives/schedule.h"
#include "support/map.h"
#include <string.h>

enum { GARBAGE = 0xa5 };

struct post {
	const struct sr_schedule_entry *entry;
	char *data; /* of a send: read when it is taken */
	bool done;
	struct post *next;
};

/* Posted and not yet matched, per ordered pair; one of the two lists is empty. */
struct pair {
	struct post *sends, **last_send;
	struct post *recvs, **last_recv;
};

struct player {
	const struct sr_schedule *schedule;
	struct sr_views views;
	int64_t round, next; /* the round under way and its next entry; its posts: */
	struct post *posts;
	int64_t n_posts, n_waits; /* waits: entries of the round */
	int stage;
	char *in, *out; /* what they held when the result was there; NULL before */
	bool done;
	int speed;
	int64_t sent;
};

struct game {
	struct sr_arena *arena;
	int n;
	struct player *players;
	struct pair *pairs; /* [from * n + to] */
	uint64_t seed;
	const char *wrong;
};

static void match(struct game *g, int from, int to)
{
	struct pair *p = &g->pairs[from * g->n + to];
	while (p->sends && p->recvs) {
		struct post *s = p->sends, *r = p->recvs;
		if (s->entry->bytes != r->entry->bytes || s->entry->tag != r->entry->tag) {
			g->wrong = sr_printf(
				g->arena, "member %d sends %lld bytes with tag %d to %d, which expects %lld with tag %d", from,
				(long long)s->entry->bytes, s->entry->tag, to, (long long)r->entry->bytes, r->entry->tag);
			return;
		}
		memcpy(r->data, s->data, (size_t)s->entry->bytes);
		s->done = r->done = true;
		p->sends = s->next;
		p->recvs = r->next;
	}
}

static void append(struct post **first, struct post ***last, struct post *post)
{
	if (!*first)
		*last = first;
	**last = post;
	*last = &post->next;
}

static void post_message(struct game *g, int me, const struct sr_schedule_entry *e)
{
	struct player *p = &g->players[me];
	bool send = e->kind == SR_ENTRY_SEND;
	struct post *post = &p->posts[p->n_posts++];
	int from = send ? me : e->peer, to = send ? e->peer : me;
	struct pair *pair = &g->pairs[from * g->n + to];
	*post = (struct post){e, (char *)p->views.mine[send ? e->src : e->dst] + (send ? e->src_offset : e->dst_offset)};
	if (send)
		append(&pair->sends, &pair->last_send, post);
	else
		append(&pair->recvs, &pair->last_recv, post);
	p->sent += send ? e->bytes : 0;
	match(g, from, to);
}

static bool are_neighbours(const struct game *g, int a, int b)
{
	const int *node = g->players[a].schedule->node;
	return !node || node[a] == node[b];
}

/* What others are read of counts as sent by them. */
static void count_reading(struct game *g, int me, const struct sr_schedule_entry *e)
{
	for (int k = 0; k < g->n; k++)
		if (k != me && (e->peer == k || (e->kind == SR_ENTRY_FOLD_MEMBERS && k >= e->peer && k < e->peer + e->n_fold))) {
			g->players[k].sent += e->bytes / sr_dtype_bytes(e->type) * sr_dtype_bytes(e->src_type);
			if (!are_neighbours(g, me, k))
				g->wrong = sr_printf(g->arena, "member %d reads member %d of another node", me, k);
		}
}

static void play_entry(struct game *g, int me, const struct sr_schedule_entry *e)
{
	struct player *p = &g->players[me];
	switch (e->kind) {
	case SR_ENTRY_NATIVE:
		g->wrong = "a native schedule cannot be simulated";
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
		count_reading(g, me, e);
		sr_entry_run(e, p->schedule->monoid, &p->views);
		break;
	default:
		sr_entry_run(e, p->schedule->monoid, &p->views);
	}
}

static bool has_reached(const struct game *g, int me, const struct sr_schedule_entry *wait)
{
	for (int k = 0; k < g->n; k++)
		if (wait->peer == SR_ALL_LOCAL_MEMBERS ? are_neighbours(g, me, k) && g->players[k].stage < wait->tag
					       : wait->peer == k && g->players[k].stage < wait->tag)
			return false;
	return true;
}

static bool round_is_complete(const struct game *g, const struct player *p)
{
	const struct sr_schedule *s = p->schedule;
	for (int64_t i = 0; i < p->n_posts; i++)
		if (!p->posts[i].done)
			return false;
	for (int64_t i = p->round ? s->round_end[p->round - 1] : 0; p->n_waits && i < s->round_end[p->round]; i++)
		if (s->entries[i].kind == SR_ENTRY_WAIT && !has_reached(g, (int)(p - g->players), &s->entries[i]))
			return false;
	return true;
}

/* The caller may do with its memory what it likes. */
static void overwrite(struct player *p)
{
	memset(p->views.mine[SR_IN], GARBAGE, (size_t)p->schedule->in_bytes);
	memset(p->views.mine[SR_OUT], GARBAGE, (size_t)p->schedule->out_bytes);
}

/* The caller reads the result now, and may write what nobody reads. */
static void finish(struct game *g, struct player *p)
{
	const struct sr_schedule *s = p->schedule;
	p->stage = SR_CALL_STAGES;
	p->in = sr_dup(g->arena, p->views.mine[SR_IN], (size_t)s->in_bytes, 1);
	p->out = sr_dup(g->arena, p->views.mine[SR_OUT], (size_t)s->out_bytes, 1);
	memset(p->views.mine[SR_SCRATCH], GARBAGE, (size_t)s->scratch_bytes);
	if (!s->shared[SR_IN] && !s->shared[SR_OUT])
		overwrite(p);
}

/* One entry, or the end of a round; true where it moved. */
static bool step(struct game *g, int me)
{
	struct player *p = &g->players[me];
	const struct sr_schedule *s = p->schedule;
	if (p->round == s->result_rounds && !p->in) {
		finish(g, p);
		return true;
	}
	if (p->round == s->n_rounds && !p->done) {
		overwrite(p);
		return p->done = true;
	}
	if (p->round == s->n_rounds || g->wrong)
		return false;
	if (p->next < s->round_end[p->round]) {
		if (!p->posts)
			p->posts = SR_NEWS(g->arena, struct post, s->round_end[p->round] - p->next);
		play_entry(g, me, &s->entries[p->next++]);
		return true;
	}
	if (!round_is_complete(g, p))
		return false;
	p->round++;
	p->posts = NULL;
	p->n_posts = p->n_waits = 0;
	return true;
}

static uint64_t draw(struct game *g)
{
	return g->seed = sr_hash_bytes(&g->seed, sizeof g->seed, 1);
}

/* In turn, each as far as it gets. */
static void play_in_turn(struct game *g)
{
	for (bool moved = true; moved && !g->wrong;) {
		moved = false;
		for (int k = 0; k < g->n; k++)
			while (step(g, k))
				moved = true;
	}
}

/* By lot: the fast ones many steps for one of the slow; where all that are drawn stand still, whoever can go on. */
static void play_by_lot(struct game *g)
{
	for (int k = 0; k < g->n; k++)
		g->players[k].speed = draw(g) % 2 ? 100 : 1 + (int)(draw(g) % 5);
	for (bool moved = true; moved && !g->wrong;) {
		moved = false;
		for (int turn = 0; turn < g->n; turn++) {
			int k = (int)(draw(g) % (uint64_t)g->n);
			for (int steps = g->players[k].speed; steps > 0 && step(g, k); steps--)
				moved = true;
		}
		for (int k = 0; k < g->n && !moved; k++)
			moved = step(g, k);
	}
}

static void check_end(struct game *g)
{
	for (int k = 0; k < g->n && !g->wrong; k++) {
		struct player *p = &g->players[k];
		if (p->round < p->schedule->n_rounds)
			g->wrong = sr_printf(g->arena, "member %d waits for ever in round %lld", k, (long long)p->round);
		else if (p->sent != p->schedule->sent_bytes)
			g->wrong = sr_printf(g->arena, "member %d sent %lld bytes, %lld were predicted", k, (long long)p->sent,
					     (long long)p->schedule->sent_bytes);
	}
}

static void seat(struct game *g, const struct sr_schedule *schedules, void *const *in, void *const *out)
{
	void **slots = SR_NEWS(g->arena, void *, g->n);
	for (int k = 0; k < g->n; k++) {
		struct player *p = &g->players[k];
		char *scratch = sr_alloc(g->arena, (size_t)schedules[k].scratch_bytes, 1);
		slots[k] = sr_alloc(g->arena, SR_SLOT_BYTES, 1);
		memset(scratch, GARBAGE, (size_t)schedules[k].scratch_bytes);
		memset(slots[k], GARBAGE, SR_SLOT_BYTES);
		*p = (struct player){.schedule = &schedules[k]};
		p->views = (struct sr_views){.mine = {in[k], out[k], scratch, slots[k]}, .of = {in, out, NULL, slots}, .n = g->n,
					   .form = schedules[k].form};
	}
}

enum sr_status sr_simulate(const struct sr_schedule *schedules, int n, void *const *in, void *const *out, uint64_t seed,
			   struct sr_arena *arena, const char **message)
{
	struct game g = {.arena = arena, .n = n, .seed = seed};
	g.players = SR_NEWS(arena, struct player, n);
	g.pairs = sr_alloc(arena, (size_t)n * (size_t)n, sizeof *g.pairs);
	seat(&g, schedules, in, out);
	if (seed)
		play_by_lot(&g);
	else
		play_in_turn(&g);
	check_end(&g);
	for (int k = 0; k < n && !g.wrong; k++) { /* in place the result is what stays */
		memcpy(in[k], g.players[k].in, (size_t)schedules[k].in_bytes);
		memcpy(out[k], g.players[k].out, (size_t)schedules[k].out_bytes);
	}
	*message = g.wrong;
	return g.wrong ? SR_INTERNAL : SR_OK;
}
