/* The plugin's table of functions, and the functions about the plugin as a whole. */
#include "pjrt/pjrt.h"
#include "support/checked.h"
#include <string.h>

PJRT_Error *sr_pjrt_Plugin_Initialize(struct PJRT_Plugin_Initialize_Args *args)
{
	(void)args;
	return NULL;
}

/* Return the plugin's attributes: the StableHLO version of the portable artifacts that it reads. Frameworks write that version or
 * their own, whichever is older. Without the attribute they write a version that is months old and lacks newer ops, such as
 * async_start. */
PJRT_Error *sr_pjrt_Plugin_Attributes(struct PJRT_Plugin_Attributes_Args *args)
{
	static const int64_t version[] = {1, 17, 0};
	static const struct PJRT_NamedValue attributes[] = {
		{.struct_size = sizeof attributes[0], .name = "stablehlo_current_version", .name_size = sizeof "stablehlo_current_version" - 1,
		 .type = PJRT_INT64_LIST, .value.int64_array_value = version, .value_size = sizeof version / sizeof *version},
	};
	args->attributes = attributes;
	args->num_attributes = sizeof attributes / sizeof *attributes;
	return NULL;
}

/* Entry of the table for every function of the interface that the plugin does not offer. Frameworks test for this error code. */
static PJRT_Error *unimplemented_function(void *args)
{
	(void)args;
	return sr_pjrt_error(PJRT_UNIMPLEMENTED, "this function of the PJRT interface is not supported");
}

#define F(name) .name = sr_pjrt_##name
static struct PJRT_Api table = {
    .struct_size = sizeof table,
    .version = {.struct_size = sizeof table.version, .major_version = PJRT_MAJOR, .minor_version = PJRT_MINOR},
    F(Error_Destroy), F(Error_Message), F(Error_GetCode), F(Error_ForEachPayload), F(Plugin_Initialize), F(Plugin_Attributes), F(Event_Destroy), F(Event_IsReady),
    F(Event_Error), F(Event_Await), F(Event_OnReady), F(Event_Create), F(Event_Set), F(Client_Create), F(Client_Destroy),
    F(Client_PlatformName), F(Client_ProcessIndex), F(Client_PlatformVersion), F(Client_Devices), F(Client_AddressableDevices),
    F(Client_LookupDevice), F(Client_LookupAddressableDevice), F(Client_AddressableMemories), F(Client_Compile),
    F(Client_DefaultDeviceAssignment), F(Client_BufferFromHostBuffer), F(Client_CreateViewOfDeviceBuffer), F(Client_CreateUninitializedBuffer),
    F(Client_CreateErrorBuffer), F(Client_TopologyDescription), F(Client_UpdateGlobalProcessInfo), F(Client_DmaMap), F(Client_DmaUnmap),
    F(DeviceDescription_Id), F(DeviceDescription_ProcessIndex), F(DeviceDescription_Attributes), F(DeviceDescription_Kind),
    F(DeviceDescription_DebugString), F(DeviceDescription_ToString), F(Device_GetDescription), F(Device_IsAddressable),
    F(Device_LocalHardwareId), F(Device_AddressableMemories), F(Device_DefaultMemory), F(Device_MemoryStats), F(Device_GetAttributes),
    F(Device_ClearMemoryStats), F(Memory_Id), F(Memory_Kind), F(Memory_Kind_Id), F(Memory_DebugString), F(Memory_ToString),
    F(Memory_AddressableByDevices), F(Executable_Destroy), F(Executable_Name), F(Executable_NumReplicas), F(Executable_NumPartitions),
    F(Executable_NumOutputs), F(Executable_SizeOfGeneratedCodeInBytes), F(Executable_GetCostAnalysis), F(Executable_OutputMemoryKinds),
    F(Executable_ParameterMemoryKinds), F(Executable_OptimizedProgram), F(Executable_Serialize),
    F(Executable_DeserializeAndLoad), F(Executable_OutputElementTypes), F(Executable_OutputDimensions),
    F(Executable_Fingerprint), F(Executable_GetCompiledMemoryStats), F(Executable_GetCompileOptions), F(LoadedExecutable_Destroy),
    F(LoadedExecutable_GetExecutable), F(LoadedExecutable_AddressableDevices), F(LoadedExecutable_AddressableDeviceLogicalIds),
    F(LoadedExecutable_GetDeviceAssignment), F(LoadedExecutable_Delete), F(LoadedExecutable_IsDeleted), F(LoadedExecutable_Fingerprint),
    F(LoadedExecutable_Execute), F(Buffer_Destroy), F(Buffer_ElementType), F(Buffer_Dimensions), F(Buffer_UnpaddedDimensions),
    F(Buffer_DynamicDimensionIndices), F(Buffer_GetMemoryLayout), F(Buffer_OnDeviceSizeInBytes), F(Buffer_Device), F(Buffer_Memory),
    F(Buffer_Delete), F(Buffer_IsDeleted), F(Buffer_CopyToDevice), F(Buffer_CopyToMemory), F(Buffer_ToHostBuffer), F(Buffer_CopyRawToHost),
    F(Buffer_IsOnCpu), F(Buffer_ReadyEvent), F(Buffer_UnsafePointer), F(Buffer_IncreaseExternalReferenceCount),
    F(Buffer_DecreaseExternalReferenceCount), F(Buffer_OpaqueDeviceMemoryDataPointer), F(TopologyDescription_Destroy),
    F(TopologyDescription_PlatformName), F(TopologyDescription_PlatformVersion), F(TopologyDescription_GetDeviceDescriptions),
    F(TopologyDescription_Attributes), F(TopologyDescription_Serialize), F(TopologyDescription_Deserialize),
    F(TopologyDescription_Fingerprint), F(ExecuteContext_Create), F(ExecuteContext_Destroy),
};
#undef F

static pthread_once_t table_once = PTHREAD_ONCE_INIT;

/* Set the table entries that the plugin does not implement to a function that returns an error, so that frameworks do not call
 * NULL; chain the extensions. */
static void complete_table(void)
{
	PJRT_Error *(*function)(void *args) = unimplemented_function;
	char *entries = (char *)&table.Error_Destroy;
	for (size_t offset = 0; offset < sizeof table - offsetof(struct PJRT_Api, Error_Destroy); offset += sizeof function) {
		void *entry;
		memcpy(&entry, entries + offset, sizeof entry);
		if (!entry)
			memcpy(entries + offset, &function, sizeof function);
	}
	sr_pjrt_shardings.base.next = &sr_pjrt_layouts.base;
	sr_pjrt_layouts.base.next = &sr_pjrt_ffi.base;
	sr_pjrt_ffi.base.next = &sr_pjrt_profiler.base;
	table.extension_start = &sr_pjrt_shardings.base;
}

const struct PJRT_Api *GetPjrtApi(void)
{
	(void)pthread_once(&table_once, complete_table);
	return &table;
}
