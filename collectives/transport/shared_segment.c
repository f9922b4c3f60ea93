/* The node's window: files of memory handed over through /proc, and sleeping on words in them. */
#define _GNU_SOURCE 1
#include "collectives/transport/shared_segment.h"
#include "support/checked.h"
#include "support/vec.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PLACE_BITS = 48, MOST_REGIONS = 1 << 15 };
static const int64_t slots_bytes = (int64_t)64 << 20, most_staging = (int64_t)64 << 30;

struct span { /* of a region, as it lies in my memory */
	const char *begin, *end;
	int64_t offset;
	int number; /* of the region */
};

struct own { /* of one sibling in a region */
	int fd;       /* -1: none, or closed */
	bool mapped;  /* for the region, and not laid into other memory */
};

struct sr_shared_region {
	struct sr_shared_segment *window;
	bool is_open;
	int number;    /* this process's: what its devices say in places. Other processes have numbers of their own */
	int64_t bytes;
	char **base;   /* [n_here]: where each lies in my memory; siblings' NULL until they are laid */
	struct own *own; /* [n_local_devices] */
};

struct sibling { /* what the window has for each */
	int64_t next_slots, staged; /* in region 0 */
	int n_staged;
	SR_VEC(struct span) spans;  /* of all regions that are open, in order of addresses */
};

struct card { /* by which others find a file of mine */
	int64_t pid, fd;
	uint64_t device, inode;
	int64_t bytes; /* -1: I have none */
	int number;    /* of the region, in my process */
};

struct sr_shared_segment {
	struct sr_transport *transport; /* the first sibling */
	SR_VEC(struct sr_shared_region *) regions; /* by number; one that was closed is used again */
	SR_VEC(char *) *bases;   /* [n_here]: of each device's regions, by the numbers of its process */
	int64_t staging;
	struct sibling *siblings; /* [n_local_devices] */
	/* for what processes tell each other when a region is opened: */
	struct card *my_cards, *cards; /* [n_local_devices], [n_here] */
	bool *mine, *all;              /* the same */
};

/* Nobody else is on the node. */
static bool is_alone(const struct sr_transport *t)
{
	return t->n_here == t->n_local_devices;
}

/* ---- words ---- */

static long futex(_Atomic uint32_t *word, int op, uint32_t value, const struct timespec *limit)
{
	return syscall(SYS_futex, word, op, value, limit, NULL, 0);
}

void sr_call_progress_publish(struct sr_call_progress *cell, uint32_t word)
{
	atomic_store_explicit(&cell->stage, word, memory_order_release);
	atomic_thread_fence(memory_order_seq_cst); /* a sleeper counts itself, then looks once more */
	if (atomic_load_explicit(&cell->sleepers, memory_order_relaxed))
		futex(&cell->stage, FUTEX_WAKE, INT_MAX, NULL);
}

void sr_call_progress_sleep(struct sr_call_progress *cell, uint32_t word, long limit_ns)
{
	atomic_fetch_add(&cell->sleepers, 1);
	uint32_t seen = atomic_load(&cell->stage);
	if ((int32_t)(seen - word) < 0)
		futex(&cell->stage, FUTEX_WAIT, seen, &(struct timespec){.tv_nsec = limit_ns});
	atomic_fetch_sub(&cell->sleepers, 1);
}

/* ---- regions ---- */

static bool make_file(struct own *own, const struct sr_shared_region *r, struct card *card)
{
	struct stat s;
	*card = (struct card){.pid = getpid(), .fd = -1, .bytes = -1};
	own->fd = memfd_create("shardrun", MFD_CLOEXEC);
	if (own->fd < 0 || ftruncate(own->fd, r->bytes) || fstat(own->fd, &s))
		return false;
	*card = (struct card){getpid(), own->fd, s.st_dev, s.st_ino, r->bytes, r->number};
	return true;
}

/* Another's file; MAP_FAILED. It is the right one, not that of a process which has that number in another namespace. */
static void *map_file(const struct card *card)
{
	char path[64];
	struct stat s;
	void *data = MAP_FAILED;
	snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)card->pid, (long long)card->fd);
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &s) && s.st_dev == card->device && s.st_ino == card->inode)
		data = mmap(NULL, (size_t)card->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	int error = fd >= 0 && data == MAP_FAILED && !errno ? ESTALE : errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return data;
}

/* Siblings are neighbours. */
static bool is_sibling(const struct sr_transport *t, int here)
{
	int first = t->siblings[0]->here;
	return here >= first && here < first + t->n_local_devices;
}

