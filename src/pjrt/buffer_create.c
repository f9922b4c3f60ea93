/* Buffers from the host's memory: copied, or used in place if the caller allows it and it is aligned. Integers narrower than 8 bits are
 * always copied, since the host leaves the high bits of their bytes undefined; the copy is extended as kernels require. */
#include "pjrt/pjrt.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>

static PJRT_Error *no_memory(void)
{
	return sr_pjrt_message_error(SR_NO_MEMORY, "");
}

/* Set *out to the given memory, or to the device's default memory. */
static PJRT_Error *find_memory(PJRT_Device *device, PJRT_Memory *memory, PJRT_Memory **out)
{
	*out = memory ? memory : device ? device->memories[SR_PJRT_DEVICE_MEMORY] : NULL;
	if (!*out)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "neither a device nor a memory is given for the buffer");
	if ((*out)->device->local_index < 0)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "device %d belongs to another process", (*out)->device->description.id);
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

PJRT_Error *sr_pjrt_Client_BufferFromHostBuffer(struct PJRT_Client_BufferFromHostBuffer_Args *args)
{
	PJRT_Memory *memory;
	int64_t bytes, dense[SR_MAX_RANK], row_major[SR_MAX_RANK], order[SR_MAX_RANK];
	int rank = (int)args->num_dims;
	PJRT_Error *error = find_memory(args->device, args->memory, &memory);
	if (!error)
		error = check_shape(args->type, args->dims, args->num_dims, &bytes);
	if (!error)
		error = sr_pjrt_read_layout(args->device_layout, args->type, args->dims, args->num_dims, order);
	if (!error && args->num_byte_strides && args->num_byte_strides != args->num_dims)
		error = sr_pjrt_error(PJRT_INVALID_ARGUMENT, "%zu strides are given for %zu dimensions", args->num_byte_strides, args->num_dims);
	if (error)
		return error;
	enum sr_dtype type = sr_pjrt_dtype(args->type);
	size_t size = (size_t)sr_dtype_bytes(type);
	sr_pjrt_dense_strides(args->dims, rank, order, size, dense);
	sr_pjrt_dense_strides(args->dims, rank, NULL, size, row_major);
	const int64_t *strides = args->num_byte_strides ? args->byte_strides : row_major;
	bool is_run = !bytes || sr_pjrt_is_dense(args->dims, strides, dense, rank);
	bool in_place = args->host_buffer_semantics >= PJRT_IMMUTABLE_ZERO_COPY && is_run && bytes && !sr_dtype_is_sub_byte(type) &&
			!((uintptr_t)args->data % SR_PJRT_ALIGN);
	struct sr_pjrt_storage *s = sr_pjrt_storage_new(memory->device, in_place ? -1 : bytes);
	struct sr_event *done_event = sr_event_new();
	if (!s || !done_event) {
		sr_pjrt_storage_release(s);
		sr_event_release(done_event);
		return no_memory();
	}
	if (in_place) {
		s->data = (void *)(uintptr_t)args->data;
		s->bytes = bytes;
		s->is_foreign = true;
		s->done_event = sr_event_keep(done_event);
	} else {
		if (is_run && bytes)
			memcpy(s->data, args->data, (size_t)bytes);
		else if (bytes)
			sr_pjrt_copy_strided(s->data, dense, args->data, strides, args->dims, rank, size);
		sr_elements_extend(type, s->data, bytes);
		sr_event_set(done_event, SR_OK, NULL);
	}
	args->buffer = sr_pjrt_buffer_new(memory, args->type, args->dims, rank, order, s, NULL);
	args->done_with_host_buffer = args->buffer ? sr_pjrt_event(done_event) : NULL;
	if (!args->buffer)
		sr_event_release(done_event);
	return args->buffer ? NULL : no_memory();
}

PJRT_Error *sr_pjrt_Client_CreateViewOfDeviceBuffer(struct PJRT_Client_CreateViewOfDeviceBuffer_Args *args)
{
	PJRT_Memory *memory;
	int64_t bytes, order[SR_MAX_RANK];
	PJRT_Error *error = find_memory(args->device, PJRT_HAS(args, memory) ? args->memory : NULL, &memory);
	if (!error)
		error = check_shape(args->element_type, args->dims, args->num_dims, &bytes);
	if (!error)
		error = sr_pjrt_read_layout(args->layout, args->element_type, args->dims, args->num_dims, order);
	if (!error && bytes && (uintptr_t)args->device_buffer_ptr % SR_PJRT_ALIGN)
		error = sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the memory for a view is not aligned to %d bytes", SR_PJRT_ALIGN);
	if (error)
		return error;
	enum sr_dtype type = sr_pjrt_dtype(args->element_type);
	bool copies = sr_dtype_is_sub_byte(type) && bytes;
	struct sr_pjrt_storage *s = sr_pjrt_storage_new(memory->device, copies ? bytes : -1);
	if (!s)
		return no_memory();
	if (copies) {
		memcpy(s->data, args->device_buffer_ptr, (size_t)bytes);
		sr_elements_extend(type, s->data, bytes);
	} else {
		s->data = args->device_buffer_ptr;
		s->bytes = bytes;
		s->is_foreign = true;
	}
	args->buffer = sr_pjrt_buffer_new(memory, args->element_type, args->dims, (int)args->num_dims, order, s, NULL);
	if (!args->buffer)
		return no_memory();
	if (!copies) {
		s->on_delete = args->on_delete_callback;
		s->on_delete_argument = args->on_delete_callback_arg;
	} else if (args->on_delete_callback) {
		args->on_delete_callback(args->device_buffer_ptr, args->on_delete_callback_arg);
	}
	return NULL;
}

PJRT_Error *sr_pjrt_Client_CreateUninitializedBuffer(struct PJRT_Client_CreateUninitializedBuffer_Args *args)
{
	PJRT_Memory *memory;
	int64_t bytes, order[SR_MAX_RANK];
	PJRT_Error *error = find_memory(args->device, args->memory, &memory);
	if (!error)
		error = check_shape(args->shape_element_type, args->shape_dims, args->shape_num_dims, &bytes);
	if (!error)
		error = sr_pjrt_read_layout(args->shape_layout, args->shape_element_type, args->shape_dims, args->shape_num_dims, order);
	if (error)
		return error;
	struct sr_pjrt_storage *s = sr_pjrt_storage_new(memory->device, bytes);
	args->buffer = sr_pjrt_buffer_new(memory, args->shape_element_type, args->shape_dims, (int)args->shape_num_dims, order, s, NULL);
	return args->buffer ? NULL : no_memory();
}

PJRT_Error *sr_pjrt_Client_CreateErrorBuffer(struct PJRT_Client_CreateErrorBuffer_Args *args)
{
	PJRT_Memory *memory;
	int64_t bytes;
	PJRT_Error *error = find_memory(NULL, args->memory, &memory);
	if (!error)
		error = check_shape(args->shape_element_type, args->shape_dims, args->shape_num_dims, &bytes);
	if (error)
		return error;
	struct sr_pjrt_storage *s = sr_pjrt_storage_new(memory->device, bytes);
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
	args->buffer = sr_pjrt_buffer_new(memory, args->shape_element_type, args->shape_dims, (int)args->shape_num_dims, NULL, s,
					  (struct sr_event *)(void *)create.event);
	return args->buffer ? NULL : no_memory();
}
