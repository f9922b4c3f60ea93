/* Static assertions that the structs of src/run/ffi_abi.h have the layout of XLA's header. Compiled, not run. */
#include "run/ffi_abi.h"
#include "xla/ffi/api/c_api.h"

#define SIZE(ours, theirs) _Static_assert(sizeof(struct ours) == sizeof(theirs), #ours)
#define PLACE(ours, field, theirs, their_field) \
	_Static_assert(offsetof(struct ours, field) == offsetof(theirs, their_field), #ours "." #field)
#define FUNCTION(field, their_field) PLACE(sr_ffi_api, field, XLA_FFI_Api, their_field)

SIZE(sr_ffi_extension, XLA_FFI_Extension_Base);
PLACE(sr_ffi_extension, type, XLA_FFI_Extension_Base, type);
PLACE(sr_ffi_extension, next, XLA_FFI_Extension_Base, next);
SIZE(sr_ffi_version, XLA_FFI_Api_Version);
PLACE(sr_ffi_version, major, XLA_FFI_Api_Version, major_version);
PLACE(sr_ffi_version, minor, XLA_FFI_Api_Version, minor_version);
SIZE(sr_ffi_buffer, XLA_FFI_Buffer);
PLACE(sr_ffi_buffer, type, XLA_FFI_Buffer, dtype);
PLACE(sr_ffi_buffer, data, XLA_FFI_Buffer, data);
PLACE(sr_ffi_buffer, rank, XLA_FFI_Buffer, rank);
PLACE(sr_ffi_buffer, dims, XLA_FFI_Buffer, dims);
SIZE(sr_ffi_span, XLA_FFI_ByteSpan);
SIZE(sr_ffi_scalar, XLA_FFI_Scalar);
PLACE(sr_ffi_scalar, value, XLA_FFI_Scalar, value);
SIZE(sr_ffi_array, XLA_FFI_Array);
PLACE(sr_ffi_array, data, XLA_FFI_Array, data);
SIZE(sr_ffi_buffers, XLA_FFI_Args);
SIZE(sr_ffi_buffers, XLA_FFI_Rets);
PLACE(sr_ffi_buffers, kinds, XLA_FFI_Args, types);
PLACE(sr_ffi_buffers, buffers, XLA_FFI_Args, args);
SIZE(sr_ffi_attrs, XLA_FFI_Attrs);
PLACE(sr_ffi_attrs, kinds, XLA_FFI_Attrs, types);
PLACE(sr_ffi_attrs, names, XLA_FFI_Attrs, names);
PLACE(sr_ffi_attrs, values, XLA_FFI_Attrs, attrs);
SIZE(sr_ffi_frame, XLA_FFI_CallFrame);
_Static_assert((int)SR_FFI_FRAME_BYTES == (int)XLA_FFI_CallFrame_STRUCT_SIZE, "a frame's size as it says");
PLACE(sr_ffi_frame, api, XLA_FFI_CallFrame, api);
PLACE(sr_ffi_frame, stage, XLA_FFI_CallFrame, stage);
PLACE(sr_ffi_frame, arguments, XLA_FFI_CallFrame, args);
PLACE(sr_ffi_frame, results, XLA_FFI_CallFrame, rets);
PLACE(sr_ffi_frame, attrs, XLA_FFI_CallFrame, attrs);
PLACE(sr_ffi_frame, future, XLA_FFI_CallFrame, future);
SIZE(sr_ffi_metadata, XLA_FFI_Metadata);
PLACE(sr_ffi_metadata, version, XLA_FFI_Metadata, api_version);
PLACE(sr_ffi_metadata, state_type, XLA_FFI_Metadata, state_type_id);
PLACE(sr_ffi_metadata_extension, metadata, XLA_FFI_Metadata_Extension, metadata);
PLACE(sr_ffi_error_create, message, XLA_FFI_Error_Create_Args, message);
PLACE(sr_ffi_error_message, message, XLA_FFI_Error_GetMessage_Args, message);
PLACE(sr_ffi_error_destroy, error, XLA_FFI_Error_Destroy_Args, error);
PLACE(sr_ffi_memory_allocate, alignment, XLA_FFI_DeviceMemory_Allocate_Args, alignment);
PLACE(sr_ffi_memory_allocate, data, XLA_FFI_DeviceMemory_Allocate_Args, data);
PLACE(sr_ffi_memory_free, data, XLA_FFI_DeviceMemory_Free_Args, data);
PLACE(sr_ffi_pool_schedule, task, XLA_FFI_ThreadPool_Schedule_Args, task);
PLACE(sr_ffi_pool_schedule, data, XLA_FFI_ThreadPool_Schedule_Args, data);
PLACE(sr_ffi_pool_threads, n, XLA_FFI_ThreadPool_NumThreads_Args, num_threads);
PLACE(sr_ffi_future_create, future, XLA_FFI_Future_Create_Args, future);
PLACE(sr_ffi_future_set, future, XLA_FFI_Future_SetAvailable_Args, future);
PLACE(sr_ffi_future_set, error, XLA_FFI_Future_SetError_Args, error);
PLACE(sr_ffi_run_id, id, XLA_FFI_RunId_Get_Args, run_id);
PLACE(sr_ffi_device_ordinal, ordinal, XLA_FFI_DeviceOrdinal_Get_Args, device_ordinal);
PLACE(sr_ffi_api, version, XLA_FFI_Api, api_version);
FUNCTION(error_create, XLA_FFI_Error_Create);
FUNCTION(error_message, XLA_FFI_Error_GetMessage);
FUNCTION(error_destroy, XLA_FFI_Error_Destroy);
FUNCTION(handler_register, XLA_FFI_Handler_Register);
FUNCTION(stream_get, XLA_FFI_Stream_Get);
FUNCTION(type_register, XLA_FFI_Type_Register);
FUNCTION(context_get, XLA_FFI_ExecutionContext_Get);
FUNCTION(state_set, XLA_FFI_State_Set);
FUNCTION(state_get, XLA_FFI_State_Get);
FUNCTION(memory_allocate, XLA_FFI_DeviceMemory_Allocate);
FUNCTION(memory_free, XLA_FFI_DeviceMemory_Free);
FUNCTION(pool_schedule, XLA_FFI_ThreadPool_Schedule);
FUNCTION(pool_threads, XLA_FFI_ThreadPool_NumThreads);
FUNCTION(future_create, XLA_FFI_Future_Create);
FUNCTION(future_set_available, XLA_FFI_Future_SetAvailable);
FUNCTION(future_set_error, XLA_FFI_Future_SetError);
FUNCTION(run_id, XLA_FFI_RunId_Get);
FUNCTION(device_ordinal, XLA_FFI_DeviceOrdinal_Get);
_Static_assert(SR_FFI_MAJOR == XLA_FFI_API_MAJOR && (int)SR_FFI_EXECUTE == (int)XLA_FFI_ExecutionStage_EXECUTE,
	       "version and stage");
_Static_assert((int)SR_FFI_STRING == (int)XLA_FFI_AttrType_STRING && (int)SR_FFI_SCALAR == (int)XLA_FFI_AttrType_SCALAR, "kinds");