/* Map what the cards say; NULL or what failed. */
static const char *map_all(struct sr_shared_region *r)
{
	const struct sr_transport *t = r->window->transport;
	const struct card *cards = r->window->cards;
	for (int k = 0; k < t->n_here; k++) {
		if (cards[k].bytes < 0)
			return "a rank has no memory file";
		if (is_sibling(t, k))
			continue;
		errno = 0;
		void *data = map_file(&cards[k]);
		if (data == MAP_FAILED)
			return strerror(errno);
		r->base[k] = data;
	}
	return NULL;
}

/* Where region `number` of the `here`-th device's process lies in my memory. */
static void set_base(struct sr_shared_segment *w, int here, int number, char *base)
{
	while (w->bases[here].n <= (size_t)number)
		sr_push(w->transport->arena, &w->bases[here], NULL);
	w->bases[here].data[number] = base;
}

static void forget_spans(struct sibling *s, int number)
{
	size_t n = 0;
	for (size_t i = 0; i < s->spans.n; i++)
		if (s->spans.data[i].number != number)
			s->spans.data[n++] = s->spans.data[i];
	s->spans.n = n;
}

static void close_region(struct sr_shared_region *r)
{
	const struct sr_transport *t = r->window->transport;
	if (!r->is_open)
		return;
	for (int k = 0; k < t->n_here; k++)
		if (r->base[k] && (!is_sibling(t, k) || r->own[k - t->here].mapped))
			munmap(r->base[k], (size_t)r->bytes);
	for (int k = 0; k < t->n_local_devices; k++) {
		if (r->own[k].fd >= 0)
			close(r->own[k].fd);
		forget_spans(&r->window->siblings[k], r->number);
	}
	r->is_open = false;
}

/* Collective on the node: it is good for all. */
static bool agree(struct sr_shared_segment *w, bool good)
{
	struct sr_transport *t = w->transport;
	for (int k = 0; k < t->n_local_devices; k++)
		w->mine[k] = good;
	t->wire->gather_here(t, w->mine, sizeof good, w->all);
	for (int k = 0; k < t->n_here; k++)
		good = good && w->all[k];
	return good;
}

/* Collective on the node: files for the siblings, and those of others mapped; NULL or what failed. */
static const char *share_files(struct sr_shared_region *r)
{
	struct sr_shared_segment *w = r->window;
	struct sr_transport *t = w->transport;
	const char *wrong = r->number < MOST_REGIONS ? NULL : "too many regions are open";
	for (int k = 0; k < t->n_local_devices; k++) {
		w->my_cards[k] = (struct card){.bytes = -1};
		if (!wrong && !make_file(&r->own[k], r, &w->my_cards[k]))
			wrong = strerror(errno);
	}
	t->wire->gather_here(t, w->my_cards, sizeof *w->my_cards, w->cards);
	if (!wrong)
		wrong = map_all(r);
	if (!agree(w, !wrong))
		return wrong ? wrong : "another rank of the node cannot";
	for (int k = 0; k < t->n_here; k++)
		set_base(w, k, w->cards[k].number, r->base[k]);
	return NULL;
}

/* A region that was closed, or a new one. */
static struct sr_shared_region *take_region(struct sr_shared_segment *w)
{
	const struct sr_transport *t = w->transport;
	size_t number = 0;
	while (number < w->regions.n && w->regions.data[number]->is_open)
		number++;
	if (number == w->regions.n) {
		struct sr_shared_region *r = SR_NEW(t->arena, struct sr_shared_region);
		*r = (struct sr_shared_region){.window = w,
					.number = (int)number,
					.base = SR_NEWS(t->arena, char *, t->n_here),
					.own = SR_NEWS(t->arena, struct own, t->n_local_devices)};
		sr_push(t->arena, &w->regions, r);
	}
	struct sr_shared_region *r = w->regions.data[number];
	r->is_open = true;
	for (int k = 0; k < t->n_here; k++)
		r->base[k] = NULL;
	for (int k = 0; k < t->n_local_devices; k++)
		r->own[k] = (struct own){.fd = -1};
	return r;
}

/* Collective on the node: a region, or NULL on all. */
static struct sr_shared_region *open_region(struct sr_shared_segment *w, int64_t bytes, char *reason, size_t n)
{
	struct sr_shared_region *r = take_region(w);
	r->bytes = bytes;
	const char *wrong = is_alone(w->transport) ? NULL : share_files(r);
	if (!wrong)
		return r;
	snprintf(reason, n, "%s", wrong);
	close_region(r);
	return NULL;
}

