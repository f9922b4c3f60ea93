/* Binary interface of PJRT's C API as far as a CPU plugin needs it, declared as in version 0.112 (the plugin reports
 * PJRT_MINOR): frameworks (JAX, PyTorch/XLA) load a shared library, call GetPjrtApi, and use the table of functions that it
 * returns. Names and order of fields are the interface's; a test compares sizes and offsets with another declaration of it.
 *
 * Every struct begins with its size as the caller knows it. Newer versions append fields to structs, so a callee
 * reads or writes a newer field only if the size covers it (PJRT_HAS). Functions return NULL or an error that the caller owns. */
#ifndef SR_PJRT_PJRT_ABI_H
#define SR_PJRT_PJRT_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* from version 0.105 of the interface on, frameworks call functions through tables in memories, errors and events */
enum { PJRT_MAJOR = 0, PJRT_MINOR = 104 };

#define PJRT_HEAD size_t struct_size; struct PJRT_Extension_Base *extension_start
/* Return true if the caller's version of the args struct has the field. */
#define PJRT_HAS(args, field) \
	((args)->struct_size >= (size_t)((const char *)&(args)->field - (const char *)(args)) + sizeof (args)->field)

typedef struct PJRT_Error PJRT_Error;
typedef struct PJRT_Event PJRT_Event;
typedef struct PJRT_Client PJRT_Client;
typedef struct PJRT_Device PJRT_Device;
typedef struct PJRT_Memory PJRT_Memory;
typedef struct PJRT_DeviceDescription PJRT_DeviceDescription;
typedef struct PJRT_TopologyDescription PJRT_TopologyDescription;
typedef struct PJRT_Executable PJRT_Executable;
typedef struct PJRT_LoadedExecutable PJRT_LoadedExecutable;
typedef struct PJRT_Buffer PJRT_Buffer;

/* Callbacks. PJRT_OnReady: an event is set; the callback owns the error. PJRT_OnDelete: a view of foreign memory is no longer used.
 * Deleters: memory that a call returned is to be freed. */
typedef void PJRT_OnReady(PJRT_Error *error, void *user_arg);
typedef void PJRT_OnDelete(void *data, void *user_arg);
typedef void PJRT_Deleter(void *owner);
typedef void PJRT_AttributesDeleter(void *owner);

enum PJRT_Error_Code {
	PJRT_OK, PJRT_CANCELLED, PJRT_UNKNOWN, PJRT_INVALID_ARGUMENT, PJRT_DEADLINE_EXCEEDED, PJRT_NOT_FOUND, PJRT_ALREADY_EXISTS,
	PJRT_PERMISSION_DENIED, PJRT_RESOURCE_EXHAUSTED, PJRT_FAILED_PRECONDITION, PJRT_ABORTED, PJRT_OUT_OF_RANGE, PJRT_UNIMPLEMENTED,
	PJRT_INTERNAL, PJRT_UNAVAILABLE, PJRT_DATA_LOSS, PJRT_UNAUTHENTICATED
};

enum PJRT_Buffer_Type { /* element types */
	PJRT_INVALID, PJRT_PRED, PJRT_S8, PJRT_S16, PJRT_S32, PJRT_S64, PJRT_U8, PJRT_U16, PJRT_U32, PJRT_U64, PJRT_F16, PJRT_F32, PJRT_F64,
	PJRT_BF16, PJRT_C64, PJRT_C128, PJRT_F8E5M2, PJRT_F8E4M3FN, PJRT_F8E4M3B11FNUZ, PJRT_F8E5M2FNUZ, PJRT_F8E4M3FNUZ, PJRT_S4, PJRT_U4,
	PJRT_TOKEN, PJRT_S2, PJRT_U2, PJRT_F8E4M3, PJRT_F8E3M4, PJRT_F8E8M0FNU, PJRT_F4E2M1FN, PJRT_S1, PJRT_U1, PJRT_F6E2M3FN,
	PJRT_F6E3M2FN, PJRT_TYPES
};

enum PJRT_NamedValue_Type { PJRT_STRING, PJRT_INT64, PJRT_INT64_LIST, PJRT_FLOAT, PJRT_BOOL };
/* How the plugin may use the host's memory after BufferFromHostBuffer, in this order: not at all; read it until the plugin reports
 * that the transfer has ended; read it while the buffer exists; read and write it while the buffer exists. */
enum PJRT_HostBufferSemantics { PJRT_ONLY_DURING_CALL, PJRT_UNTIL_TRANSFERRED, PJRT_IMMUTABLE_ZERO_COPY, PJRT_MUTABLE_ZERO_COPY };
enum PJRT_Buffer_MemoryLayout_Type { PJRT_LAYOUT_TILED, PJRT_LAYOUT_STRIDES };
enum PJRT_Extension_Type { PJRT_EXTENSION_PROFILER = 1, PJRT_EXTENSION_CUSTOM_PARTITIONER = 2, PJRT_EXTENSION_LAYOUTS = 4, PJRT_EXTENSION_FFI = 5,
			   PJRT_EXTENSION_MEMORIES = 6, PJRT_EXTENSION_SHARDINGS = 19 };

