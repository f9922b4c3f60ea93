/* Memory of buffers: allocated here, a shard of an array of run/, or memory of the caller. */
#include "pjrt/pjrt.h"
#include "support/checked.h"
#include <stdlib.h>

struct sr_pjrt_storage *sr_pjrt_storage_new(PJRT_Device *device, int64_t bytes)
{
	struct sr_pjrt_storage *s = calloc(1, sizeof *s);
	size_t rounded_bytes;
	if (!s)
		return NULL;
	atomic_init(&s->n_references, 1);
	s->device = device;
	if (bytes < 0)
		return s;
	s->bytes = bytes;
	/* allocate at least SR_PJRT_ALIGN bytes, as for shards of arrays */
	if (!sr_add_overflows((size_t)bytes, (size_t)2 * SR_PJRT_ALIGN - 1, &rounded_bytes))
		s->data = s->owned_memory = aligned_alloc(SR_PJRT_ALIGN, rounded_bytes / SR_PJRT_ALIGN * SR_PJRT_ALIGN);
	if (!s->owned_memory) {
		free(s);
		return NULL;
	}
	int64_t bytes_now = atomic_fetch_add(&device->bytes, bytes) + bytes, peak_bytes = atomic_load(&device->peak_bytes);
	while (bytes_now > peak_bytes && !atomic_compare_exchange_weak(&device->peak_bytes, &peak_bytes, bytes_now))
		;
	return s;
}

struct sr_pjrt_storage *sr_pjrt_storage_keep(struct sr_pjrt_storage *s)
{
	atomic_fetch_add_explicit(&s->n_references, 1, memory_order_relaxed);
	return s;
}

void sr_pjrt_storage_release(struct sr_pjrt_storage *s)
{
	while (s && atomic_fetch_sub_explicit(&s->n_references, 1, memory_order_acq_rel) == 1) {
		struct sr_pjrt_storage *base = s->base_storage;
		if (s->owned_memory)
			atomic_fetch_sub(&s->device->bytes, s->bytes);
		free(s->owned_memory);
		sr_array_release(s->array);
		if (s->on_delete)
			s->on_delete(s->data, s->on_delete_argument);
		if (s->done_event)
			sr_event_set(s->done_event, SR_OK, NULL);
		sr_event_release(s->done_event);
		free(s);
		s = base;
	}
}