/* What all devices of the node can stage: address space and file sizes may be limited. */
static int64_t agree_staging(struct sr_transport *t)
{
	struct rlimit space, file;
	int64_t mine = most_staging, *all = SR_NEWS(t->arena, int64_t, t->n_here), *each = SR_NEWS(t->arena, int64_t,
	    t->n_local_devices);
	if (!getrlimit(RLIMIT_AS, &space) && space.rlim_cur != RLIM_INFINITY &&
	    space.rlim_cur / 8 / (rlim_t)t->n_here < (rlim_t)mine)
		mine = (int64_t)(space.rlim_cur / 8 / (rlim_t)t->n_here);
	if (!getrlimit(RLIMIT_FSIZE, &file) && file.rlim_cur != RLIM_INFINITY && file.rlim_cur < (rlim_t)(mine + slots_bytes))
		mine = (int64_t)file.rlim_cur - slots_bytes;
	for (int k = 0; k < t->n_local_devices; k++)
		each[k] = mine;
	t->wire->gather_here(t, each, sizeof mine, all);
	for (int k = 0; k < t->n_here; k++)
		mine = all[k] < mine ? all[k] : mine;
	return mine / 4096 * 4096;
}

/* [begin, end) of the k-th sibling's memory is in region r at `offset`. */
static void add_span(struct sr_shared_region *r, int k, char *begin, char *end, int64_t offset)
{
	struct sr_shared_segment *w = r->window;
	struct sibling *s = &w->siblings[k];
	int here = w->transport->here + k;
	struct span new = {begin, end, offset, r->number};
	size_t at = s->spans.n;
	sr_push(w->transport->arena, &s->spans, new);
	for (; at && s->spans.data[at - 1].begin > begin; at--)
		s->spans.data[at] = s->spans.data[at - 1];
	s->spans.data[at] = new;
	r->base[here] = begin - offset;
	set_base(w, here, r->number, r->base[here]);
}

/* Region 0 of each sibling in my memory. */
static bool map_own(struct sr_shared_region *r)
{
	const struct sr_transport *t = r->window->transport;
	for (int k = 0; k < t->n_local_devices; k++) {
		struct own *own = &r->own[k];
		int flags = own->fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
		char *data = mmap(NULL, (size_t)r->bytes, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, own->fd, 0);
		if (data == MAP_FAILED)
			return false;
		own->mapped = true;
		add_span(r, k, data, data + r->bytes, 0);
	}
	return true;
}

struct sr_shared_segment *sr_segment_open(struct sr_transport *t, char *reason, size_t n)
{
	struct sr_shared_segment *w = SR_NEW(t->arena, struct sr_shared_segment);
	*w = (struct sr_shared_segment){.transport = t,
				.staging = agree_staging(t),
				.siblings = SR_NEWS(t->arena, struct sibling, t->n_local_devices),
				.my_cards = SR_NEWS(t->arena, struct card, t->n_local_devices),
				.cards = SR_NEWS(t->arena, struct card, t->n_here),
				.mine = SR_NEWS(t->arena, bool, t->n_local_devices),
				.all = SR_NEWS(t->arena, bool, t->n_here)};
	w->bases = sr_alloc(t->arena, (size_t)t->n_here, sizeof *w->bases);
	*reason = 0;
	if (w->staging <= 0) {
		snprintf(reason, n, "the size of files is limited (ulimit -f)");
		return NULL;
	}
	struct sr_shared_region *r = open_region(w, slots_bytes + w->staging, reason, n);
	if (!r)
		return NULL;
	if (!agree(w, map_own(r))) {
		snprintf(reason, n, "no address space");
		close_region(r);
		return NULL;
	}
	return w;
}

void sr_segment_close(struct sr_shared_segment *w)
{
	for (size_t i = 0; w && i < w->regions.n; i++)
		close_region(w->regions.data[i]);
}

struct sr_shared_region *sr_shared_region_open(struct sr_transport *t, int64_t bytes)
{
	bool can = t->window && bytes > 0 && bytes < (int64_t)1 << PLACE_BITS;
	struct sr_transport *first = t->siblings[0];
	return can ? open_region(t->window, bytes, first->no_segment_reason, sizeof first->no_segment_reason) : NULL;
}

/* A file's pages in place of the memory's. */
static bool map_over(int fd, char *memory, int64_t offset, int64_t n)
{
	void *at = mmap(memory + offset, (size_t)n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, offset);
	if (at == MAP_FAILED)
		return false;
#ifdef MADV_HUGEPAGE
	madvise(at, (size_t)n, MADV_HUGEPAGE); /* advice: what comes back does not matter */
#endif
	return true;
}

bool sr_shared_region_map(struct sr_shared_region *r, const struct sr_transport *t, char *memory, int64_t offset, int64_t n)
{
	int fd = r->own[t->k].fd;
	if (fd >= 0 && !map_over(fd, memory, offset, n))
		return false;
	add_span(r, t->k, memory + offset, memory + offset + n, offset);
	return true;
}

void sr_shared_region_close(struct sr_shared_region *r)
{
	if (r)
		close_region(r);
}

/* ---- slots, places, staging ---- */

