/* Copies of buffers to the host and to other devices. No thread waits for the source: the copy runs when the source is ready. */
#include "pjrt/pjrt.h"
#include <stdlib.h>
#include <string.h>

void sr_pjrt_copy_strided(void *dst, const int64_t *dst_strides, const void *src, const int64_t *src_strides, const int64_t *dims,
			  int rank, size_t size)
{
	if (!rank) {
		memcpy(dst, src, size);
		return;
	}
	char *out = dst;
	const char *in = src;
	bool is_contiguous = rank == 1 && dst_strides[0] == (int64_t)size && src_strides[0] == (int64_t)size;
	if (is_contiguous) {
		memcpy(out, in, size * (size_t)dims[0]);
		return;
	}
	for (int64_t i = 0; i < dims[0]; i++)
		sr_pjrt_copy_strided(out + i * dst_strides[0], dst_strides + 1, in + i * src_strides[0], src_strides + 1, dims + 1,
				     rank - 1, size);
}

struct copy {
	/* storage copied from; storage copied to, NULL: `to` is memory of the caller */
	struct sr_pjrt_storage *from_storage, *to_storage;
	char *to;
	int64_t offset, bytes;
	struct sr_event *done_event;
	bool is_strided;
	int rank;
	size_t size;
	int64_t dims[SR_MAX_RANK], src_strides[SR_MAX_RANK], dst_strides[SR_MAX_RANK];
};

/* Execute the copy when the source is ready, or pass on the source's failure. */
static void run_copy(void *data, enum sr_status status, const char *message)
{
	struct copy *c = data;
	if (!status && c->bytes && c->is_strided)
		sr_pjrt_copy_strided(c->to, c->dst_strides, c->from_storage->data, c->src_strides, c->dims, c->rank, c->size);
	else if (!status && c->bytes)
		memcpy(c->to, (const char *)c->from_storage->data + c->offset, (size_t)c->bytes);
	sr_pjrt_storage_release(c->from_storage);
	sr_pjrt_storage_release(c->to_storage);
	sr_event_set(c->done_event, status, message);
	sr_event_release(c->done_event);
	free(c);
}

static PJRT_Error *no_memory(void)
{
	return sr_pjrt_message_error(SR_NO_MEMORY, "");
}

/* Prepare a copy of all bytes of the buffer; the caller may restrict it before it is executed. */
static PJRT_Error *prepare_copy(PJRT_Buffer *b, struct copy **out, struct sr_event **event)
{
	struct copy *c = *out = calloc(1, sizeof *c);
	*event = sr_event_new();
	struct sr_pjrt_storage *source = sr_pjrt_buffer_storage(b);
	if (c && *event && source) {
		*c = (struct copy){.from_storage = source, .bytes = b->bytes, .done_event = sr_event_keep(*event)};
		return NULL;
	}
	free(c);
	sr_event_release(*event);
	if (!source)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the buffer has been deleted or donated");
	sr_pjrt_storage_release(source);
	return no_memory();
}

static void abandon_copy(struct copy *c, struct sr_event *event)
{
	sr_pjrt_storage_release(c->from_storage);
	sr_pjrt_storage_release(c->to_storage);
	sr_event_release(c->done_event);
	sr_event_release(event);
	free(c);
}

static PJRT_Error *run_when_ready(PJRT_Buffer *b, struct copy *c, struct sr_event *event)
{
	if (sr_event_on_set(b->ready_event, run_copy, c))
		return NULL;
	abandon_copy(c, event);
	return no_memory();
}

/* Set the strides of the host's layout. Return false if it is not a permutation of the dimensions. */
static bool read_host_layout(const PJRT_Buffer *b, const struct PJRT_Buffer_MemoryLayout *layout, struct copy *c)
{
	c->rank = b->rank;
	c->size = (size_t)sr_dtype_bytes(sr_pjrt_dtype(b->type));
	memcpy(c->dims, b->dims, sizeof *b->dims * (size_t)b->rank);
	sr_pjrt_dense_strides(b->dims, b->rank, b->minor_to_major, c->size, c->src_strides);
	if (layout->type == PJRT_LAYOUT_STRIDES) {
		if (layout->u.strides.num_byte_strides != (size_t)b->rank)
			return false;
		for (int i = 0; i < b->rank; i++)
			c->dst_strides[i] = layout->u.strides.byte_strides[i];
		return true;
	}
	const struct PJRT_Buffer_MemoryLayout_Tiled *t = &layout->u.tiled;
	if (t->minor_to_major_size != (size_t)b->rank)
		return false;
	int64_t stride = (int64_t)c->size;
	for (int i = 0; i < b->rank; i++) {
		int64_t d = t->minor_to_major[i];
		if (d < 0 || d >= b->rank || c->dst_strides[d])
			return false;
		c->dst_strides[d] = stride;
		stride *= b->dims[d] ? b->dims[d] : 1;
	}
	return true;
}

