/* Coalescing. A copy would have its two ends in one buffer, a step that may work in place its operand and its result, a donated argument the
 * result that it was declared for: each is a wish, worth its bytes times the rounds of the loops around it. Wishes are taken by benefit; one is
 * granted where no point of time has both classes alive. Loop state, updates in place and results written where they go all come of this:
 * lowering copies whenever a value changes its buffer, and what can stay where it is loses its copy here.
 *
 * Cost: n log n for the order; a class of more than MAX_PIECES ranges grows no more, so that joining stays linear. */
#include "plan/place/coalesce.h"
#include "plan/place/effects.h"
#include <stdlib.h>

enum { MAX_PIECES = 512, ROUNDS = 8, DEEPEST = 12 };

struct apart { /* a buffer that a class may not be joined with, whatever their lives */
	int buffer;
	struct apart *next;
};

struct wish {
	double benefit;
	int from, to;
	size_t order;
};

struct coalesce {
	struct sr_plan_builder *b;
	struct sr_arena *arena;
	struct sr_buffer_classes *s;
	SR_VEC(struct wish) wishes;
	SR_VEC(uint8_t) access;
	struct apart **apart; /* [buffers]: of the class, at its first member */
};

/* ---- wishes ---- */

static void wish(struct coalesce *c, int from, int to, double weight)
{
	const struct sr_buffer *x = &c->b->buffers.data[from], *y = &c->b->buffers.data[to];
	if (from != to && x->bytes && x->bytes == y->bytes)
		sr_push(c->arena, &c->wishes, (struct wish){(double)x->bytes * weight, from, to, c->wishes.n});
}

static void keep_apart(struct coalesce *c, int buffer, int other)
{
	struct apart *a = SR_NEW(c->arena, struct apart);
	*a = (struct apart){other, c->apart[buffer]};
	c->apart[buffer] = a;
}

/* Operands that a step reads along with what it writes: each may be one of its results, or is to be kept apart from it. */
static void wish_in_place(struct coalesce *c, const struct sr_instr *s, const struct sr_instr_traits *f, double rounds)
{
	const int32_t *operands = c->b->operands.data + s->first_operand;
	c->access.n = 0;
	for (uint32_t i = 0; i < s->n_operands; i++)
		sr_push(c->arena, &c->access, SR_EFFECT_NONE);
	sr_instr_effects(c->b, s, f->start, c->access.data);
	for (uint32_t i = 0; i < s->n_operands; i++)
		for (uint32_t k = 0; c->access.data[i] == SR_EFFECT_READ_ELEMENTWISE && k < s->n_operands; k++) {
			if (c->access.data[k] != SR_EFFECT_WRITE)
				continue;
			if (!f->may_share || f->may_share(c->b, s, i, k)) {
				wish(c, operands[i], operands[k], rounds);
			} else {
				keep_apart(c, operands[i], operands[k]);
				keep_apart(c, operands[k], operands[i]);
			}
		}
}

static void wish_all(struct coalesce *c, int plan, int depth)
{
	double rounds = 1;
	for (int i = 0; i < depth && i < DEEPEST; i++)
		rounds *= ROUNDS;
	for (size_t i = 0; i < c->b->plans.data[plan].steps.n; i++) {
		const struct sr_instr *s = &c->b->plans.data[plan].steps.data[i];
		const struct sr_instr_traits *f = sr_instr_traits_of(s);
		const int32_t *operands = c->b->operands.data + s->first_operand;
		int owned;
		if (sr_instr_is_copy(c->b, s))
			wish(c, operands[0], operands[1], 2 * rounds); /* the step goes, too */
		else if (f->flow == SR_FLOW_STRAIGHT && f->start)
			wish_in_place(c, s, f, rounds);
		for (int k = 0; f->plan && (owned = f->plan(c->b, s, k)) >= 0; k++)
			wish_all(c, owned, depth + (f->flow != SR_FLOW_BRANCHES));
	}
}

static void wish_donated(struct coalesce *c)
{
	for (size_t i = 0; i < c->b->values.n; i++) {
		struct sr_io *io = &c->b->values.data[i];
		if (io->aliases >= 0)
			wish(c, c->b->values.data[io->aliases].buffer, io->buffer, 1);
	}
}

