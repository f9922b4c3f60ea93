/* Calls of the plugin's table of functions as frameworks make them, for the tests of the plugin.
 *
 * A test that includes this sets `api` and `client`, and defines fail_call, which takes the name of a call and the message of its
 * error. */
#include "pjrt/pjrt_abi.h"
#include <stdlib.h>
#include <string.h>

static const struct PJRT_Api *api;
static PJRT_Client *client;
static void fail_call(const char *what, const char *message);

/* Call a function of the table. Its arguments, with the results, are in NAME_args. */
#define CALL(name, ...)                                                                                  \
	struct PJRT_##name##_Args name##_args = {.struct_size = sizeof name##_args, __VA_ARGS__};         \
	expect_no_error(api->name(&name##_args), #name)

static void destroy_error(PJRT_Error *error)
{
	api->Error_Destroy(&(struct PJRT_Error_Destroy_Args){.struct_size = sizeof(struct PJRT_Error_Destroy_Args), .error = error});
}

/* Report and destroy the error of a call that must succeed. */
static void expect_no_error(PJRT_Error *error, const char *call)
{
	if (!error)
		return;
	struct PJRT_Error_Message_Args message = {.struct_size = sizeof message, .error = error};
	api->Error_Message(&message);
	fail_call(call, message.message);
	destroy_error(error);
}

/* Compile for n partitions; the options are field 3 with fields 4 (replicas) and 5 (partitions). */
static PJRT_Error *compile_bytes(const char *code, size_t bytes, const char *format, int n, PJRT_LoadedExecutable **out)
{
	const char options[] = {0x1a, 4, 0x20, 1, 0x28, (char)n};
	struct PJRT_Program program = {.struct_size = sizeof program, .code = code, .code_size = bytes, .format = format,
				       .format_size = strlen(format)};
	struct PJRT_Client_Compile_Args args = {.struct_size = sizeof args, .client = client, .program = &program, .compile_options = options,
						.compile_options_size = sizeof options};
	PJRT_Error *error = api->Client_Compile(&args);
	*out = args.executable;
	return error;
}

static PJRT_Error *compile(const char *module, int n, PJRT_LoadedExecutable **out)
{
	return compile_bytes(module, strlen(module), "mlir", n, out);
}

static PJRT_LoadedExecutable *must_compile(const char *module, int n)
{
	PJRT_LoadedExecutable *out;
	expect_no_error(compile(module, n, &out), "compile");
	return out;
}

static void destroy_executable(PJRT_LoadedExecutable *executable)
{
	CALL(LoadedExecutable_Destroy, .executable = executable);
}

static PJRT_Buffer *buffer_of(const void *data, uint32_t type, const int64_t *dims, size_t rank, const int64_t *strides, PJRT_Device *device,
			      uint32_t semantics)
{
	CALL(Client_BufferFromHostBuffer, .client = client, .data = data, .type = type, .dims = dims, .num_dims = rank, .byte_strides = strides,
	     .num_byte_strides = strides ? rank : 0, .host_buffer_semantics = semantics, .device = device);
	CALL(Event_Destroy, .event = Client_BufferFromHostBuffer_args.done_with_host_buffer);
	return Client_BufferFromHostBuffer_args.buffer;
}

static void destroy_buffer(PJRT_Buffer *buffer)
{
	CALL(Buffer_Destroy, .buffer = buffer);
}

static void read_buffer(PJRT_Buffer *buffer, void *to, size_t bytes)
{
	CALL(Buffer_ToHostBuffer, .src = buffer, .dst = to, .dst_size = bytes);
	CALL(Event_Await, .event = Buffer_ToHostBuffer_args.event);
	CALL(Event_Destroy, .event = Buffer_ToHostBuffer_args.event);
}

static PJRT_Error *execute(PJRT_LoadedExecutable *executable, PJRT_Buffer *const *const *arguments, size_t n_devices, size_t n,
			   PJRT_Buffer **const *results)
{
	struct PJRT_ExecuteOptions options = {.struct_size = sizeof options};
	return api->LoadedExecutable_Execute(&(struct PJRT_LoadedExecutable_Execute_Args){.struct_size = sizeof(struct PJRT_LoadedExecutable_Execute_Args),
											   .executable = executable,
											   .options = &options,
											   .argument_lists = arguments,
											   .num_devices = n_devices,
											   .num_args = n,
											   .output_lists = results});
}

static PJRT_Buffer *run_with_argument(PJRT_LoadedExecutable *executable, PJRT_Buffer *argument)
{
	PJRT_Buffer *const list[] = {argument}, *const *const lists[] = {list};
	PJRT_Buffer *result[1], **const results[] = {result};
	expect_no_error(execute(executable, lists, 1, 1, results), "execute");
	return result[0];
}

/* Return the executable's bytes, malloc'ed. */
static char *serialize_executable(PJRT_LoadedExecutable *executable, size_t *n)
{
	CALL(LoadedExecutable_GetExecutable, .loaded_executable = executable);
	CALL(Executable_Serialize, .executable = LoadedExecutable_GetExecutable_args.executable);
	*n = Executable_Serialize_args.serialized_bytes_size;
	char *bytes = malloc(*n);
	memcpy(bytes, Executable_Serialize_args.serialized_bytes, *n);
	Executable_Serialize_args.serialized_executable_deleter(Executable_Serialize_args.serialized_executable);
	CALL(Executable_Destroy, .executable = LoadedExecutable_GetExecutable_args.executable);
	return bytes;
}

/* ---- programs ---- */

enum { ROWS = 8, COLUMNS = 4, ELEMENTS = ROWS * COLUMNS };
static const int64_t shape[] = {ROWS, COLUMNS};
static const char twice_module[] = "module @twice { func.func public @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {\n"
			    "  %0 = stablehlo.add %a, %a : tensor<8x4xf32>\n  return %0 : tensor<8x4xf32> } }";
static const char donating_module[] = "module @donated { func.func public @main(%a: tensor<8x4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<8x4xf32> {\n"
			      "  %0 = stablehlo.add %a, %a : tensor<8x4xf32>\n  return %0 : tensor<8x4xf32> } }";
static const char sum_module[] = "module @summed attributes {mhlo.num_partitions = 4 : i32} { sdy.mesh @mesh = <[\"x\"=4]>\n"
			     "func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>})\n"
			     "  -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {\n"
			     "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
			     "  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>\n"
			     "  return %0 : tensor<4xf32> } }";

static void fill_floats(float *data, int n)
{
	for (int i = 0; i < n; i++)
		data[i] = (float)i;
}
