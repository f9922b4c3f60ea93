/* Functions of the interface that only return values of an object, as a table.
 *
 *	VALUE(function, field, value)              args->field = value
 *	TEXT(function, field, text)                also its length
 *	LIST(function, field, count, list, n)      args->field = list, args->count = n */
#include "pjrt/pjrt.h"
#include <string.h>

#define GETTER(function, ...)                                               \
	PJRT_Error *sr_pjrt_##function(struct PJRT_##function##_Args *args) \
	{                                                                   \
		__VA_ARGS__                                                 \
		return NULL;                                                \
	}
#define VALUE(function, field, value) GETTER(function, args->field = (value);)
#define TEXT(function, field, text) GETTER(function, args->field = (text); args->field##_size = strlen(args->field);)
#define LIST(function, field, count, list, n) GETTER(function, args->field = (list); args->count = (n);)

static const char platform_name[] = "cpu", platform_version[] = "shardrun " PACKAGE_VERSION;
static const char device_kind[] = "cpu";

/* ---- clients ---- */
TEXT(Client_PlatformName, platform_name, platform_name)
TEXT(Client_PlatformVersion, platform_version, platform_version)
VALUE(Client_ProcessIndex, process_index, args->client->process)
LIST(Client_Devices, devices, num_devices, args->client->all_devices, (size_t)args->client->n_devices)
LIST(Client_AddressableDevices, addressable_devices, num_addressable_devices, args->client->local_devices, (size_t)args->client->n_local)
LIST(Client_AddressableMemories, addressable_memories, num_addressable_memories, args->client->memories,
     (size_t)args->client->n_local * SR_PJRT_MEMORY_KINDS)
VALUE(Client_TopologyDescription, topology, &args->client->topology)

/* ---- devices, memories ---- */
VALUE(DeviceDescription_Id, id, args->device_description->id)
VALUE(DeviceDescription_ProcessIndex, process_index, args->device_description->process)
LIST(DeviceDescription_Attributes, attributes, num_attributes, NULL, 0)
TEXT(DeviceDescription_Kind, device_kind, device_kind)
TEXT(DeviceDescription_DebugString, debug_string, args->device_description->debug_string)
TEXT(DeviceDescription_ToString, to_string, args->device_description->name)

VALUE(Device_GetDescription, device_description, &args->device->description)
VALUE(Device_IsAddressable, is_addressable, args->device->local_index >= 0)
VALUE(Device_LocalHardwareId, local_hardware_id, args->device->local_index)
LIST(Device_AddressableMemories, memories, num_memories, args->device->memories, args->device->local_index >= 0 ? SR_PJRT_MEMORY_KINDS : 0)

VALUE(Memory_Id, id, args->memory->id)
TEXT(Memory_Kind, kind, sr_pjrt_memory_kinds[args->memory->kind])
VALUE(Memory_Kind_Id, kind_id, args->memory->kind)
TEXT(Memory_DebugString, debug_string, args->memory->debug_string)
TEXT(Memory_ToString, to_string, args->memory->name)
LIST(Memory_AddressableByDevices, devices, num_devices, args->memory->device->addressing_devices, 1)

/* ---- topologies ---- */
TEXT(TopologyDescription_PlatformName, platform_name, platform_name)
TEXT(TopologyDescription_PlatformVersion, platform_version, platform_version)
LIST(TopologyDescription_GetDeviceDescriptions, descriptions, num_descriptions, args->topology->descriptions, (size_t)args->topology->n)
LIST(TopologyDescription_Attributes, attributes, num_attributes, NULL, 0)

/* ---- executables ---- */
TEXT(Executable_Name, executable_name, args->executable->name)
VALUE(Executable_NumReplicas, num_replicas, (size_t)args->executable->n_replicas)
VALUE(Executable_NumPartitions, num_partitions, (size_t)args->executable->n_partitions)
VALUE(Executable_NumOutputs, num_outputs, (size_t)args->executable->n_results)
VALUE(Executable_SizeOfGeneratedCodeInBytes, size_in_bytes, (int64_t)args->executable->program->bytes)
LIST(Executable_OutputElementTypes, output_types, num_output_types, args->executable->output_types, (size_t)args->executable->n_results)
TEXT(Executable_Fingerprint, executable_fingerprint, args->executable->fingerprint)

LIST(LoadedExecutable_AddressableDevices, addressable_devices, num_addressable_devices,
     args->executable->devices, (size_t)args->executable->n_local)
LIST(LoadedExecutable_AddressableDeviceLogicalIds, addressable_device_logical_ids, num_addressable_device_logical_ids,
     args->executable->logical_ids, (size_t)args->executable->n_local)
VALUE(LoadedExecutable_IsDeleted, is_deleted, atomic_load(&args->executable->is_deleted))
TEXT(LoadedExecutable_Fingerprint, executable_fingerprint, args->executable->executable->fingerprint)

/* ---- buffers ---- */
VALUE(Buffer_ElementType, type, args->buffer->type)
LIST(Buffer_Dimensions, dims, num_dims, args->buffer->dims, (size_t)args->buffer->rank)
LIST(Buffer_UnpaddedDimensions, unpadded_dims, num_dims, args->buffer->dims, (size_t)args->buffer->rank)
LIST(Buffer_DynamicDimensionIndices, dynamic_dim_indices, num_dynamic_dims, NULL, 0)
VALUE(Buffer_OnDeviceSizeInBytes, on_device_size_in_bytes, (size_t)args->buffer->bytes)
VALUE(Buffer_Device, device, args->buffer->memory->device)
VALUE(Buffer_Memory, memory, args->buffer->memory)
VALUE(Buffer_IsOnCpu, is_on_cpu, true)
VALUE(Buffer_ReadyEvent, event, sr_pjrt_event(sr_event_keep(args->buffer->ready_event)))
