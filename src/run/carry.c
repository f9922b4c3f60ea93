/* Carried values as exchanges of bindings (bindings.c) and as copies.
 *
 * Exchanges permute memory regions: argument a gets the memory where result r was computed. The next execution needs other memory
 * for r, so each chain of moves is closed to a cycle:
 *
 *	r -> a                    a and r exchange their memory
 *	r in b's memory -> a      b gets a's old memory
 *
 * All regions of a cycle have the same size, since each pair has one type. Copies are read before the moves and written after
 * them, since their source may be in memory that moves and their target where a source was. A result computed in its argument's
 * memory needs neither, even if that memory cannot be moved. */
#include "run/carry.h"
#include <string.h>

struct copied {
	int32_t from, to; /* buffer indices */
	int64_t bytes;
	char *staging;
};

struct sr_carry {
	struct sr_device *d;
	int n_moves, n_copies;
	const int *regions, *sources; /* [n_moves] value `regions[i]` gets the memory of value `sources[i]` */
	void **places;		      /* [n_moves] addresses during an exchange */
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
	memset(c->copies[c->n_copies - 1].staging, 0, (size_t)bytes); /* touched before the first execution */
	c->bytes += bytes;
}

/* Return the last value of i's chain, whose memory no other value takes. */
static int chain_end(const int *to, int i)
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
			from[i] = chain_end(to, i);
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
		memcpy(c->copies[i].staging, sr_device_buffer(d, c->copies[i].from), (size_t)c->copies[i].bytes);
	for (int i = 0; i < c->n_moves; i++)
		c->places[i] = place_of(d, c->sources[i]);
	for (int i = 0; i < c->n_moves; i++)
		(void)sr_device_bind(d, c->regions[i], c->places[i]);
	for (int i = 0; i < c->n_copies; i++)
		memcpy(sr_device_buffer(d, c->copies[i].to), c->copies[i].staging, (size_t)c->copies[i].bytes);
}

int64_t sr_carry_copies(const struct sr_carry *c)
{
	return c->bytes;
}
