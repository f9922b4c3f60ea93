/* The PJRT plugin through its table of functions, as frameworks call it. */
#include "pjrt_calls.h"
#include "suite.h"
#include "support/proto.h"
#include <check.h>
#include <pthread.h>
#include <stdlib.h>

enum { DEVICES = 4 };
static PJRT_Device *const *devices;

static void fail_call(const char *call, const char *message)
{
	ck_abort_msg("%s: %s", call, message);
}

static void check_error(PJRT_Error *error, uint32_t code, const char *text)
{
	ck_assert_ptr_nonnull(error);
	struct PJRT_Error_Message_Args message = {.struct_size = sizeof message, .error = error};
	struct PJRT_Error_GetCode_Args number = {.struct_size = sizeof number, .error = error};
	api->Error_Message(&message);
	ck_assert_ptr_null(api->Error_GetCode(&number));
	ck_assert_msg(strstr(message.message, text) != NULL, "'%s' is not in: %s", text, message.message);
	ck_assert_uint_eq(number.code, code);
	destroy_error(error);
}

static void setup(void)
{
	const struct PJRT_NamedValue option = {.name = "devices", .name_size = 7, .type = PJRT_INT64, .value.int64_value = DEVICES, .value_size = 1};
	api = GetPjrtApi();
	CALL(Plugin_Initialize, 0);
	CALL(Client_Create, .create_options = &option, .num_options = 1);
	client = Client_Create_args.client;
	CALL(Client_AddressableDevices, .client = client);
	ck_assert_uint_eq(Client_AddressableDevices_args.num_addressable_devices, DEVICES);
	devices = Client_AddressableDevices_args.addressable_devices;
}

static void teardown(void)
{
	CALL(Client_Destroy, .client = client);
}

/* ---- tests ---- */

START_TEST(devices_are_described)
{
	for (int i = 0; i < DEVICES; i++) {
		CALL(Device_GetDescription, .device = devices[i]);
		CALL(DeviceDescription_Id, .device_description = Device_GetDescription_args.device_description);
		ck_assert_int_eq(DeviceDescription_Id_args.id, i);
		CALL(Device_DefaultMemory, .device = devices[i]);
		CALL(Memory_AddressableByDevices, .memory = Device_DefaultMemory_args.memory);
		ck_assert_ptr_eq(Memory_AddressableByDevices_args.devices[0], devices[i]);
	}
	CALL(Client_ProcessIndex, .client = client);
	ck_assert_int_eq(Client_ProcessIndex_args.process_index, 0);
	check_error(api->Client_LookupDevice(&(struct PJRT_Client_LookupDevice_Args){.struct_size = sizeof(struct PJRT_Client_LookupDevice_Args),
										    .client = client, .id = DEVICES}),
		    PJRT_INVALID_ARGUMENT, "there is no device 4");
}
END_TEST

START_TEST(a_program_runs_on_one_device)
{
	float data[ELEMENTS], result[ELEMENTS];
	fill_floats(data, ELEMENTS);
	PJRT_LoadedExecutable *executable = must_compile(twice_module, 1);
	PJRT_Buffer *a = buffer_of(data, PJRT_F32, shape, 2, NULL, devices[0], PJRT_ONLY_DURING_CALL), *r = run_with_argument(executable, a);
	read_buffer(r, result, sizeof result);
	for (int i = 0; i < ELEMENTS; i++)
		ck_assert_float_eq(result[i], 2 * data[i]);
	destroy_buffer(a);
	destroy_buffer(r);
	destroy_executable(executable);
}
END_TEST

START_TEST(a_program_runs_on_four_devices)
{
	enum { LOCAL_ROWS = ROWS / DEVICES };
	static const int64_t local_dims[] = {LOCAL_ROWS, COLUMNS};
	float data[ELEMENTS], sum[COLUMNS];
	PJRT_Buffer *arguments[DEVICES][1], *results[DEVICES][1], *const *lists[DEVICES], **outs[DEVICES];
	fill_floats(data, ELEMENTS);
	PJRT_LoadedExecutable *executable = must_compile(sum_module, DEVICES);
	for (int k = 0; k < DEVICES; k++) {
		arguments[k][0] = buffer_of(data + k * LOCAL_ROWS * COLUMNS, PJRT_F32, local_dims, 2, NULL, devices[k], PJRT_UNTIL_TRANSFERRED);
		lists[k] = arguments[k];
		outs[k] = results[k];
	}
	expect_no_error(execute(executable, lists, DEVICES, 1, outs), "execute");
	for (int k = 0; k < DEVICES; k++) {
		read_buffer(results[k][0], sum, sizeof sum);
		for (int c = 0; c < COLUMNS; c++)
			ck_assert_float_eq(sum[c], (float)(ROWS * c + COLUMNS * ROWS * (ROWS - 1) / 2));
		destroy_buffer(arguments[k][0]);
		destroy_buffer(results[k][0]);
	}
	destroy_executable(executable);
}
END_TEST