static int by_benefit(const void *x, const void *y)
{
	const struct wish *a = x, *b = y;
	if (a->benefit != b->benefit)
		return a->benefit > b->benefit ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* ---- classes ---- */

static int class_of(struct coalesce *c, int buffer)
{
	int *parent = c->s->class_of, root = buffer;
	while (parent[root] != root)
		root = parent[root];
	while (parent[buffer] != root) {
		int next = parent[buffer];
		parent[buffer] = root;
		buffer = next;
	}
	return root;
}

/* Whether some point lies in both: each range of the shorter list is looked up in the longer one. */
static bool meet(const struct sr_ranges *x, const struct sr_ranges *y)
{
	const struct sr_ranges *few = x->n < y->n ? x : y, *many = few == x ? y : x;
	for (int64_t i = 0; i < few->n; i++) {
		int64_t low = 0, high = many->n; /* the first that ends at or after the start */
		while (low < high) {
			int64_t middle = (low + high) / 2;
			if (many->data[middle].to < few->data[i].from)
				low = middle + 1;
			else
				high = middle;
		}
		if (low < many->n && many->data[low].from <= few->data[i].to)
			return true;
	}
	return false;
}

/* Whether a buffer that x is kept apart from is in y. */
static bool kept_apart(struct coalesce *c, int x, int y)
{
	for (const struct apart *a = c->apart[x]; a; a = a->next)
		if (class_of(c, a->buffer) == y)
			return true;
	return false;
}

static void join_apart(struct coalesce *c, int from, int to)
{
	struct apart **end = &c->apart[from];
	while (*end)
		end = &(*end)->next;
	*end = c->apart[to];
	c->apart[to] = c->apart[from];
}

static struct sr_ranges join(struct coalesce *c, const struct sr_ranges *x, const struct sr_ranges *y)
{
	struct sr_ranges out = {SR_NEWS(c->arena, struct sr_range, x->n + y->n), 0};
	for (int64_t i = 0, k = 0; i < x->n || k < y->n;) {
		struct sr_range r = k == y->n || (i < x->n && x->data[i].from < y->data[k].from) ? x->data[i++] : y->data[k++];
		if (out.n && out.data[out.n - 1].to + 1 == r.from)
			out.data[out.n - 1].to = r.to;
		else
			out.data[out.n++] = r;
	}
	return out;
}

static void grant(struct coalesce *c, const struct wish *w)
{
	int x = class_of(c, w->from), y = class_of(c, w->to), first = x < y ? x : y;
	const struct sr_ranges *a = &c->s->ranges[x], *b = &c->s->ranges[y];
	if (x == y || a->n + b->n > MAX_PIECES || meet(a, b) || kept_apart(c, x, y))
		return;
	join_apart(c, first == x ? y : x, first);
	c->s->ranges[first] = join(c, a, b);
	c->s->class_of[x] = c->s->class_of[y] = first;
}

/* ---- what is left ---- */

static void drop_copies(struct coalesce *c)
{
	for (size_t plan = 0; plan < c->b->plans.n; plan++) {
		struct sr_instr_list *list = &c->b->plans.data[plan];
		size_t n = 0;
		for (size_t i = 0; i < list->steps.n; i++) {
			const struct sr_instr *s = &list->steps.data[i];
			const int32_t *operands = c->b->operands.data + s->first_operand;
			if (!sr_instr_is_copy(c->b, s) || c->s->class_of[operands[0]] != c->s->class_of[operands[1]])
				list->steps.data[n++] = *s;
		}
		list->steps.n = n;
	}
}

/* Results name the donated argument whose class they are in. */
static void name_aliases(struct coalesce *c)
{
	const struct sr_plan_builder *b = c->b;
	int *argument = SR_NEWS(c->arena, int, b->buffers.n);
	for (size_t i = 0; i < b->values.n; i++) {
		struct sr_io *io = &b->values.data[i];
		int class = c->s->class_of[io->buffer];
		if (b->uses.data[io->buffer] & SR_USE_RESULT)
			io->aliases = argument[class] - 1;
		else if (b->buffers.data[io->buffer].bytes)
			argument[class] = (int)i + 1;
	}
}

void sr_plan_coalesce_buffers(struct sr_plan_builder *b, struct sr_buffer_classes *sharing)
{
	struct coalesce c = {.b = b, .arena = b->arena, .s = sharing};
	sharing->class_of = SR_NEWS(b->arena, int, b->buffers.n);
	sharing->ranges = SR_NEWS(b->arena, struct sr_ranges, b->buffers.n);
	c.apart = SR_NEWS(b->arena, struct apart *, b->buffers.n);
	sharing->n_points = sr_plan_liveness(b, sharing->ranges);
	for (size_t i = 0; i < b->buffers.n; i++)
		sharing->class_of[i] = (int)i;
	wish_all(&c, 0, 0);
	wish_donated(&c);
	if (c.wishes.n)
		qsort(c.wishes.data, c.wishes.n, sizeof *c.wishes.data, by_benefit);
	for (size_t i = 0; i < c.wishes.n; i++)
		grant(&c, &c.wishes.data[i]);
	for (size_t i = 0; i < b->buffers.n; i++)
		sharing->class_of[i] = class_of(&c, (int)i);
	drop_copies(&c);
	name_aliases(&c);
}
