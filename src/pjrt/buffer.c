/* Buffers: lifetime and getters. */
#include "pjrt/pjrt.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>

bool sr_pjrt_dense_bytes(uint32_t type, const int64_t *dims, size_t rank, int64_t *bytes)
{
	*bytes = sr_dtype_bytes(sr_pjrt_dtype(type));
	if (rank > SR_MAX_RANK || !*bytes)
		return false;
	bool is_empty = false;
	for (size_t i = 0; i < rank; i++) {
		is_empty = is_empty || !dims[i];
		if (dims[i] < 0 || (dims[i] && sr_mul_overflows(*bytes, dims[i], bytes)))
			return false;
	}
	if (is_empty)
		*bytes = 0;
	return true;
}

PJRT_Buffer *sr_pjrt_buffer_new(PJRT_Memory *memory, uint32_t type, const int64_t *dims, int rank, const int64_t *minor_to_major,
				struct sr_pjrt_storage *storage, struct sr_event *ready_event)
{
	PJRT_Buffer *b = calloc(1, sizeof *b + sizeof *dims * (size_t)rank);
	if (!ready_event)
		ready_event = sr_pjrt_set_event();
	if (!b || !ready_event || !storage) {
		free(b);
		sr_event_release(ready_event);
		sr_pjrt_storage_release(storage);
		return NULL;
	}
	b->memory = memory;
	b->type = type;
	b->rank = rank;
	b->storage = storage;
	b->ready_event = ready_event;
	pthread_mutex_init(&b->lock, NULL);
	if (rank)
		memcpy(b->dims, dims, sizeof *dims * (size_t)rank);
	for (int i = 0; i < rank; i++)
		b->minor_to_major[i] = minor_to_major ? minor_to_major[i] : rank - 1 - i;
	(void)sr_pjrt_dense_bytes(type, dims, (size_t)rank, &b->bytes);
	return b;
}

struct sr_pjrt_storage *sr_pjrt_buffer_storage(PJRT_Buffer *b)
{
	pthread_mutex_lock(&b->lock);
	struct sr_pjrt_storage *s = b->storage ? sr_pjrt_storage_keep(b->storage) : NULL;
	pthread_mutex_unlock(&b->lock);
	return s;
}

struct sr_pjrt_storage *sr_pjrt_buffer_donate(PJRT_Buffer *b)
{
	pthread_mutex_lock(&b->lock);
	struct sr_pjrt_storage *s = b->storage;
	b->storage = NULL;
	pthread_mutex_unlock(&b->lock);
	return s;
}

void sr_pjrt_buffer_return(PJRT_Buffer *b, struct sr_pjrt_storage *storage)
{
	pthread_mutex_lock(&b->lock);
	b->storage = storage;
	pthread_mutex_unlock(&b->lock);
}

PJRT_Error *sr_pjrt_Buffer_Delete(struct PJRT_Buffer_Delete_Args *args)
{
	sr_pjrt_storage_release(sr_pjrt_buffer_donate(args->buffer));
	return NULL;
}

PJRT_Error *sr_pjrt_Buffer_Destroy(struct PJRT_Buffer_Destroy_Args *args)
{
	PJRT_Buffer *b = args->buffer;
	if (!b)
		return NULL;
	sr_pjrt_storage_release(b->storage);
	sr_pjrt_storage_release(b->external_storage);
	sr_event_release(b->ready_event);
	pthread_mutex_destroy(&b->lock);
	free(b);
	return NULL;
}

PJRT_Error *sr_pjrt_Buffer_IsDeleted(struct PJRT_Buffer_IsDeleted_Args *args)
{
	pthread_mutex_lock(&args->buffer->lock);
	args->is_deleted = !args->buffer->storage;
	pthread_mutex_unlock(&args->buffer->lock);
	return NULL;
}

/* ---- getters ---- */

PJRT_Error *sr_pjrt_Buffer_GetMemoryLayout(struct PJRT_Buffer_GetMemoryLayout_Args *args)
{
	args->layout = (struct PJRT_Buffer_MemoryLayout){.struct_size = sizeof args->layout, .type = PJRT_LAYOUT_TILED};
	args->layout.u.tiled = (struct PJRT_Buffer_MemoryLayout_Tiled){.struct_size = sizeof args->layout.u.tiled,
								      .minor_to_major = args->buffer->minor_to_major,
								      .minor_to_major_size = (size_t)args->buffer->rank};
	return NULL;
}

/* ---- pointers ---- */

static PJRT_Error *deleted_error(void)
{
	return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the buffer has been deleted or donated");
}

PJRT_Error *sr_pjrt_Buffer_UnsafePointer(struct PJRT_Buffer_UnsafePointer_Args *args)
{
	pthread_mutex_lock(&args->buffer->lock);
	const struct sr_pjrt_storage *s = args->buffer->storage;
	args->buffer_pointer = s ? (uintptr_t)s->data : 0;
	pthread_mutex_unlock(&args->buffer->lock);
	return s ? NULL : deleted_error();
}

PJRT_Error *sr_pjrt_Buffer_OpaqueDeviceMemoryDataPointer(struct PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args *args)
{
	pthread_mutex_lock(&args->buffer->lock);
	const struct sr_pjrt_storage *s = args->buffer->storage ? args->buffer->storage : args->buffer->external_storage;
	args->device_memory_ptr = s ? s->data : NULL;
	pthread_mutex_unlock(&args->buffer->lock);
	return s ? NULL : deleted_error();
}

PJRT_Error *sr_pjrt_token_error(void)
{
	return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the buffer is a token, which has no elements to read");
}

/* External references keep the memory even if the buffer is deleted. */
PJRT_Error *sr_pjrt_Buffer_IncreaseExternalReferenceCount(struct PJRT_Buffer_IncreaseExternalReferenceCount_Args *args)
{
	PJRT_Buffer *b = args->buffer;
	if (b->type == PJRT_TOKEN)
		return sr_pjrt_token_error();
	pthread_mutex_lock(&b->lock);
	bool ok = b->storage || b->external_storage;
	if (ok && !b->external_storage)
		b->external_storage = sr_pjrt_storage_keep(b->storage);
	b->n_external_references += ok;
	pthread_mutex_unlock(&b->lock);
	return ok ? NULL : deleted_error();
}

PJRT_Error *sr_pjrt_Buffer_DecreaseExternalReferenceCount(struct PJRT_Buffer_DecreaseExternalReferenceCount_Args *args)
{
	PJRT_Buffer *b = args->buffer;
	struct sr_pjrt_storage *storage = NULL;
	pthread_mutex_lock(&b->lock);
	bool ok = b->n_external_references > 0;
	if (ok && !--b->n_external_references) {
		storage = b->external_storage;
		b->external_storage = NULL;
	}
	pthread_mutex_unlock(&b->lock);
	sr_pjrt_storage_release(storage);
	return ok ? NULL : sr_pjrt_error(PJRT_FAILED_PRECONDITION, "the buffer has no external references");
}