START_TEST(donated_memory_is_taken_once)
{
	float data[ELEMENTS], result[ELEMENTS];
	fill_floats(data, ELEMENTS);
	PJRT_LoadedExecutable *executable = must_compile(donating_module, 1);
	PJRT_Buffer *a = buffer_of(data, PJRT_F32, shape, 2, NULL, devices[0], PJRT_ONLY_DURING_CALL);
	CALL(Buffer_UnsafePointer, .buffer = a);
	PJRT_Buffer *r = run_with_argument(executable, a);
	uintptr_t address_before = Buffer_UnsafePointer_args.buffer_pointer;
	CALL(Buffer_IsDeleted, .buffer = a);
	ck_assert(Buffer_IsDeleted_args.is_deleted);
	read_buffer(r, result, sizeof result);
	ck_assert_float_eq(result[3], 6);
	struct PJRT_Buffer_UnsafePointer_Args after_args = {.struct_size = sizeof after_args, .buffer = r};
	expect_no_error(api->Buffer_UnsafePointer(&after_args), "pointer");
	ck_assert_uint_eq(after_args.buffer_pointer, address_before);
	PJRT_Buffer *const arguments[] = {a}, *const *const lists[] = {arguments};
	PJRT_Buffer *results[1], **const outs[] = {results};
	check_error(execute(executable, lists, 1, 1, outs), PJRT_INVALID_ARGUMENT, "deleted or donated");
	destroy_buffer(a);
	destroy_buffer(r);
	destroy_executable(executable);
}
END_TEST

/* A buffer that a call donates cannot be another argument of it, whatever the order. The buffer stays valid. */
START_TEST(donated_memory_is_no_other_argument)
{
	static const char format[] = "func.func @main(%%a: tensor<8x4xf32>%s, %%b: tensor<8x4xf32>%s) -> (tensor<8x4xf32>, tensor<8x4xf32>) {\n"
				     "  %%0 = stablehlo.add %%a, %%b : tensor<8x4xf32>\n  return %%0, %%0 : tensor<8x4xf32>, tensor<8x4xf32> }";
	static const char *const attributes[][2] = {{" {tf.aliasing_output = 0 : i32}", ""}, {"", " {tf.aliasing_output = 1 : i32}"},
						    {" {tf.aliasing_output = 0 : i32}", " {tf.aliasing_output = 1 : i32}"}};
	float data[ELEMENTS], result[ELEMENTS];
	fill_floats(data, ELEMENTS);
	for (int i = 0; i < 3; i++) {
		char module[512];
		snprintf(module, sizeof module, format, attributes[i][0], attributes[i][1]);
		PJRT_LoadedExecutable *executable = must_compile(module, 1);
		PJRT_Buffer *a = buffer_of(data, PJRT_F32, shape, 2, NULL, devices[0], PJRT_ONLY_DURING_CALL);
		PJRT_Buffer *const list[] = {a, a}, *const *const lists[] = {list};
		PJRT_Buffer *results[2], **const outs[] = {results};
		check_error(execute(executable, lists, 1, 2, outs), PJRT_INVALID_ARGUMENT, "deleted or donated");
		read_buffer(a, result, sizeof result);
		ck_assert_float_eq(result[3], 3);
		destroy_buffer(a);
		destroy_executable(executable);
	}
}
END_TEST