PJRT_Error *sr_pjrt_Buffer_ToHostBuffer(struct PJRT_Buffer_ToHostBuffer_Args *args)
{
	struct copy *c;
	struct sr_event *event;
	if (args->src->type == PJRT_TOKEN)
		return sr_pjrt_token_error();
	if (!args->dst) {
		args->dst_size = (size_t)args->src->bytes;
		args->event = NULL;
		return NULL;
	}
	if (args->dst_size < (size_t)args->src->bytes)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the host's buffer has %zu bytes; %lld are needed", args->dst_size,
				     (long long)args->src->bytes);
	PJRT_Error *error = prepare_copy(args->src, &c, &event);
	if (error)
		return error;
	c->to = args->dst;
	c->is_strided = args->host_layout;
	if (args->host_layout && !read_host_layout(args->src, args->host_layout, c)) {
		abandon_copy(c, event);
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the host's layout does not have the buffer's dimensions");
	}
	args->event = sr_pjrt_event(event);
	return run_when_ready(args->src, c, event);
}

PJRT_Error *sr_pjrt_Buffer_CopyRawToHost(struct PJRT_Buffer_CopyRawToHost_Args *args)
{
	struct copy *c;
	struct sr_event *event;
	if (args->offset < 0 || args->transfer_size < 0 || args->offset > args->buffer->bytes || args->transfer_size > args->buffer->bytes - args->offset)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "%lld bytes from byte %lld are wanted of a buffer of %lld", (long long)args->transfer_size,
				     (long long)args->offset, (long long)args->buffer->bytes);
	PJRT_Error *error = prepare_copy(args->buffer, &c, &event);
	if (error)
		return error;
	c->to = args->dst;
	c->offset = args->offset;
	c->bytes = args->transfer_size;
	args->event = sr_pjrt_event(event);
	return run_when_ready(args->buffer, c, event);
}

/* ---- between devices ---- */

static PJRT_Error *copy_to_memory(PJRT_Buffer *b, PJRT_Memory *memory, PJRT_Buffer **out)
{
	struct copy *c;
	struct sr_event *event;
	*out = NULL;
	PJRT_Device *device = memory->device;
	if (device->local_index < 0)
		return sr_pjrt_error(PJRT_UNIMPLEMENTED, "a buffer cannot be copied to device %d, which belongs to another process",
				     device->description.id);
	PJRT_Error *error = prepare_copy(b, &c, &event);
	if (error)
		return error;
	struct sr_pjrt_storage *to = sr_pjrt_storage_new(device, b->bytes);
	c->to_storage = to ? sr_pjrt_storage_keep(to) : NULL;
	PJRT_Buffer *copied_buffer = to ? sr_pjrt_buffer_new(memory, b->type, b->dims, b->rank, b->minor_to_major, to,
							     sr_event_keep(event))
				 : NULL;
	if (!copied_buffer) {
		abandon_copy(c, event);
		return no_memory();
	}
	c->to = to->data;
	error = run_when_ready(b, c, event);
	if (error) {
		(void)sr_pjrt_Buffer_Destroy(&(struct PJRT_Buffer_Destroy_Args){.buffer = copied_buffer});
		return error;
	}
	sr_event_release(event);
	*out = copied_buffer;
	return NULL;
}

PJRT_Error *sr_pjrt_Buffer_CopyToDevice(struct PJRT_Buffer_CopyToDevice_Args *args)
{
	return copy_to_memory(args->buffer, args->dst_device->memories[SR_PJRT_DEVICE_MEMORY], &args->dst_buffer);
}

PJRT_Error *sr_pjrt_Buffer_CopyToMemory(struct PJRT_Buffer_CopyToMemory_Args *args)
{
	return copy_to_memory(args->buffer, args->dst_memory, &args->dst_buffer);
}