union PJRT_Value {
	const char *string_value;
	int64_t int64_value;
	const int64_t *int64_array_value;
	float float_value;
	bool bool_value;
};
/* ---- common ---- */
struct PJRT_Extension_Base { size_t struct_size; uint32_t type; struct PJRT_Extension_Base *next; };
struct PJRT_Api_Version { PJRT_HEAD; int32_t major_version; int32_t minor_version; };
struct PJRT_Buffer_MemoryLayout_Tiled {
	PJRT_HEAD;
	const int64_t *minor_to_major;
	size_t minor_to_major_size;
	const int64_t *tile_dims;
	const size_t *tile_dim_sizes;
	size_t num_tiles;
};
struct PJRT_Buffer_MemoryLayout_Strides { PJRT_HEAD; const int64_t *byte_strides; size_t num_byte_strides; };
struct PJRT_NamedValue {
	PJRT_HEAD;
	const char *name;
	size_t name_size;
	uint32_t type;
	union PJRT_Value value;
	size_t value_size;
};
struct PJRT_Program { PJRT_HEAD; const char *code; size_t code_size; const char *format; size_t format_size; };
struct PJRT_Buffer_MemoryLayout {
	PJRT_HEAD;
	union {
		struct PJRT_Buffer_MemoryLayout_Tiled tiled;
		struct PJRT_Buffer_MemoryLayout_Strides strides;
	} u;
	uint32_t type; /* kind of memory layout, an enum PJRT_Buffer_MemoryLayout_Type */
};
struct PJRT_Buffer_GetMemoryLayout_Args { PJRT_HEAD; PJRT_Buffer *buffer; struct PJRT_Buffer_MemoryLayout layout; };

/* ---- errors, plugin, events ---- */
struct PJRT_Error_Destroy_Args { PJRT_HEAD; PJRT_Error *error; };
struct PJRT_Error_Message_Args { PJRT_HEAD; const PJRT_Error *error; const char *message; size_t message_size; };
struct PJRT_Error_GetCode_Args { PJRT_HEAD; const PJRT_Error *error; uint32_t code; };
struct PJRT_Plugin_Initialize_Args { PJRT_HEAD; };
struct PJRT_Plugin_Attributes_Args { PJRT_HEAD; const struct PJRT_NamedValue *attributes; size_t num_attributes; };
struct PJRT_Event_Destroy_Args { PJRT_HEAD; PJRT_Event *event; };
struct PJRT_Event_IsReady_Args { PJRT_HEAD; PJRT_Event *event; bool is_ready; };
struct PJRT_Event_Error_Args { PJRT_HEAD; PJRT_Event *event; };
struct PJRT_Event_Await_Args { PJRT_HEAD; PJRT_Event *event; };
struct PJRT_Event_OnReady_Args { PJRT_HEAD; PJRT_Event *event; PJRT_OnReady *callback; void *user_arg; };
struct PJRT_Event_Create_Args { PJRT_HEAD; PJRT_Event *event; };
struct PJRT_Event_Set_Args {
	PJRT_HEAD;
	PJRT_Event *event;
	uint32_t error_code;
	const char *error_message;
	size_t error_message_size;
};

/* ---- clients ---- */
struct PJRT_Client_Create_Args {
	PJRT_HEAD;
	const struct PJRT_NamedValue *create_options;
	size_t num_options;
	void *kv_get_callback;
	void *kv_get_user_arg;
	void *kv_put_callback;
	void *kv_put_user_arg;
	PJRT_Client *client;
	void *kv_try_get_callback;
	void *kv_try_get_user_arg;
};
struct PJRT_Client_Destroy_Args { PJRT_HEAD; PJRT_Client *client; };
struct PJRT_Client_PlatformName_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	const char *platform_name;
	size_t platform_name_size;
};
struct PJRT_Client_ProcessIndex_Args { PJRT_HEAD; PJRT_Client *client; int32_t process_index; };
struct PJRT_Client_PlatformVersion_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	const char *platform_version;
	size_t platform_version_size;
};
struct PJRT_Client_Devices_Args { PJRT_HEAD; PJRT_Client *client; PJRT_Device *const *devices; size_t num_devices; };
struct PJRT_Client_AddressableDevices_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	PJRT_Device *const *addressable_devices;
	size_t num_addressable_devices;
};
struct PJRT_Client_LookupDevice_Args { PJRT_HEAD; PJRT_Client *client; int32_t id; PJRT_Device *device; };
struct PJRT_Client_LookupAddressableDevice_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	int32_t local_hardware_id;
	PJRT_Device *addressable_device;
};
struct PJRT_Client_AddressableMemories_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	PJRT_Memory *const *addressable_memories;
	size_t num_addressable_memories;
};
struct PJRT_Client_Compile_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	struct PJRT_Program *program;
	const char *compile_options;
	size_t compile_options_size;
	PJRT_LoadedExecutable *executable;
};
struct PJRT_Client_DefaultDeviceAssignment_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	int32_t num_replicas;
	int32_t num_partitions;
	size_t default_assignment_size;
	int *default_assignment;
};
struct PJRT_Client_BufferFromHostBuffer_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	const void *data;
	uint32_t type;
	const int64_t *dims;
	size_t num_dims;
	const int64_t *byte_strides;
	size_t num_byte_strides;
	uint32_t host_buffer_semantics;
	PJRT_Device *device;
	PJRT_Memory *memory;
	const struct PJRT_Buffer_MemoryLayout *device_layout;
	PJRT_Event *done_with_host_buffer;
	PJRT_Buffer *buffer;
};
struct PJRT_Client_CreateViewOfDeviceBuffer_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	void *device_buffer_ptr;
	const int64_t *dims;
	size_t num_dims;
	uint32_t element_type;
	const struct PJRT_Buffer_MemoryLayout *layout;
	PJRT_Device *device;
	PJRT_OnDelete *on_delete_callback;
	void *on_delete_callback_arg;
	int64_t stream;
	PJRT_Buffer *buffer;
	PJRT_Memory *memory;
};
struct PJRT_Client_CreateUninitializedBuffer_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	const int64_t *shape_dims;
	size_t shape_num_dims;
	uint32_t shape_element_type;
	const struct PJRT_Buffer_MemoryLayout *shape_layout;
	PJRT_Device *device;
	PJRT_Memory *memory;
	PJRT_Buffer *buffer;
};
struct PJRT_Client_CreateErrorBuffer_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	uint32_t error_code;
	const char *error_message;
	size_t error_message_size;
	const int64_t *shape_dims;
	size_t shape_num_dims;
	uint32_t shape_element_type;
	const struct PJRT_Buffer_MemoryLayout *shape_layout;
	PJRT_Memory *memory;
	PJRT_Buffer *buffer;
	void *payload;
	size_t num_payload;
};
struct PJRT_Client_TopologyDescription_Args { PJRT_HEAD; PJRT_Client *client; PJRT_TopologyDescription *topology; };
struct PJRT_Client_UpdateGlobalProcessInfo_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	void *process_infos;
	size_t num_process_infos;
};
struct PJRT_Client_DmaMap_Args { PJRT_HEAD; PJRT_Client *client; void *data; size_t size; };
struct PJRT_Client_DmaUnmap_Args { PJRT_HEAD; PJRT_Client *client; void *data; };

