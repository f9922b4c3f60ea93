/* The PJRT plugin: compile modules with any options, load serialized executables, and query all properties of the results. */
#include "pjrt/pjrt_abi.h"
#include "pjrt/serialized.h"
#include "program/program.h"
#include "support/crc32.h"
#include "tests/fuzz/fuzz.h"
#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 3 /* number of bytes before the options */ };

static const struct PJRT_Api *api;

/* Destroy the error of a call, which must have a message. Return false if the call did not fail. */
static bool has_failed(PJRT_Error *error)
{
	if (!error)
		return false;
	struct PJRT_Error_Message_Args message = {.struct_size = sizeof message, .error = error};
	api->Error_Message(&message);
	if (!message.message_size)
		abort();
	api->Error_Destroy(&(struct PJRT_Error_Destroy_Args){.struct_size = sizeof(struct PJRT_Error_Destroy_Args), .error = error});
	return true;
}

static PJRT_Client *make_client(void)
{
	const struct PJRT_NamedValue option = {.name = "devices", .name_size = 7, .type = PJRT_INT64,
					       .value.int64_value = FUZZ_DEVICES, .value_size = 1};
	struct PJRT_Client_Create_Args args = {.struct_size = sizeof args, .create_options = &option, .num_options = 1};
	setenv("SHARDRUN_CODEGEN", "off", 1);
	api = GetPjrtApi();
	if (has_failed(api->Client_Create(&args)))
		abort();
	return args.client;
}

/* Call a function that only queries. An error that it returns is destroyed and ignored. */
#define ASK(name, ...)                                                                           \
	struct PJRT_##name##_Args name##_args = {.struct_size = sizeof name##_args, __VA_ARGS__}; \
	(void)has_failed(api->name(&name##_args))

static void query_extensions(PJRT_Executable *x)
{
	for (const struct PJRT_Extension_Base *e = api->extension_start; e; e = e->next)
		if (e->type == PJRT_EXTENSION_SHARDINGS) {
			const struct PJRT_Shardings_Extension *shardings = (const void *)e;
			struct PJRT_Shardings_PJRT_Executable_ParameterShardings_Args in = {.struct_size = sizeof in, .executable = x};
			struct PJRT_Shardings_PJRT_Executable_OutputShardings_Args out = {.struct_size = sizeof out, .executable = x};
			(void)has_failed(shardings->parameter_shardings(&in));
			(void)has_failed(shardings->output_shardings(&out));
		} else if (e->type == PJRT_EXTENSION_LAYOUTS) {
			const struct PJRT_Layouts_Extension *layouts = (const void *)e;
			struct PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args in = {.struct_size = sizeof in, .executable = x};
			struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args out = {.struct_size = sizeof out, .executable = x};
			(void)has_failed(layouts->parameter_layouts(&in));
			(void)has_failed(layouts->output_layouts(&out));
		}
}

static void query_executable(PJRT_LoadedExecutable *loaded)
{
	ASK(LoadedExecutable_GetExecutable, .loaded_executable = loaded);
	PJRT_Executable *x = LoadedExecutable_GetExecutable_args.executable;
	struct PJRT_Program program = {.struct_size = sizeof program};
	ASK(Executable_GetCostAnalysis, .executable = x);
	ASK(Executable_GetCompiledMemoryStats, .executable = x);
	ASK(Executable_OutputElementTypes, .executable = x);
	ASK(Executable_OutputDimensions, .executable = x);
	ASK(Executable_OutputMemoryKinds, .executable = x);
	ASK(Executable_OptimizedProgram, .executable = x, .program = &program);
	query_extensions(x);
	ASK(LoadedExecutable_GetDeviceAssignment, .executable = loaded);
	LoadedExecutable_GetDeviceAssignment_args.serialized_device_assignment_deleter(
		LoadedExecutable_GetDeviceAssignment_args.serialized_device_assignment);
	ASK(Executable_Serialize, .executable = x);
	Executable_Serialize_args.serialized_executable_deleter(Executable_Serialize_args.serialized_executable);
	ASK(Executable_Destroy, .executable = x);
	ASK(LoadedExecutable_Destroy, .executable = loaded);
}

/* Return true for options that write files or name a compiler, which tests cover instead. */
static bool has_side_effects(const char *options, size_t n)
{
	static const char *const names[] = {"report", "html", "emit", "codegen", "_cc", "machine", "verbose"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (n && memmem(options, n, names[i], strlen(names[i])))
			return true;
	return false;
}

static void compile(PJRT_Client *client, const char *format, const char *options, size_t n_options, const char *code, size_t n)
{
	struct PJRT_Program program = {.struct_size = sizeof program, .code = code, .code_size = n, .format = format,
				       .format_size = strlen(format)};
	struct PJRT_Client_Compile_Args args = {.struct_size = sizeof args, .client = client, .program = &program, .compile_options = options,
						.compile_options_size = n_options};
	if (!has_side_effects(options, n_options) && !has_failed(api->Client_Compile(&args)))
		query_executable(args.executable);
}

/* Load the bytes as a serialized executable, with a valid header and checksum. */
static void load(PJRT_Client *client, char *bytes, size_t n)
{
	struct sr_pjrt_serialized head;
	struct PJRT_Executable_DeserializeAndLoad_Args args = {.struct_size = sizeof args, .client = client, .serialized_executable = bytes,
							       .serialized_executable_size = n};
	if (n >= sizeof head) {
		memcpy(&head, bytes, sizeof head);
		memcpy(head.magic, SR_PJRT_SERIALIZED_MAGIC, sizeof head.magic);
		head.version = sr_program_version();
		head.crc = sr_crc32(0, bytes + sizeof head, n - sizeof head);
		head.fingerprint[sizeof head.fingerprint - 1] = 0;
		memcpy(bytes, &head, sizeof head);
	}
	if (!has_side_effects(bytes, n) && !has_failed(api->Executable_DeserializeAndLoad(&args)))
		query_executable(args.loaded_executable);
}

void fuzz_plugin(const uint8_t *bytes, size_t n)
{
	static PJRT_Client *client;
	client = client ? client : make_client();
	size_t n_options = n < HEADER_BYTES ? 0 : (size_t)(bytes[1] | bytes[2] << 8);
	if (n < HEADER_BYTES || n_options > n - HEADER_BYTES)
		return;
	size_t n_code = n - HEADER_BYTES - n_options;
	/* two allocations, so that the sanitizer detects reads beyond either of them */
	char *options = malloc(n_options + 1), *code = malloc(n_code + 1);
	memcpy(options, bytes + HEADER_BYTES, n_options);
	memcpy(code, bytes + HEADER_BYTES + n_options, n_code);
	if (bytes[0] == FUZZ_EXECUTABLE)
		load(client, code, n_code);
	else if (bytes[0] == FUZZ_MLIR || bytes[0] == FUZZ_HLO)
		compile(client, bytes[0] == FUZZ_HLO ? "hlo" : "mlir", options, n_options, code, n_code);
	free(options);
	free(code);
}
