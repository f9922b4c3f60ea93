/* The simulator: all members of a schedule in one process.
 *
 * Messages of a pair match in the order in which they are posted, as MPI's do. A round is complete when its receives have got their
 * message and its sends have been taken by a posted receive: the strictest reading (nothing is buffered), so what passes here
 * cannot deadlock on a transport that buffers. Scratch begins as garbage. */
#include "collectives/schedule.h"
#include <string.h>

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
	void *buffers[3];
	int64_t round, begin; /* the round under way and its first entry; its posts: */
	struct post *posts;
	int64_t n_posts;
	bool posted;
	int64_t sent;
};

struct game {
	struct sr_arena *arena;
	int n;
	struct player *players;
	struct pair *pairs; /* [from * n + to] */
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

static void post_round(struct game *g, int me)
{
	struct player *p = &g->players[me];
	int64_t end = p->schedule->round_end[p->round];
	p->posts = SR_NEWS(g->arena, struct post, end - p->begin);
	p->n_posts = 0;
	p->posted = true;
	for (int64_t i = p->begin; i < end && !g->wrong; i++) {
		const struct sr_schedule_entry *e = &p->schedule->entries[i];
		bool send = e->kind == SR_ENTRY_SEND;
		if (e->kind == SR_ENTRY_NATIVE) {
			g->wrong = "a native schedule cannot be simulated";
		} else if (!send && e->kind != SR_ENTRY_RECV) {
			sr_entry_run(e, p->schedule->monoid, p->buffers);
		} else {
			struct post *post = &p->posts[p->n_posts++];
			int from = send ? me : e->peer, to = send ? e->peer : me;
			struct pair *pair = &g->pairs[from * g->n + to];
			*post = (struct post){
				e, (char *)p->buffers[send ? e->src : e->dst] + (send ? e->src_offset : e->dst_offset)};
			if (send)
				append(&pair->sends, &pair->last_send, post);
			else
				append(&pair->recvs, &pair->last_recv, post);
			p->sent += send ? e->bytes : 0;
			match(g, from, to);
		}
	}
}

/* Go on as far as one member can; true where it moved. */
static bool advance(struct game *g, int me)
{
	struct player *p = &g->players[me];
	bool moved = false;
	while (p->round < p->schedule->n_rounds && !g->wrong) {
		if (!p->posted) {
			post_round(g, me);
			moved = true;
		}
		for (int64_t i = 0; i < p->n_posts; i++)
			if (!p->posts[i].done)
				return moved;
		p->begin = p->schedule->round_end[p->round++];
		p->posted = false;
		moved = true;
	}
	return moved;
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

enum sr_status sr_simulate(const struct sr_schedule *schedules, int n, void *const *in, void *const *out, struct sr_arena *arena,
			   const char **message)
{
	struct game g = {.arena = arena, .n = n};
	g.players = SR_NEWS(arena, struct player, n);
	g.pairs = sr_alloc(arena, (size_t)n * (size_t)n, sizeof *g.pairs);
	for (int k = 0; k < n; k++) {
		char *scratch = sr_alloc(arena, (size_t)schedules[k].scratch_bytes, 1);
		memset(scratch, 0xa5, (size_t)schedules[k].scratch_bytes);
		g.players[k] = (struct player){.schedule = &schedules[k], .buffers = {in[k], out[k], scratch}};
	}
	for (bool moved = true; moved && !g.wrong;) {
		moved = false;
		for (int k = 0; k < n; k++)
			moved |= advance(&g, k);
	}
	check_end(&g);
	*message = g.wrong;
	return g.wrong ? SR_INTERNAL : SR_OK;
}