/* ---- devices and memories ---- */
struct PJRT_DeviceDescription_Id_Args { PJRT_HEAD; PJRT_DeviceDescription *device_description; int32_t id; };
struct PJRT_DeviceDescription_ProcessIndex_Args {
	PJRT_HEAD;
	PJRT_DeviceDescription *device_description;
	int32_t process_index;
};
struct PJRT_DeviceDescription_Attributes_Args {
	PJRT_HEAD;
	PJRT_DeviceDescription *device_description;
	size_t num_attributes;
	const struct PJRT_NamedValue *attributes;
};
struct PJRT_DeviceDescription_Kind_Args {
	PJRT_HEAD;
	PJRT_DeviceDescription *device_description;
	const char *device_kind;
	size_t device_kind_size;
};
struct PJRT_DeviceDescription_DebugString_Args {
	PJRT_HEAD;
	PJRT_DeviceDescription *device_description;
	const char *debug_string;
	size_t debug_string_size;
};
struct PJRT_DeviceDescription_ToString_Args {
	PJRT_HEAD;
	PJRT_DeviceDescription *device_description;
	const char *to_string;
	size_t to_string_size;
};
struct PJRT_Device_GetDescription_Args { PJRT_HEAD; PJRT_Device *device; PJRT_DeviceDescription *device_description; };
struct PJRT_Device_IsAddressable_Args { PJRT_HEAD; PJRT_Device *device; bool is_addressable; };
struct PJRT_Device_LocalHardwareId_Args { PJRT_HEAD; PJRT_Device *device; int32_t local_hardware_id; };
struct PJRT_Device_AddressableMemories_Args {
	PJRT_HEAD;
	PJRT_Device *device;
	PJRT_Memory *const *memories;
	size_t num_memories;
};
struct PJRT_Device_DefaultMemory_Args { PJRT_HEAD; PJRT_Device *device; PJRT_Memory *memory; };
struct PJRT_Device_MemoryStats_Args {
	PJRT_HEAD;
	PJRT_Device *device;
	int64_t bytes_in_use;
	int64_t peak_bytes_in_use;
	bool peak_bytes_in_use_is_set;
	int64_t num_allocs;
	bool num_allocs_is_set;
	int64_t largest_alloc_size;
	bool largest_alloc_size_is_set;
	int64_t bytes_limit;
	bool bytes_limit_is_set;
	int64_t bytes_reserved;
	bool bytes_reserved_is_set;
	int64_t peak_bytes_reserved;
	bool peak_bytes_reserved_is_set;
	int64_t bytes_reservable_limit;
	bool bytes_reservable_limit_is_set;
	int64_t largest_free_block_bytes;
	bool largest_free_block_bytes_is_set;
	int64_t pool_bytes;
	bool pool_bytes_is_set;
	int64_t peak_pool_bytes;
	bool peak_pool_bytes_is_set;
	int64_t peak_allocated_bytes;
	bool peak_allocated_bytes_is_set;
};
struct PJRT_Device_GetAttributes_Args {
	PJRT_HEAD;
	PJRT_Device *device;
	const struct PJRT_NamedValue *attributes;
	size_t num_attributes;
	void *device_attributes;
	PJRT_AttributesDeleter *attributes_deleter;
};
struct PJRT_Device_ClearMemoryStats_Args { PJRT_HEAD; PJRT_Device *device; };
struct PJRT_Memory_Id_Args { PJRT_HEAD; PJRT_Memory *memory; int32_t id; };
struct PJRT_Memory_Kind_Args { PJRT_HEAD; PJRT_Memory *memory; const char *kind; size_t kind_size; };
struct PJRT_Memory_Kind_Id_Args { PJRT_HEAD; PJRT_Memory *memory; int32_t kind_id; };
struct PJRT_Memory_DebugString_Args {
	PJRT_HEAD;
	PJRT_Memory *memory;
	const char *debug_string;
	size_t debug_string_size;
};
struct PJRT_Memory_ToString_Args { PJRT_HEAD; PJRT_Memory *memory; const char *to_string; size_t to_string_size; };
struct PJRT_Memory_AddressableByDevices_Args {
	PJRT_HEAD;
	PJRT_Memory *memory;
	PJRT_Device *const *devices;
	size_t num_devices;
};
struct PJRT_TopologyDescription_Destroy_Args { PJRT_HEAD; PJRT_TopologyDescription *topology; };
struct PJRT_TopologyDescription_PlatformName_Args {
	PJRT_HEAD;
	PJRT_TopologyDescription *topology;
	const char *platform_name;
	size_t platform_name_size;
};
struct PJRT_TopologyDescription_PlatformVersion_Args {
	PJRT_HEAD;
	PJRT_TopologyDescription *topology;
	const char *platform_version;
	size_t platform_version_size;
};
struct PJRT_TopologyDescription_GetDeviceDescriptions_Args {
	PJRT_HEAD;
	PJRT_TopologyDescription *topology;
	PJRT_DeviceDescription *const *descriptions;
	size_t num_descriptions;
};
struct PJRT_TopologyDescription_Attributes_Args {
	PJRT_HEAD;
	PJRT_TopologyDescription *topology;
	const struct PJRT_NamedValue *attributes;
	size_t num_attributes;
};
struct PJRT_TopologyDescription_Serialize_Args {
	PJRT_HEAD;
	PJRT_TopologyDescription *topology;
	const char *serialized_bytes;
	size_t serialized_bytes_size;
	void *serialized_topology;
	PJRT_Deleter *serialized_topology_deleter;
};
struct PJRT_TopologyDescription_Deserialize_Args {
	PJRT_HEAD;
	const char *serialized_topology;
	size_t serialized_topology_size;
	PJRT_TopologyDescription *topology;
};
struct PJRT_TopologyDescription_Fingerprint_Args { PJRT_HEAD; PJRT_TopologyDescription *topology; size_t fingerprint; };