/* Expect a token: it has no elements, and reading it is an error. */
static void expect_token(PJRT_Buffer *b)
{
	char byte;
	CALL(Buffer_ElementType, .buffer = b);
	ck_assert_uint_eq(Buffer_ElementType_args.type, PJRT_TOKEN);
	CALL(Buffer_Dimensions, .buffer = b);
	ck_assert_uint_eq(Buffer_Dimensions_args.num_dims, 0);
	struct PJRT_Buffer_ToHostBuffer_Args read = {.struct_size = sizeof read, .src = b, .dst = &byte, .dst_size = 1};
	check_error(api->Buffer_ToHostBuffer(&read), PJRT_INVALID_ARGUMENT, "no elements to read");
	struct PJRT_Buffer_IncreaseExternalReferenceCount_Args reference = {.struct_size = sizeof reference, .buffer = b};
	check_error(api->Buffer_IncreaseExternalReferenceCount(&reference), PJRT_INVALID_ARGUMENT, "no elements to read");
}

/* As argument, a token is an array of no elements or a token that a program returned. A serialized program returns tokens too. */
START_TEST(tokens_are_arguments_and_results)
{
	static const int64_t no_elements[] = {0};
	static const char module[] = "func.func @main(%t: !stablehlo.token, %a: tensor<8x4xf32>) -> (tensor<8x4xf32>, !stablehlo.token, !stablehlo.token) {\n"
				     "  %0 = stablehlo.after_all %t, %t : !stablehlo.token\n  %1 = stablehlo.add %a, %a : tensor<8x4xf32>\n"
				     "  return %1, %0, %t : tensor<8x4xf32>, !stablehlo.token, !stablehlo.token }";
	float data[ELEMENTS], result[ELEMENTS];
	fill_floats(data, ELEMENTS);
	PJRT_LoadedExecutable *executable = must_compile(module, 1);
	CALL(LoadedExecutable_GetExecutable, .loaded_executable = executable);
	CALL(Executable_OutputMemoryKinds, .executable = LoadedExecutable_GetExecutable_args.executable);
	ck_assert_uint_eq(Executable_OutputMemoryKinds_args.num_outputs, 3);
	CALL(Executable_Destroy, .executable = LoadedExecutable_GetExecutable_args.executable);
	PJRT_Buffer *t = buffer_of(data, PJRT_PRED, no_elements, 1, NULL, devices[0], PJRT_ONLY_DURING_CALL);
	PJRT_Buffer *a = buffer_of(data, PJRT_F32, shape, 2, NULL, devices[0], PJRT_ONLY_DURING_CALL);
	for (int round = 0; round < 2; round++) {
		PJRT_Buffer *const list[] = {t, a}, *const *const lists[] = {list};
		PJRT_Buffer *results[3], **const outs[] = {results};
		expect_no_error(execute(executable, lists, 1, 2, outs), "execute");
		read_buffer(results[0], result, sizeof result);
		ck_assert_float_eq(result[3], 6);
		expect_token(results[1]);
		expect_token(results[2]);
		for (int i = 0; i < 2; i++)
			destroy_buffer(results[i]);
		destroy_buffer(t);
		t = results[2];
		size_t n;
		char *bytes = serialize_executable(executable, &n);
		destroy_executable(executable);
		CALL(Executable_DeserializeAndLoad, .client = client, .serialized_executable = bytes, .serialized_executable_size = n);
		executable = Executable_DeserializeAndLoad_args.loaded_executable;
		free(bytes);
	}
	destroy_buffer(a);
	destroy_buffer(t);
	destroy_executable(executable);
}
END_TEST

/* An argument with jax.buffer_donor is donated if a result has its size, and stays valid otherwise. */
START_TEST(memory_that_no_result_can_take_is_kept)
{
	static const char *const modules[] = {
	    "func.func @main(%a: tensor<8x4xf32> {jax.buffer_donor = true}) -> tensor<4x8xf32> {\n"
	    "  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>\n  return %0 : tensor<4x8xf32> }",
	    "func.func @main(%a: tensor<8x4xf32> {jax.buffer_donor = true}) -> tensor<4x4xf32> {\n"
	    "  %0 = stablehlo.slice %a [0:4, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>\n  return %0 : tensor<4x4xf32> }"};
	float data[ELEMENTS];
	fill_floats(data, ELEMENTS);
	for (int i = 0; i < 2; i++) {
		PJRT_LoadedExecutable *executable = must_compile(modules[i], 1);
		PJRT_Buffer *a = buffer_of(data, PJRT_F32, shape, 2, NULL, devices[0], PJRT_ONLY_DURING_CALL), *r = run_with_argument(executable, a);
		CALL(Buffer_IsDeleted, .buffer = a);
		ck_assert_int_eq(Buffer_IsDeleted_args.is_deleted, i == 0);
		destroy_buffer(a);
		destroy_buffer(r);
		destroy_executable(executable);
	}
}
END_TEST

