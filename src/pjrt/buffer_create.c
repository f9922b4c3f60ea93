/* Buffers from the host's memory: copied, or used in place if the caller allows it and it is aligned. */
#include "pjrt/pjrt.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>

static PJRT_Error *no_memory(void)
{
	return sr_pjrt_message_error(SR_NO_MEMORY, "");
}

static PJRT_Error *find_device(PJRT_Device *device, const PJRT_Memory *memory, PJRT_Device **out)
{
	*out = memory ? memory->device : device;
	if (!*out)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "neither a device nor a memory is given for the buffer");
	if ((*out)->local < 0)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "device %d belongs to another process", (*out)->description.id);
	return NULL;
}

static PJRT_Error *check_shape(uint32_t type, const int64_t *dims, size_t rank, int64_t *bytes)
{
	if (!sr_pjrt_dtype(type))
		return sr_pjrt_error(PJRT_UNIMPLEMENTED, "buffers of element type %u of the PJRT interface are not supported", type);
	if (rank > SR_MAX_RANK)
		return sr_pjrt_error(PJRT_UNIMPLEMENTED, "the buffer has %zu dimensions; at most %d are supported", rank, SR_MAX_RANK);
	if (!sr_pjrt_dense_bytes(type, dims, rank, bytes))
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the extents of the buffer are negative or too large");
	return NULL;
}

/* Buffers are row-major; refuse any other order of dimensions. */
static PJRT_Error *check_layout(const struct PJRT_Buffer_MemoryLayout *layout, size_t rank)
{
	if (!layout || layout->type != PJRT_LAYOUT_TILED)
		return NULL;
	const struct PJRT_Buffer_MemoryLayout_Tiled *t = &layout->u.tiled;
	bool ok = !t->num_tiles && (!t->minor_to_major_size || t->minor_to_major_size == rank);
	for (size_t i = 0; ok && i < t->minor_to_major_size; i++)
		ok = t->minor_to_major[i] == (int64_t)(rank - 1 - i);
	return ok ? NULL : sr_pjrt_error(PJRT_UNIMPLEMENTED, "buffers have the row-major layout; no other is supported");
}

/* Return true if the strides are those of a dense row-major array; strides of extents 1 do not matter. */
static bool is_dense(const int64_t *dims, const int64_t *strides, const int64_t *dense, int rank)
{
	for (int i = 0; i < rank; i++)
		if (dims[i] != 1 && strides[i] != dense[i])
			return false;
	return true;
}

PJRT_Error *sr_pjrt_Client_BufferFromHostBuffer(struct PJRT_Client_BufferFromHostBuffer_Args *args)
{
	PJRT_Device *device;
	int64_t bytes, dense[SR_MAX_RANK];
	int rank = (int)args->num_dims;
	PJRT_Error *error = find_device(args->device, args->memory, &device);
	if (!error)
		error = check_shape(args->type, args->dims, args->num_dims, &bytes);
	if (!error)
		error = check_layout(args->device_layout, args->num_dims);
	if (!error && args->num_byte_strides && args->num_byte_strides != args->num_dims)
		error = sr_pjrt_error(PJRT_INVALID_ARGUMENT, "%zu strides are given for %zu dimensions", args->num_byte_strides, args->num_dims);
	if (error)
		return error;
	size_t size = (size_t)sr_dtype_bytes(sr_pjrt_dtype(args->type));
	sr_pjrt_dense_strides(args->dims, rank, size, dense);
	const int64_t *strides = args->num_byte_strides ? args->byte_strides : dense;
	bool is_row_major = !bytes || is_dense(args->dims, strides, dense, rank);
	bool in_place = args->host_buffer_semantics >= PJRT_IMMUTABLE_ZERO_COPY && is_row_major && bytes && !((uintptr_t)args->data % SR_PJRT_ALIGN);
	struct sr_pjrt_storage *s = sr_pjrt_storage_new(device, in_place ? -1 : bytes);
	struct sr_event *done = sr_event_new();
	if (!s || !done) {
		sr_pjrt_storage_release(s);
		sr_event_release(done);
		return no_memory();
	}
	if (in_place) {
		s->data = (void *)(uintptr_t)args->data;
		s->bytes = bytes;
		s->is_foreign = true;
		s->done = sr_event_keep(done);
	} else {
		if (is_row_major && bytes)
			memcpy(s->data, args->data, (size_t)bytes);
		else if (bytes)
			sr_pjrt_copy_strided(s->data, dense, args->data, strides, args->dims, rank, size);
		sr_event_set(done, SR_OK, NULL);
	}
	args->buffer = sr_pjrt_buffer_new(device, args->type, args->dims, rank, s, NULL);
	args->done_with_host_buffer = args->buffer ? sr_pjrt_event(done) : NULL;
	if (!args->buffer)
		sr_event_release(done);
	return args->buffer ? NULL : no_memory();
}