/* ---- executables ---- */
struct PJRT_Executable_Destroy_Args { PJRT_HEAD; PJRT_Executable *executable; };
struct PJRT_Executable_Name_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	const char *executable_name;
	size_t executable_name_size;
};
struct PJRT_Executable_NumReplicas_Args { PJRT_HEAD; PJRT_Executable *executable; size_t num_replicas; };
struct PJRT_Executable_NumPartitions_Args { PJRT_HEAD; PJRT_Executable *executable; size_t num_partitions; };
struct PJRT_Executable_NumOutputs_Args { PJRT_HEAD; PJRT_Executable *executable; size_t num_outputs; };
struct PJRT_Executable_SizeOfGeneratedCodeInBytes_Args { PJRT_HEAD; PJRT_Executable *executable; int64_t size_in_bytes; };
struct PJRT_Executable_GetCostAnalysis_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	size_t num_properties;
	const struct PJRT_NamedValue *properties;
};
struct PJRT_Executable_OutputMemoryKinds_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	size_t num_outputs;
	const char *const *memory_kinds;
	const size_t *memory_kind_sizes;
};
struct PJRT_Executable_ParameterMemoryKinds_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	size_t num_parameters;
	const char *const *memory_kinds;
	const size_t *memory_kind_sizes;
};
struct PJRT_Executable_OptimizedProgram_Args { PJRT_HEAD; PJRT_Executable *executable; struct PJRT_Program *program; };
struct PJRT_Executable_Serialize_Args {
	PJRT_HEAD;
	const PJRT_Executable *executable;
	const char *serialized_bytes;
	size_t serialized_bytes_size;
	void *serialized_executable;
	PJRT_Deleter *serialized_executable_deleter;
};
struct PJRT_Executable_OutputElementTypes_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	const uint32_t *output_types;
	size_t num_output_types;
};
struct PJRT_Executable_OutputDimensions_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	size_t num_outputs;
	const int64_t *dims;
	const size_t *dim_sizes;
};
struct PJRT_Executable_Fingerprint_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	const char *executable_fingerprint;
	size_t executable_fingerprint_size;
};
struct PJRT_Executable_GetCompiledMemoryStats_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	int64_t generated_code_size_in_bytes;
	int64_t argument_size_in_bytes;
	int64_t output_size_in_bytes;
	int64_t alias_size_in_bytes;
	int64_t temp_size_in_bytes;
	int64_t host_generated_code_size_in_bytes;
	int64_t host_argument_size_in_bytes;
	int64_t host_output_size_in_bytes;
	int64_t host_alias_size_in_bytes;
	int64_t host_temp_size_in_bytes;
	int64_t peak_memory_in_bytes;
	int64_t total_size_in_bytes;
	int64_t total_allocation_bytes;
	int64_t indefinite_allocations;
	int64_t peak_unpadded_heap_bytes;
};
struct PJRT_Executable_GetCompileOptions_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	const char *serialized_bytes;
	size_t serialized_bytes_size;
	void *serialized_compile_options;
	PJRT_Deleter *serialized_compile_options_deleter;
};
struct PJRT_Executable_DeserializeAndLoad_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	const char *serialized_executable;
	size_t serialized_executable_size;
	PJRT_LoadedExecutable *loaded_executable;
	const char *overridden_serialized_compile_options;
	size_t overridden_serialized_compile_options_size;
	void *load_options;
};
struct PJRT_LoadedExecutable_Destroy_Args { PJRT_HEAD; PJRT_LoadedExecutable *executable; };
struct PJRT_LoadedExecutable_GetExecutable_Args {
	PJRT_HEAD;
	PJRT_LoadedExecutable *loaded_executable;
	PJRT_Executable *executable;
};
struct PJRT_LoadedExecutable_AddressableDevices_Args {
	PJRT_HEAD;
	PJRT_LoadedExecutable *executable;
	PJRT_Device *const *addressable_devices;
	size_t num_addressable_devices;
};
struct PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args {
	PJRT_HEAD;
	PJRT_LoadedExecutable *executable;
	const struct PJRT_LogicalDeviceIds *addressable_device_logical_ids;
	size_t num_addressable_device_logical_ids;
};
struct PJRT_LoadedExecutable_GetDeviceAssignment_Args {
	PJRT_HEAD;
	PJRT_LoadedExecutable *executable;
	const char *serialized_bytes;
	size_t serialized_bytes_size;
	void *serialized_device_assignment;
	PJRT_Deleter *serialized_device_assignment_deleter;
};
struct PJRT_LoadedExecutable_Delete_Args { PJRT_HEAD; PJRT_LoadedExecutable *executable; };
struct PJRT_LoadedExecutable_IsDeleted_Args { PJRT_HEAD; PJRT_LoadedExecutable *executable; bool is_deleted; };
struct PJRT_LoadedExecutable_Fingerprint_Args {
	PJRT_HEAD;
	PJRT_LoadedExecutable *executable;
	const char *executable_fingerprint;
	size_t executable_fingerprint_size;
};
struct PJRT_ExecuteOptions {
	PJRT_HEAD;
	void *send_callbacks;
	void *recv_callbacks;
	size_t num_send_ops;
	size_t num_recv_ops;
	int32_t launch_id;
	const int64_t *non_donatable_input_indices;
	size_t num_non_donatable_input_indices;
	struct PJRT_ExecuteContext *context;
	const char *call_location;
	size_t num_tasks;
	void *task_ids;
	void *incarnation_ids;
	void *multi_slice_config;
	bool use_major_to_minor_data_layout_for_callbacks;
	void *hlo_output_callbacks;
	size_t num_hlo_output_callbacks;
};
struct PJRT_LoadedExecutable_Execute_Args {
	PJRT_HEAD;
	PJRT_LoadedExecutable *executable;
	struct PJRT_ExecuteOptions *options;
	PJRT_Buffer *const *const *argument_lists;
	size_t num_devices;
	size_t num_args;
	PJRT_Buffer **const *output_lists;
	PJRT_Event **device_complete_events;
	PJRT_Device *execute_device;
};
struct PJRT_LogicalDeviceIds { int32_t replica; int32_t partition; };
struct PJRT_ExecuteContext_Create_Args { PJRT_HEAD; struct PJRT_ExecuteContext *context; };
struct PJRT_ExecuteContext_Destroy_Args { PJRT_HEAD; struct PJRT_ExecuteContext *context; };

