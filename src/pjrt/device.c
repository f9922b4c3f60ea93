/* Devices and their memories: each device has one memory, of kind "device". */
#include "pjrt/pjrt.h"
#include "support/checked.h"
#include <string.h>

static const char device_kind[] = "cpu", memory_kind[] = "device";

PJRT_Error *sr_pjrt_DeviceDescription_Id(struct PJRT_DeviceDescription_Id_Args *args)
{
	args->id = args->device_description->id;
	return NULL;
}

PJRT_Error *sr_pjrt_DeviceDescription_ProcessIndex(struct PJRT_DeviceDescription_ProcessIndex_Args *args)
{
	args->process_index = args->device_description->process;
	return NULL;
}

PJRT_Error *sr_pjrt_DeviceDescription_Attributes(struct PJRT_DeviceDescription_Attributes_Args *args)
{
	args->num_attributes = 0;
	args->attributes = NULL;
	return NULL;
}

PJRT_Error *sr_pjrt_DeviceDescription_Kind(struct PJRT_DeviceDescription_Kind_Args *args)
{
	args->device_kind = device_kind;
	args->device_kind_size = sizeof device_kind - 1;
	return NULL;
}

PJRT_Error *sr_pjrt_DeviceDescription_DebugString(struct PJRT_DeviceDescription_DebugString_Args *args)
{
	args->debug_string = args->device_description->debug;
	args->debug_string_size = strlen(args->debug_string);
	return NULL;
}

PJRT_Error *sr_pjrt_DeviceDescription_ToString(struct PJRT_DeviceDescription_ToString_Args *args)
{
	args->to_string = args->device_description->name;
	args->to_string_size = strlen(args->to_string);
	return NULL;
}

PJRT_Error *sr_pjrt_Device_GetDescription(struct PJRT_Device_GetDescription_Args *args)
{
	args->device_description = &args->device->description;
	return NULL;
}

PJRT_Error *sr_pjrt_Device_IsAddressable(struct PJRT_Device_IsAddressable_Args *args)
{
	args->is_addressable = args->device->local >= 0;
	return NULL;
}

PJRT_Error *sr_pjrt_Device_LocalHardwareId(struct PJRT_Device_LocalHardwareId_Args *args)
{
	args->local_hardware_id = args->device->local;
	return NULL;
}

PJRT_Error *sr_pjrt_Device_AddressableMemories(struct PJRT_Device_AddressableMemories_Args *args)
{
	args->memories = args->device->memories;
	args->num_memories = args->device->local >= 0;
	return NULL;
}

PJRT_Error *sr_pjrt_Device_DefaultMemory(struct PJRT_Device_DefaultMemory_Args *args)
{
	if (args->device->local < 0)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "device %d belongs to another process", args->device->description.id);
	args->memory = &args->device->memory;
	return NULL;
}

PJRT_Error *sr_pjrt_Device_MemoryStats(struct PJRT_Device_MemoryStats_Args *args)
{
	size_t head = offsetof(struct PJRT_Device_MemoryStats_Args, bytes_in_use);
	if (args->struct_size > head) /* clear every field that the caller knows */
		memset((char *)args + head, 0, (args->struct_size < sizeof *args ? args->struct_size : sizeof *args) - head);
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

static void keep_attributes(void *owner)
{
	(void)owner;
}

PJRT_Error *sr_pjrt_Device_GetAttributes(struct PJRT_Device_GetAttributes_Args *args)
{
	args->attributes = NULL;
	args->num_attributes = 0;
	args->device_attributes = NULL;
	args->attributes_deleter = keep_attributes;
	return NULL;
}

/* ---- memories ---- */

PJRT_Error *sr_pjrt_Memory_Id(struct PJRT_Memory_Id_Args *args)
{
	args->id = args->memory->id;
	return NULL;
}

PJRT_Error *sr_pjrt_Memory_Kind(struct PJRT_Memory_Kind_Args *args)
{
	args->kind = memory_kind;
	args->kind_size = sizeof memory_kind - 1;
	return NULL;
}

PJRT_Error *sr_pjrt_Memory_Kind_Id(struct PJRT_Memory_Kind_Id_Args *args)
{
	args->kind_id = 0;
	return NULL;
}

PJRT_Error *sr_pjrt_Memory_DebugString(struct PJRT_Memory_DebugString_Args *args)
{
	args->debug_string = args->memory->debug;
	args->debug_string_size = strlen(args->debug_string);
	return NULL;
}

PJRT_Error *sr_pjrt_Memory_ToString(struct PJRT_Memory_ToString_Args *args)
{
	args->to_string = args->memory->name;
	args->to_string_size = strlen(args->to_string);
	return NULL;
}

PJRT_Error *sr_pjrt_Memory_AddressableByDevices(struct PJRT_Memory_AddressableByDevices_Args *args)
{
	args->devices = args->memory->device->self;
	args->num_devices = 1;
	return NULL;
}