/* A program that reuses an argument's memory must not overwrite memory of the caller. */
START_TEST(the_callers_memory_is_kept)
{
	float *data = aligned_alloc(64, 192), result[ELEMENTS];
	fill_floats(data, ELEMENTS);
	PJRT_LoadedExecutable *executable = must_compile(donating_module, 1);
	PJRT_Buffer *a = buffer_of(data, PJRT_F32, shape, 2, NULL, devices[0], PJRT_IMMUTABLE_ZERO_COPY);
	CALL(Buffer_UnsafePointer, .buffer = a);
	ck_assert_uint_eq(Buffer_UnsafePointer_args.buffer_pointer, (uintptr_t)data);
	PJRT_Buffer *r = run_with_argument(executable, a);
	read_buffer(r, result, sizeof result);
	ck_assert_float_eq(result[5], 10);
	ck_assert_float_eq(data[5], 5);
	destroy_buffer(a);
	destroy_buffer(r);
	destroy_executable(executable);
	free(data);
}
END_TEST

START_TEST(strides_are_copied)
{
	static const int64_t transposed[] = {COLUMNS, ROWS}, strides[] = {sizeof(int16_t), COLUMNS * sizeof(int16_t)};
	int16_t data[ROWS][COLUMNS], out[COLUMNS][ROWS];
	for (int r = 0; r < ROWS; r++)
		for (int c = 0; c < COLUMNS; c++)
			data[r][c] = (int16_t)(10 * r + c);
	PJRT_Buffer *a = buffer_of(data, PJRT_S16, transposed, 2, strides, devices[1], PJRT_ONLY_DURING_CALL);
	CALL(Device_DefaultMemory, .device = devices[2]);
	CALL(Buffer_CopyToMemory, .buffer = a, .dst_memory = Device_DefaultMemory_args.memory);
	destroy_buffer(a);
	read_buffer(Buffer_CopyToMemory_args.dst_buffer, out, sizeof out);
	for (int r = 0; r < ROWS; r++)
		for (int c = 0; c < COLUMNS; c++)
			ck_assert_int_eq(out[c][r], data[r][c]);
	destroy_buffer(Buffer_CopyToMemory_args.dst_buffer);
}
END_TEST

START_TEST(errors_are_returned)
{
	PJRT_LoadedExecutable *executable;
	static const int64_t wrong_dims[] = {2, 2};
	static const float data[4] = {1, 2, 3, 4};
	check_error(compile("module { func.func @main( }", 1, &executable), PJRT_INVALID_ARGUMENT, "error:");
	struct PJRT_Client_BufferFromHostBuffer_Args negative = {
		.struct_size = sizeof negative, .client = client, .data = data, .type = PJRT_F32,
		.dims = (int64_t[]){2, -2}, .num_dims = 2, .device = devices[0]};
	check_error(api->Client_BufferFromHostBuffer(&negative), PJRT_INVALID_ARGUMENT, "negative or too large");
	check_error(compile(sum_module, 2, &executable), PJRT_INVALID_ARGUMENT, "for 4 devices");
	executable = must_compile(twice_module, 1);
	PJRT_Buffer *a = buffer_of(data, PJRT_F32, wrong_dims, 2, NULL, devices[0], PJRT_ONLY_DURING_CALL);
	PJRT_Buffer *const list[] = {a}, *const *const lists[] = {list};
	PJRT_Buffer *results[1], **const outs[] = {results};
	check_error(execute(executable, lists, 1, 1, outs), PJRT_INVALID_ARGUMENT, "argument 0 of twice is a tensor<2x2xf32>, but the program was compiled for a tensor<8x4xf32>");
	check_error(execute(executable, lists, 1, 0, outs), PJRT_INVALID_ARGUMENT, "has 1 parameters");
	destroy_buffer(a);
	destroy_executable(executable);
}
END_TEST

