/* Devices and their memories. */
#include "pjrt/pjrt.h"
#include "support/checked.h"
#include <string.h>

PJRT_Error *sr_pjrt_Device_DefaultMemory(struct PJRT_Device_DefaultMemory_Args *args)
{
	if (args->device->local_index < 0)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "device %d belongs to another process", args->device->description.id);
	args->memory = args->device->memories[SR_PJRT_DEVICE_MEMORY];
	return NULL;
}

PJRT_Error *sr_pjrt_Device_MemoryStats(struct PJRT_Device_MemoryStats_Args *args)
{
	size_t head_bytes = offsetof(struct PJRT_Device_MemoryStats_Args, bytes_in_use);
	if (args->struct_size > head_bytes) /* clear every field that the caller's version of the struct has */
		memset((char *)args + head_bytes, 0, (args->struct_size < sizeof *args ? args->struct_size : sizeof *args) - head_bytes);
	args->bytes_in_use = atomic_load(&args->device->bytes);
	args->peak_bytes_in_use = atomic_load(&args->device->peak_bytes);
	args->peak_bytes_in_use_is_set = true;
	return NULL;
}

PJRT_Error *sr_pjrt_Device_ClearMemoryStats(struct PJRT_Device_ClearMemoryStats_Args *args)
{
	atomic_store(&args->device->peak_bytes, atomic_load(&args->device->bytes));
	return NULL;
}

static void attributes_deleter(void *owner)
{
	(void)owner;
}

PJRT_Error *sr_pjrt_Device_GetAttributes(struct PJRT_Device_GetAttributes_Args *args)
{
	args->attributes = NULL;
	args->num_attributes = 0;
	args->device_attributes = NULL;
	args->attributes_deleter = attributes_deleter;
	return NULL;
}