/* ---- buffers ---- */
struct PJRT_Buffer_Destroy_Args { PJRT_HEAD; PJRT_Buffer *buffer; };
struct PJRT_Buffer_ElementType_Args { PJRT_HEAD; PJRT_Buffer *buffer; uint32_t type; };
struct PJRT_Buffer_Dimensions_Args { PJRT_HEAD; PJRT_Buffer *buffer; const int64_t *dims; size_t num_dims; };
struct PJRT_Buffer_UnpaddedDimensions_Args {
	PJRT_HEAD;
	PJRT_Buffer *buffer;
	const int64_t *unpadded_dims;
	size_t num_dims;
};
struct PJRT_Buffer_DynamicDimensionIndices_Args {
	PJRT_HEAD;
	PJRT_Buffer *buffer;
	const size_t *dynamic_dim_indices;
	size_t num_dynamic_dims;
};
struct PJRT_Buffer_OnDeviceSizeInBytes_Args { PJRT_HEAD; PJRT_Buffer *buffer; size_t on_device_size_in_bytes; };
struct PJRT_Buffer_Device_Args { PJRT_HEAD; PJRT_Buffer *buffer; PJRT_Device *device; };
struct PJRT_Buffer_Memory_Args { PJRT_HEAD; PJRT_Buffer *buffer; PJRT_Memory *memory; };
struct PJRT_Buffer_Delete_Args { PJRT_HEAD; PJRT_Buffer *buffer; };
struct PJRT_Buffer_IsDeleted_Args { PJRT_HEAD; PJRT_Buffer *buffer; bool is_deleted; };
struct PJRT_Buffer_CopyToDevice_Args { PJRT_HEAD; PJRT_Buffer *buffer; PJRT_Device *dst_device; PJRT_Buffer *dst_buffer; };
struct PJRT_Buffer_CopyToMemory_Args { PJRT_HEAD; PJRT_Buffer *buffer; PJRT_Memory *dst_memory; PJRT_Buffer *dst_buffer; };
struct PJRT_Buffer_ToHostBuffer_Args {
	PJRT_HEAD;
	PJRT_Buffer *src;
	const struct PJRT_Buffer_MemoryLayout *host_layout;
	void *dst;
	size_t dst_size;
	PJRT_Event *event;
};
struct PJRT_Buffer_CopyRawToHost_Args {
	PJRT_HEAD;
	PJRT_Buffer *buffer;
	void *dst;
	int64_t offset;
	int64_t transfer_size;
	PJRT_Event *event;
};
struct PJRT_Buffer_IsOnCpu_Args { PJRT_HEAD; PJRT_Buffer *buffer; bool is_on_cpu; };
struct PJRT_Buffer_ReadyEvent_Args { PJRT_HEAD; PJRT_Buffer *buffer; PJRT_Event *event; };
struct PJRT_Buffer_UnsafePointer_Args { PJRT_HEAD; PJRT_Buffer *buffer; size_t buffer_pointer; };
struct PJRT_Buffer_IncreaseExternalReferenceCount_Args { PJRT_HEAD; PJRT_Buffer *buffer; };
struct PJRT_Buffer_DecreaseExternalReferenceCount_Args { PJRT_HEAD; PJRT_Buffer *buffer; };
struct PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args { PJRT_HEAD; PJRT_Buffer *buffer; void *device_memory_ptr; };