/* A buffer that was created with an error passes the error on to all results that are computed from it. */
START_TEST(errors_pass_through_programs)
{
	static const char message[] = "the source has failed";
	PJRT_LoadedExecutable *executable = must_compile(twice_module, 1);
	CALL(Device_DefaultMemory, .device = devices[0]);
	CALL(Client_CreateErrorBuffer, .client = client, .error_code = PJRT_INVALID_ARGUMENT, .error_message = message,
	     .error_message_size = sizeof message - 1, .shape_dims = shape, .shape_num_dims = 2, .shape_element_type = PJRT_F32,
	     .memory = Device_DefaultMemory_args.memory);
	PJRT_Buffer *r = run_with_argument(executable, Client_CreateErrorBuffer_args.buffer);
	CALL(Buffer_ReadyEvent, .buffer = r);
	struct PJRT_Event_Await_Args await = {.struct_size = sizeof await, .event = Buffer_ReadyEvent_args.event};
	check_error(api->Event_Await(&await), PJRT_INVALID_ARGUMENT, message);
	CALL(Event_Destroy, .event = Buffer_ReadyEvent_args.event);
	destroy_buffer(r);
	destroy_buffer(Client_CreateErrorBuffer_args.buffer);
	destroy_executable(executable);
}
END_TEST

START_TEST(a_serialized_program_runs)
{
	float data[ELEMENTS], result[ELEMENTS];
	fill_floats(data, ELEMENTS);
	PJRT_LoadedExecutable *executable = must_compile(twice_module, 1);
	size_t n;
	char *bytes = serialize_executable(executable, &n);
	destroy_executable(executable);
	CALL(Executable_DeserializeAndLoad, .client = client, .serialized_executable = bytes, .serialized_executable_size = n);
	executable = Executable_DeserializeAndLoad_args.loaded_executable;
	PJRT_Buffer *a = buffer_of(data, PJRT_F32, shape, 2, NULL, devices[0], PJRT_ONLY_DURING_CALL), *r = run_with_argument(executable, a);
	read_buffer(r, result, sizeof result);
	ck_assert_float_eq(result[9], 18);
	destroy_buffer(a);
	destroy_buffer(r);
	destroy_executable(executable);
	struct PJRT_Executable_DeserializeAndLoad_Args damaged_args = {
	    .struct_size = sizeof damaged_args, .client = client, .serialized_executable = bytes, .serialized_executable_size = n};
	bytes[n - 1] ^= 1;
	check_error(api->Executable_DeserializeAndLoad(&damaged_args), PJRT_INVALID_ARGUMENT, "damaged");
	damaged_args.serialized_executable_size = 8;
	check_error(api->Executable_DeserializeAndLoad(&damaged_args), PJRT_INVALID_ARGUMENT, "too short");
	free(bytes);
}
END_TEST

/* Append an instruction of type f32[8,4] to a HloComputationProto, whose field 2 it is. Fields: 1 name, 2 opcode, 3 shape (2
 * element type, 3 extents, 5 layout, of which 1 is minor to major), 9 parameter, 35 id, 36 operands; 16 a sharding (1: type). */
static void put_instruction(struct sr_buf *out, const char *opcode, int64_t id, int64_t operand, bool is_tuple)
{
	static const int64_t order[] = {1, 0};
	enum { F32 = 11, TUPLE = 13, REPLICATED = 0 };
	struct sr_buf instruction, array, layout, tuple, sharding, *bufs[] = {&instruction, &array, &layout, &tuple, &sharding};
	for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
		sr_buf_init(bufs[i], out->arena);
	sr_proto_put_integers(&layout, 1, order, 2);
	sr_proto_put_int(&array, 2, F32);
	sr_proto_put_integers(&array, 3, shape, 2);
	sr_proto_put_bytes(&array, 5, layout.data, layout.n);
	sr_proto_put_int(&tuple, 2, TUPLE);
	sr_proto_put_bytes(&tuple, 4, array.data, array.n);
	sr_proto_put_int(&sharding, 1, REPLICATED);
	sr_proto_put_bytes(&instruction, 1, opcode, strlen(opcode));
	sr_proto_put_bytes(&instruction, 2, opcode, strlen(opcode));
	sr_proto_put_bytes(&instruction, 3, is_tuple ? tuple.data : array.data, is_tuple ? tuple.n : array.n);
	if (!strcmp(opcode, "parameter"))
		sr_proto_put_bytes(&instruction, 16, sharding.data, sharding.n);
	sr_proto_put_int(&instruction, 9, 0);
	sr_proto_put_int(&instruction, 35, id);
	if (!strcmp(opcode, "add"))
		sr_proto_put_int(&instruction, 36, operand);
	if (operand)
		sr_proto_put_int(&instruction, 36, operand);
	sr_proto_put_bytes(out, 2, instruction.data, instruction.n);
}