int64_t sr_segment_take_slots(const struct sr_transport *t)
{
	struct sibling *s = &t->window->siblings[t->k];
	int64_t at = s->next_slots, end = at + SR_CALL_SLOTS * (int64_t)sizeof(struct sr_call_slot);
	if (end > slots_bytes)
		return -1;
	s->next_slots = end;
	return at;
}

struct sr_call_slot *sr_segment_slot(const struct sr_shared_segment *w, int here, int64_t place, int number)
{
	return (struct sr_call_slot *)(void *)(w->regions.data[0]->base[here] + place) + number;
}

/* Nodes as numbers from 0 on, in order of their first members; returns how many there are. */
static int number_nodes(const struct sr_group_handshake *all, int n, int *node)
{
	int nodes = 0;
	for (int k = 0; k < n; k++) {
		node[k] = -1;
		for (int i = 0; i < k && node[k] < 0; i++)
			if (all[i].node == all[k].node)
				node[k] = node[i];
		if (node[k] < 0)
			node[k] = nodes++;
	}
	return nodes;
}

/* All who are not alone on their node have a window there, and there are such. */
static bool has_windows(const struct sr_group_handshake *all, int n, const int *node, int nodes)
{
	for (int k = 0; k < n; k++)
		for (int i = 0; i < n && all[k].slots < 0; i++)
			if (i != k && node[i] == node[k])
				return false;
	return nodes < n;
}

struct sr_group_handshake sr_group_make_handshake(struct sr_transport *t)
{
	struct sr_group_handshake card = {-1, INT64_MAX, t->node, t->here};
	if (t->window) {
		card.slots = sr_segment_take_slots(t);
		card.staging = t->window->staging;
	}
	return card;
}

void sr_group_complete_handshake(struct sr_group *g, const struct sr_group_handshake *all)
{
	struct sr_transport *t = g->transport;
	g->node = SR_NEWS(t->arena, int, g->size);
	int nodes = number_nodes(all, g->size, g->node);
	g->carrier = (uint8_t)t->wire->carrier;
	if (!has_windows(all, g->size, g->node, nodes))
		return;
	g->carrier = nodes == 1 ? SR_CARRIER_SHM : SR_CARRIER_HIERARCHICAL;
	g->here = SR_NEWS(t->arena, int, g->size);
	g->slots = SR_NEWS(t->arena, struct sr_call_slot *, (size_t)g->size * SR_CALL_SLOTS);
	g->data = SR_NEWS(t->arena, void *, (size_t)g->size * SR_CALL_SLOTS);
	g->users = SR_NEWS(t->arena, struct sr_prepared_collective *, SR_CALL_SLOTS);
	g->staging = INT64_MAX;
	for (int i = 0; i < g->size * SR_CALL_SLOTS; i++) {
		int k = i % g->size;
		bool is_here = all[k].node == t->node && t->window;
		g->staging = all[k].staging < g->staging ? all[k].staging : g->staging;
		g->here[k] = is_here ? all[k].here : -1;
		g->slots[i] = is_here ? sr_segment_slot(t->window, all[k].here, all[k].slots, i / g->size) : NULL;
		g->data[i] = is_here ? g->slots[i]->data : NULL;
	}
}

/* The last span that begins at or before `at`; NULL: there is none. */
static const struct span *find_span(const struct sibling *s, const char *at)
{
	size_t lo = 0, hi = s->spans.n;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (s->spans.data[mid].begin <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &s->spans.data[lo - 1] : NULL;
}

bool sr_segment_encode(const struct sr_transport *t, const void *data, int64_t bytes, uint64_t *place)
{
	const char *at = data;
	const struct span *s = find_span(&t->window->siblings[t->k], at);
	if (!s || at + bytes > s->end)
		return false;
	*place = (uint64_t)s->number << PLACE_BITS | (uint64_t)(s->offset + (at - s->begin));
	return true;
}

void *sr_segment_decode(const struct sr_shared_segment *w, int here, uint64_t place)
{
	return w->bases[here].data[place >> PLACE_BITS] + (place & (((uint64_t)1 << PLACE_BITS) - 1));
}

void *sr_segment_stage(const struct sr_transport *t, int64_t bytes)
{
	struct sibling *s = &t->window->siblings[t->k];
	int64_t rounded = (bytes + 4095) / 4096 * 4096;
	if (rounded > t->window->staging - s->staged)
		return NULL;
	char *at = t->window->regions.data[0]->base[t->here] + slots_bytes + s->staged;
	s->staged += rounded;
	s->n_staged++;
	return at;
}

void sr_segment_unstage(const struct sr_transport *t)
{
	struct sibling *s = &t->window->siblings[t->k];
	if (--s->n_staged == 0)
		s->staged = 0;
}