PJRT_Error *sr_pjrt_Client_CreateViewOfDeviceBuffer(struct PJRT_Client_CreateViewOfDeviceBuffer_Args *args)
{
	PJRT_Device *device;
	int64_t bytes;
	PJRT_Error *error = find_device(args->device, PJRT_HAS(args, memory) ? args->memory : NULL, &device);
	if (!error)
		error = check_shape(args->element_type, args->dims, args->num_dims, &bytes);
	if (!error)
		error = check_layout(args->layout, args->num_dims);
	if (!error && bytes && (uintptr_t)args->device_buffer_ptr % SR_PJRT_ALIGN)
		error = sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the memory for a view does not begin at a multiple of %d bytes", SR_PJRT_ALIGN);
	if (error)
		return error;
	struct sr_pjrt_storage *s = sr_pjrt_storage_new(device, -1);
	if (!s)
		return no_memory();
	s->data = args->device_buffer_ptr;
	s->bytes = bytes;
	s->is_foreign = true;
	args->buffer = sr_pjrt_buffer_new(device, args->element_type, args->dims, (int)args->num_dims, s, NULL);
	if (!args->buffer)
		return no_memory();
	s->on_delete = args->on_delete_callback;
	s->argument = args->on_delete_callback_arg;
	return NULL;
}

PJRT_Error *sr_pjrt_Client_CreateUninitializedBuffer(struct PJRT_Client_CreateUninitializedBuffer_Args *args)
{
	PJRT_Device *device;
	int64_t bytes;
	PJRT_Error *error = find_device(args->device, args->memory, &device);
	if (!error)
		error = check_shape(args->shape_element_type, args->shape_dims, args->shape_num_dims, &bytes);
	if (!error)
		error = check_layout(args->shape_layout, args->shape_num_dims);
	if (error)
		return error;
	struct sr_pjrt_storage *s = sr_pjrt_storage_new(device, bytes);
	args->buffer = sr_pjrt_buffer_new(device, args->shape_element_type, args->shape_dims, (int)args->shape_num_dims, s, NULL);
	return args->buffer ? NULL : no_memory();
}

PJRT_Error *sr_pjrt_Client_CreateErrorBuffer(struct PJRT_Client_CreateErrorBuffer_Args *args)
{
	PJRT_Device *device;
	int64_t bytes;
	PJRT_Error *error = find_device(NULL, args->memory, &device);
	if (!error)
		error = check_shape(args->shape_element_type, args->shape_dims, args->shape_num_dims, &bytes);
	if (error)
		return error;
	struct sr_pjrt_storage *s = sr_pjrt_storage_new(device, bytes);
	struct PJRT_Event_Create_Args create = {0};
	error = sr_pjrt_Event_Create(&create);
	if (!error)
		error = sr_pjrt_Event_Set(&(struct PJRT_Event_Set_Args){.event = create.event, .error_code = args->error_code,
									.error_message = args->error_message,
									.error_message_size = args->error_message_size});
	if (error) {
		sr_pjrt_storage_release(s);
		return error;
	}
	args->buffer = sr_pjrt_buffer_new(device, args->shape_element_type, args->shape_dims, (int)args->shape_num_dims, s,
					  (struct sr_event *)(void *)create.event);
	return args->buffer ? NULL : no_memory();
}