START_TEST(an_hlo_module_runs_on_as_many_devices_as_the_options_say)
{
	enum { PARAMETER = 1, SUM, ROOT, COMPUTATION };
	struct sr_arena *arena = sr_arena_new();
	struct sr_buf computation, module;
	float data[ELEMENTS], result[ELEMENTS];
	sr_buf_init(&computation, arena);
	sr_buf_init(&module, arena);
	sr_proto_put_bytes(&computation, 1, "main", 4);
	put_instruction(&computation, "parameter", PARAMETER, 0, false);
	put_instruction(&computation, "add", SUM, PARAMETER, false);
	put_instruction(&computation, "tuple", ROOT, SUM, true);
	sr_proto_put_int(&computation, 5, COMPUTATION);
	sr_proto_put_int(&computation, 6, ROOT);
	sr_proto_put_bytes(&module, 1, "twice", 5);
	sr_proto_put_bytes(&module, 2, "main", 4);
	sr_proto_put_bytes(&module, 3, computation.data, computation.n);
	sr_proto_put_int(&module, 6, COMPUTATION);
	fill_floats(data, ELEMENTS);
	for (int n = 1; n <= DEVICES; n += DEVICES - 1) {
		PJRT_LoadedExecutable *executable;
		PJRT_Buffer *arguments[DEVICES][1], *results[DEVICES][1], *const *lists[DEVICES], **outs[DEVICES];
		expect_no_error(compile_bytes(module.data, module.n, "hlo", n, &executable), "compile");
		for (int k = 0; k < n; k++) {
			arguments[k][0] = buffer_of(data, PJRT_F32, shape, 2, NULL, devices[k], PJRT_ONLY_DURING_CALL);
			lists[k] = arguments[k];
			outs[k] = results[k];
		}
		expect_no_error(execute(executable, lists, (size_t)n, 1, outs), "execute");
		for (int k = 0; k < n; k++) {
			read_buffer(results[k][0], result, sizeof result);
			ck_assert_float_eq(result[9], 18);
			destroy_buffer(arguments[k][0]);
			destroy_buffer(results[k][0]);
		}
		destroy_executable(executable);
	}
	PJRT_LoadedExecutable *refused_executable;
	check_error(compile_bytes(module.data, module.n / 2, "hlo", 1, &refused_executable), PJRT_INVALID_ARGUMENT, "");
	check_error(compile_bytes(module.data, module.n, "text", 1, &refused_executable), PJRT_UNIMPLEMENTED,
		    "mlir or hlo is expected");
	sr_arena_free(arena);
}
END_TEST

static const struct PLUGIN_Profiler_Api *profiler_api(void)
{
	const struct PJRT_Extension_Base *e = api->extension_start;
	while (e && e->type != PJRT_EXTENSION_PROFILER)
		e = e->next;
	ck_assert_ptr_nonnull(e);
	return ((const struct PJRT_Profiler_Extension *)e)->profiler_api;
}

/* Return how many bytes a profiler with these options collects while a program is executed once. */
static size_t profiled_bytes(const char *options, size_t n)
{
	const struct PLUGIN_Profiler_Api *p = profiler_api();
	float data[ELEMENTS];
	fill_floats(data, ELEMENTS);
	struct PLUGIN_Profiler_Create_Args create = {.struct_size = sizeof create, .options = options, .options_size = n};
	ck_assert_ptr_null(p->create(&create));
	struct PLUGIN_Profiler_Args args = {sizeof args, create.profiler};
	struct PLUGIN_Profiler_CollectData_Args collect = {.struct_size = sizeof collect, .profiler = create.profiler};
	ck_assert_ptr_null(p->start(&args));
	PJRT_LoadedExecutable *executable = must_compile(twice_module, 1);
	PJRT_Buffer *a = buffer_of(data, PJRT_F32, shape, 2, NULL, devices[0], PJRT_ONLY_DURING_CALL), *r = run_with_argument(executable, a);
	read_buffer(r, data, sizeof data);
	ck_assert_ptr_null(p->stop(&args));
	ck_assert_ptr_null(p->collect_data(&collect));
	destroy_buffer(a);
	destroy_buffer(r);
	destroy_executable(executable);
	size_t bytes = collect.buffer_size_in_bytes;
	ck_assert_ptr_null(p->destroy(&args));
	return bytes;
}

