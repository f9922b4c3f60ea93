/* What is carried, as moves of regions (bindings.c) and as copies. A region is an argument's memory, or that of a result which is
 * in no argument's.
 *
 * Moves are a permutation of regions: argument a takes the place where result r was computed. What stood there before is
 * computed somewhere else in the next step, so each chain of moves is closed to a ring:
 *
 *	r -> a                    a and r exchange their places
 *	r in b's memory -> a      and b's place is a's old one
 *
 * All regions of a ring have one size, since each pair has one type. A copy leaves before the moves and comes back behind them,
 * since its source may lie in a region that moves, and its target where a source was. A result that is computed in its argument's
 * memory needs neither, also where that memory cannot move. */
#include "run/carry.h"
#include <string.h>

struct copied {
	int32_t from, to; /* buffers */
	int64_t bytes;
	char *between;
};

struct sr_carry {
	struct sr_device *d;
	int n_moves, n_copies;
	const int *regions, *sources; /* [n_moves]: which one gets whose place */
	void **places;		      /* [n_moves] */
	struct copied *copies;
	int64_t bytes;
};

static const struct sr_buffer *buffer_of(const struct sr_device *d, int value)
{
	return sr_program_buffers(d->program) + sr_program_values(d->program)[value].buffer;
}

static void *place_of(const struct sr_device *d, int value)
{
	return sr_device_buffer(d, sr_program_values(d->program)[value].buffer);
}

static void add_copy(struct sr_carry *c, int result, int argument, struct sr_arena *arena)
{
	const struct sr_io *values = sr_program_values(c->d->program);
	int64_t bytes = buffer_of(c->d, argument)->bytes;
	if (!bytes)
		return;
	c->copies[c->n_copies++] =
		(struct copied){values[result].buffer, values[argument].buffer, bytes, sr_alloc(arena, (size_t)bytes, 1)};
	memset(c->copies[c->n_copies - 1].between, 0, (size_t)bytes); /* touched before the first step */
	c->bytes += bytes;
}

/* Of region i's chain the end whose place nobody takes. */
static int end_of(const int *to, int i)
{
	while (to[i] >= 0)
		i = to[i];
	return i;
}

struct sr_carry *sr_carry_new(struct sr_device *d, const struct sr_carried *pairs, int n, struct sr_arena *arena)
{
	const struct sr_program *p = d->program;
	int n_values = p->n_arguments + p->n_results, *to = SR_NEWS(arena, int, n_values),
	    *from = SR_NEWS(arena, int, n_values);
	int *regions = SR_NEWS(arena, int, n_values), *sources = SR_NEWS(arena, int, n_values);
	struct sr_carry *c = SR_NEW(arena, struct sr_carry);
	*c = (struct sr_carry){.d = d, .regions = regions, .sources = sources, .copies = SR_NEWS(arena, struct copied, n)};
	for (int i = 0; i < n_values; i++)
		to[i] = from[i] = -1;
	for (int k = 0; k < n; k++) {
		int result = p->n_arguments + pairs[k].result, source = sr_device_binding_owner(d, result),
		    target = sr_device_binding_owner(d, pairs[k].argument);
		if (source >= 0 ? source == target : target < 0 && place_of(d, result) == place_of(d, pairs[k].argument))
			continue;
		if (source < 0 || target < 0 || to[source] >= 0 || buffer_of(d, source)->bytes != buffer_of(d, target)->bytes) {
			add_copy(c, result, pairs[k].argument, arena);
			continue;
		}
		to[source] = target;
		from[target] = source;
	}
	for (int i = 0; i < n_values; i++)
		if (to[i] >= 0 && from[i] < 0)
			from[i] = end_of(to, i);
	for (int i = 0; i < n_values; i++)
		if (from[i] >= 0) {
			regions[c->n_moves] = i;
			sources[c->n_moves++] = from[i];
		}
	c->places = SR_NEWS(arena, void *, c->n_moves);
	return c;
}

void sr_carry(struct sr_carry *c)
{
	struct sr_device *d = c->d;
	for (int i = 0; i < c->n_copies; i++)
		memcpy(c->copies[i].between, sr_device_buffer(d, c->copies[i].from), (size_t)c->copies[i].bytes);
	for (int i = 0; i < c->n_moves; i++)
		c->places[i] = place_of(d, c->sources[i]);
	for (int i = 0; i < c->n_moves; i++)
		(void)sr_device_bind(d, c->regions[i], c->places[i]);
	for (int i = 0; i < c->n_copies; i++)
		memcpy(sr_device_buffer(d, c->copies[i].to), c->copies[i].between, (size_t)c->copies[i].bytes);
}

int64_t sr_carry_copies(const struct sr_carry *c)
{
	return c->bytes;
}
