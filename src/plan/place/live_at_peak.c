/* List the buffers live at one moment for the report: by the op and source location that they were created for, largest sum
 * first. */
#include "plan/place/assign_offsets.h"
#include <stdlib.h>

enum { MAX_ENTRIES = 500 }; /* maximum number of entries, enough for one source location per layer of a deep model */

struct live_buffer { /* a live buffer, and the op and source location it was created for */
	uint32_t op, place;
	int64_t bytes;
};

static bool is_live_at(const struct sr_ranges *r, int64_t moment)
{
	for (int64_t i = 0; i < r->n; i++)
		if (r->data[i].from / 2 <= moment && r->data[i].to / 2 >= moment)
			return true;
	return false;
}

static struct live_buffer owner_of(struct sr_plan_builder *b, int buffer)
{
	const struct sr_op *op = b->makers.data[buffer];
	struct live_buffer o = {.bytes = b->buffers.data[buffer].bytes};
	if (op) {
		o.op = sr_plan_add_text(b, op->info->name);
		o.place = sr_plan_add_op_loc(b, op);
		return o;
	}
	o.op = o.place = sr_plan_add_text(b, "");
	for (size_t i = 0; i < b->values.n; i++)
		if (b->values.data[i].buffer == buffer)
			o.place = b->values.data[i].name;
	return o;
}

static int compare_owners(const void *x, const void *y)
{
	const struct live_buffer *a = x, *b = y;
	if (a->op != b->op)
		return a->op < b->op ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

static int by_bytes(const void *x, const void *y)
{
	const struct sr_live_buffers *a = x, *b = y;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

void sr_plan_record_live_buffers(struct sr_plan_builder *b, const struct sr_buffer_classes *classes, int64_t moment)
{
	SR_VEC(struct live_buffer) owned = {0};
	SR_VEC(struct sr_live_buffers) live_at_peak = {0};
	/* for each class: 1 + the buffer number of a member, other than the first one, that is live at the moment; 0: none is */
	int *member = SR_NEW_ARRAY(b->arena, int, b->buffers.n);
	for (size_t i = 0; i < b->buffers.n; i++)
		if (classes->class_of[i] != (int)i && is_live_at(&classes->ranges[i], moment))
			member[classes->class_of[i]] = 1 + (int)i;
	for (size_t i = 0; i < b->buffers.n; i++)
		if (classes->class_of[i] == (int)i && !(b->uses.data[i] & SR_USE_PERMANENT) &&
		    is_live_at(&classes->ranges[i], moment))
			sr_push(b->arena, &owned, owner_of(b, member[i] ? member[i] - 1 : (int)i));
	if (owned.n)
		qsort(owned.data, owned.n, sizeof *owned.data, compare_owners);
	for (size_t i = 0; i < owned.n; i++) {
		if (!i || compare_owners(&owned.data[i - 1], &owned.data[i]))
			sr_push(b->arena, &live_at_peak, (struct sr_live_buffers){.op = owned.data[i].op, .place = owned.data[i].place});
		live_at_peak.data[live_at_peak.n - 1].bytes += owned.data[i].bytes;
		live_at_peak.data[live_at_peak.n - 1].count++;
	}
	if (live_at_peak.n)
		qsort(live_at_peak.data, live_at_peak.n, sizeof *live_at_peak.data, by_bytes);
	for (size_t i = 0; i < live_at_peak.n && i < MAX_ENTRIES; i++)
		sr_push(b->arena, &b->live_at_peak, live_at_peak.data[i]);
}