START_TEST(a_profiler_collects_what_its_options_ask_for)
{
	static const char level_1[] = {0x10, 2, 0x18, 1}, level_0[] = {0x10, 2}; /* field 3 is the trace level of devices */
	ck_assert_uint_gt(profiled_bytes(NULL, 0), 0);
	ck_assert_uint_gt(profiled_bytes(level_1, sizeof level_1), 0);
	ck_assert_uint_eq(profiled_bytes(level_0, sizeof level_0), 0);
}
END_TEST

static void *use_plugin(void *data)
{
	enum { N_EXECUTIONS = 20 };
	float x[ELEMENTS], result[ELEMENTS];
	fill_floats(x, ELEMENTS);
	for (int i = 0; i < N_EXECUTIONS; i++) {
		PJRT_LoadedExecutable *executable = must_compile(i % 2 ? twice_module : donating_module, 1);
		PJRT_Buffer *a = buffer_of(x, PJRT_F32, shape, 2, NULL, devices[0], PJRT_ONLY_DURING_CALL), *r = run_with_argument(executable, a);
		destroy_executable(executable);
		destroy_buffer(a);
		read_buffer(r, result, sizeof result);
		ck_assert_float_eq(result[7], 14);
		destroy_buffer(r);
	}
	return data;
}

START_TEST(eight_threads_use_the_plugin)
{
	enum { THREADS = 8 };
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, use_plugin, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}
END_TEST

/* Return the extension of this type in the plugin's list. */
static const void *find_extension(uint32_t type)
{
	const struct PJRT_Extension_Base *e = api->extension_start;
	while (e && e->type != type)
		e = e->next;
	ck_assert_ptr_nonnull(e);
	return e;
}

/* The layouts of an executable's values belong to the executable: each call returns the same ones, which nobody must destroy. */
START_TEST(layouts_belong_to_their_executable)
{
	const struct PJRT_Layouts_Extension *layouts = find_extension(PJRT_EXTENSION_LAYOUTS);
	PJRT_LoadedExecutable *executable = must_compile(twice_module, 1);
	CALL(LoadedExecutable_GetExecutable, .loaded_executable = executable);
	struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args outputs = {
	    .struct_size = sizeof outputs, .executable = LoadedExecutable_GetExecutable_args.executable};
	struct PJRT_Layouts_MemoryLayout *first_layout = NULL;
	for (int i = 0; i < 3; i++) {
		expect_no_error(layouts->output_layouts(&outputs), "output layouts");
		ck_assert_uint_eq(outputs.num_outputs, 1);
		first_layout = first_layout ? first_layout : outputs.layouts[0];
		ck_assert_ptr_eq(outputs.layouts[0], first_layout);
		struct PJRT_Layouts_MemoryLayout_Serialize_Args text = {.struct_size = sizeof text, .layout = outputs.layouts[0]};
		expect_no_error(layouts->serialize(&text), "serialize a layout");
		ck_assert_int_eq(strncmp(text.serialized_bytes, "{1,0}", text.serialized_bytes_size), 0);
		free(text.serialized_layout);
		expect_no_error(layouts->destroy(&(struct PJRT_Layouts_MemoryLayout_Destroy_Args){.layout = outputs.layouts[0]}), "destroy a layout");
	}
	CALL(Executable_Destroy, .executable = LoadedExecutable_GetExecutable_args.executable);
	destroy_executable(executable);
}
END_TEST

int main(void)
{
	static const TTest *tests[17];
	size_t n = 0;
	tests[n++] = devices_are_described;
	tests[n++] = a_program_runs_on_one_device;
	tests[n++] = a_program_runs_on_four_devices;
	tests[n++] = donated_memory_is_taken_once;
	tests[n++] = donated_memory_is_no_other_argument;
	tests[n++] = tokens_are_arguments_and_results;
	tests[n++] = memory_that_no_result_can_take_is_kept;
	tests[n++] = the_callers_memory_is_kept;
	tests[n++] = strides_are_copied;
	tests[n++] = errors_are_returned;
	tests[n++] = errors_pass_through_programs;
	tests[n++] = a_serialized_program_runs;
	tests[n++] = an_hlo_module_runs_on_as_many_devices_as_the_options_say;
	tests[n++] = a_profiler_collects_what_its_options_ask_for;
	tests[n++] = layouts_belong_to_their_executable;
	tests[n++] = eight_threads_use_the_plugin;
	return sr_run_tests("pjrt", tests, n, setup, teardown);
}