/* ---- extensions ---- */
struct PJRT_FFI_UserData { int64_t type_id; void *data; };
struct PJRT_FFI_Type_Info { void *deleter; void *serialize; void *deserialize; };
struct PJRT_FFI_Type_Register_Args {
	PJRT_HEAD;
	const char *type_name;
	size_t type_name_size;
	int64_t type_id;
	const struct PJRT_FFI_Type_Info *type_info;
};
struct PJRT_FFI_UserData_Add_Args { PJRT_HEAD; struct PJRT_ExecuteContext *context; struct PJRT_FFI_UserData user_data; };
struct PJRT_FFI_Register_Handler_Args {
	size_t struct_size;
	const char *target_name;
	size_t target_name_size;
	void *handler;
	const char *platform_name;
	size_t platform_name_size;
	uint32_t traits;
};
struct PJRT_FFI_Type_Register_Args;
struct PJRT_FFI_UserData_Add_Args;
struct PJRT_FFI_Register_Handler_Args;
struct PJRT_FFI_Extension {
	struct PJRT_Extension_Base base;
	PJRT_Error *(*type_register)(struct PJRT_FFI_Type_Register_Args *args);
	PJRT_Error *(*user_data_add)(struct PJRT_FFI_UserData_Add_Args *args);
	PJRT_Error *(*register_handler)(struct PJRT_FFI_Register_Handler_Args *args);
};
/* A profiler has an error type of its own. The plugin creates such errors as it creates others. */
typedef struct PLUGIN_Profiler PLUGIN_Profiler;
struct PLUGIN_Profiler_Error_Destroy_Args { size_t struct_size; void *priv; PJRT_Error *error; };
struct PLUGIN_Profiler_Error_Message_Args { size_t struct_size; void *priv; const PJRT_Error *error; const char *message; size_t message_size; };
struct PLUGIN_Profiler_Error_GetCode_Args { size_t struct_size; void *priv; const PJRT_Error *error; int code; };
struct PLUGIN_Profiler_Create_Args { size_t struct_size; const char *options; size_t options_size; PLUGIN_Profiler *profiler; };
/* arguments of the profiler's functions destroy, start and stop */
struct PLUGIN_Profiler_Args { size_t struct_size; PLUGIN_Profiler *profiler; };
struct PLUGIN_Profiler_CollectData_Args { size_t struct_size; PLUGIN_Profiler *profiler; uint8_t *buffer; size_t buffer_size_in_bytes; };
struct PLUGIN_Profiler_Api {
	size_t struct_size;
	void *priv;
	void (*error_destroy)(struct PLUGIN_Profiler_Error_Destroy_Args *args);
	void (*error_message)(struct PLUGIN_Profiler_Error_Message_Args *args);
	PJRT_Error *(*error_get_code)(struct PLUGIN_Profiler_Error_GetCode_Args *args);
	PJRT_Error *(*create)(struct PLUGIN_Profiler_Create_Args *args);
	PJRT_Error *(*destroy)(struct PLUGIN_Profiler_Args *args);
	PJRT_Error *(*start)(struct PLUGIN_Profiler_Args *args);
	PJRT_Error *(*stop)(struct PLUGIN_Profiler_Args *args);
	PJRT_Error *(*collect_data)(struct PLUGIN_Profiler_CollectData_Args *args);
};
struct PJRT_Profiler_Extension {
	struct PJRT_Extension_Base base;
	const struct PLUGIN_Profiler_Api *profiler_api;
	int64_t traceme_context_id;
};
struct PJRT_Layouts_MemoryLayout_Destroy_Args;
struct PJRT_Layouts_MemoryLayout_Serialize_Args;
struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args;
struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args;
struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args;
struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args;
struct PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args;
struct PJRT_Layouts_MemoryLayout;
struct PJRT_Layouts_Extension {
	struct PJRT_Extension_Base base;
	PJRT_Error *(*destroy)(struct PJRT_Layouts_MemoryLayout_Destroy_Args *args);
	PJRT_Error *(*serialize)(struct PJRT_Layouts_MemoryLayout_Serialize_Args *args);
	PJRT_Error *(*client_default_layout)(struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args);
	PJRT_Error *(*buffer_layout)(struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args);
	PJRT_Error *(*topology_default_layout)(struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args);
	PJRT_Error *(*output_layouts)(struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args);
	PJRT_Error *(*parameter_layouts)(struct PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args *args);
};
struct PJRT_Layouts_MemoryLayout_Destroy_Args { PJRT_HEAD; struct PJRT_Layouts_MemoryLayout *layout; };
struct PJRT_Layouts_MemoryLayout_Serialize_Args {
	PJRT_HEAD;
	struct PJRT_Layouts_MemoryLayout *layout;
	const char *serialized_bytes;
	size_t serialized_bytes_size;
	void *serialized_layout;
	PJRT_Deleter *serialized_layout_deleter;
};
struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
	PJRT_HEAD;
	PJRT_Client *client;
	uint32_t type;
	const int64_t *dims;
	size_t num_dims;
	struct PJRT_Layouts_MemoryLayout *layout;
};
struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args {
	PJRT_HEAD;
	PJRT_Buffer *buffer;
	struct PJRT_Layouts_MemoryLayout *layout;
};
struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args {
	PJRT_HEAD;
	void *topology_description;
	uint32_t type;
	const int64_t *dims;
	size_t num_dims;
	struct PJRT_Layouts_MemoryLayout *layout;
};
struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	size_t num_outputs;
	struct PJRT_Layouts_MemoryLayout **layouts;
};
struct PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	size_t num_parameters;
	struct PJRT_Layouts_MemoryLayout **layouts;
};
struct PJRT_Shardings_PJRT_Executable_ParameterShardings_Args;
struct PJRT_Shardings_PJRT_Executable_OutputShardings_Args;
struct PJRT_Shardings_Extension {
	struct PJRT_Extension_Base base;
	PJRT_Error *(*parameter_shardings)(struct PJRT_Shardings_PJRT_Executable_ParameterShardings_Args *args);
	PJRT_Error *(*output_shardings)(struct PJRT_Shardings_PJRT_Executable_OutputShardings_Args *args);
};
struct PJRT_Shardings_PJRT_Executable_ParameterShardings_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	size_t num_parameters;
	const char *const *shardings;
	const size_t *sharding_sizes;
};
struct PJRT_Shardings_PJRT_Executable_OutputShardings_Args {
	PJRT_HEAD;
	PJRT_Executable *executable;
	size_t num_outputs;
	const char *const *shardings;
	const size_t *sharding_sizes;
};

/* ---- the table ---- */
/* The functions of struct PJRT_Api, in the order of its fields. Those of PJRT_VOID_FUNCTIONS, the first two, return nothing. */
#define PJRT_VOID_FUNCTIONS(X) X(Error_Destroy) X(Error_Message)
#define PJRT_FUNCTIONS(X) \
	X(Error_GetCode) X(Plugin_Initialize) X(Plugin_Attributes) X(Event_Destroy) X(Event_IsReady) X(Event_Error) \
	X(Event_Await) X(Event_OnReady) X(Client_Create) X(Client_Destroy) X(Client_PlatformName) X(Client_ProcessIndex) \
	X(Client_PlatformVersion) X(Client_Devices) X(Client_AddressableDevices) X(Client_LookupDevice) \
	X(Client_LookupAddressableDevice) X(Client_AddressableMemories) X(Client_Compile) X(Client_DefaultDeviceAssignment) \
	X(Client_BufferFromHostBuffer) X(DeviceDescription_Id) X(DeviceDescription_ProcessIndex) X(DeviceDescription_Attributes) \
	X(DeviceDescription_Kind) X(DeviceDescription_DebugString) X(DeviceDescription_ToString) X(Device_GetDescription) \
	X(Device_IsAddressable) X(Device_LocalHardwareId) X(Device_AddressableMemories) X(Device_DefaultMemory) \
	X(Device_MemoryStats) X(Memory_Id) X(Memory_Kind) X(Memory_DebugString) X(Memory_ToString) \
	X(Memory_AddressableByDevices) X(Executable_Destroy) X(Executable_Name) X(Executable_NumReplicas) \
	X(Executable_NumPartitions) X(Executable_NumOutputs) X(Executable_SizeOfGeneratedCodeInBytes) \
	X(Executable_GetCostAnalysis) X(Executable_OutputMemoryKinds) X(Executable_OptimizedProgram) X(Executable_Serialize) \
	X(LoadedExecutable_Destroy) X(LoadedExecutable_GetExecutable) X(LoadedExecutable_AddressableDevices) \
	X(LoadedExecutable_Delete) X(LoadedExecutable_IsDeleted) X(LoadedExecutable_Execute) X(Executable_DeserializeAndLoad) \
	X(LoadedExecutable_Fingerprint) X(Buffer_Destroy) X(Buffer_ElementType) X(Buffer_Dimensions) \
	X(Buffer_UnpaddedDimensions) X(Buffer_DynamicDimensionIndices) X(Buffer_GetMemoryLayout) X(Buffer_OnDeviceSizeInBytes) \
	X(Buffer_Device) X(Buffer_Memory) X(Buffer_Delete) X(Buffer_IsDeleted) X(Buffer_CopyToDevice) X(Buffer_ToHostBuffer) \
	X(Buffer_IsOnCpu) X(Buffer_ReadyEvent) X(Buffer_UnsafePointer) X(Buffer_IncreaseExternalReferenceCount) \
	X(Buffer_DecreaseExternalReferenceCount) X(Buffer_OpaqueDeviceMemoryDataPointer) X(CopyToDeviceStream_Destroy) \
	X(CopyToDeviceStream_AddChunk) X(CopyToDeviceStream_TotalBytes) X(CopyToDeviceStream_GranuleSize) \
	X(CopyToDeviceStream_CurrentBytes) X(TopologyDescription_Create) X(TopologyDescription_Destroy) \
	X(TopologyDescription_PlatformName) X(TopologyDescription_PlatformVersion) X(TopologyDescription_GetDeviceDescriptions) \
	X(TopologyDescription_Serialize) X(TopologyDescription_Attributes) X(Compile) X(Executable_OutputElementTypes) \
	X(Executable_OutputDimensions) X(Buffer_CopyToMemory) X(Client_CreateViewOfDeviceBuffer) X(Executable_Fingerprint) \
	X(Client_TopologyDescription) X(Executable_GetCompiledMemoryStats) X(Memory_Kind_Id) X(ExecuteContext_Create) \
	X(ExecuteContext_Destroy) X(Buffer_CopyRawToHost) X(AsyncHostToDeviceTransferManager_Destroy) \
	X(AsyncHostToDeviceTransferManager_TransferData) X(Client_CreateBuffersForAsyncHostToDevice) \
	X(AsyncHostToDeviceTransferManager_RetrieveBuffer) X(AsyncHostToDeviceTransferManager_Device) \
	X(AsyncHostToDeviceTransferManager_BufferCount) X(AsyncHostToDeviceTransferManager_BufferSize) \
	X(AsyncHostToDeviceTransferManager_SetBufferError) X(AsyncHostToDeviceTransferManager_AddMetadata) X(Client_DmaMap) \
	X(Client_DmaUnmap) X(Client_CreateUninitializedBuffer) X(Client_UpdateGlobalProcessInfo) \
	X(TopologyDescription_Deserialize) X(Client_CreateAliasBuffer) X(Client_FulfillAliasBuffer) \
	X(LoadedExecutable_GetDeviceAssignment) X(Client_CreateErrorBuffer) X(AsyncHostToDeviceTransferManager_TransferLiteral) \
	X(Buffer_CopyRawToHostFuture) X(Device_PoisonExecution) X(Device_CreateAsyncTrackingEvent) X(AsyncTrackingEvent_Destroy) \
	X(Executable_GetCompileOptions) X(Buffer_DonateWithControlDependency) X(Event_Create) X(Event_Set) \
	X(Device_GetAttributes) X(Client_Load) X(LoadedExecutable_AddressableDeviceLogicalIds) X(Buffer_Bitcast) \
	X(Error_ForEachPayload) X(TopologyDescription_Fingerprint) X(Executable_ParameterMemoryKinds) X(Device_ClearMemoryStats) \
	X(TopologyDescription_MakeCanonicalShapeForMemorySpace) X(TopologyDescription_GetMemorySpaceKindIds)

#define PJRT_DECLARE(name) struct PJRT_##name##_Args;
PJRT_VOID_FUNCTIONS(PJRT_DECLARE)
PJRT_FUNCTIONS(PJRT_DECLARE)
#undef PJRT_DECLARE

struct PJRT_Api {
	PJRT_HEAD;
	struct PJRT_Api_Version version;
#define PJRT_FIELD(name) void (*name)(struct PJRT_##name##_Args *args);
	PJRT_VOID_FUNCTIONS(PJRT_FIELD)
#undef PJRT_FIELD
#define PJRT_FIELD(name) PJRT_Error *(*name)(struct PJRT_##name##_Args *args);
	PJRT_FUNCTIONS(PJRT_FIELD)
#undef PJRT_FIELD
};

const struct PJRT_Api *GetPjrtApi(void);

#endif
