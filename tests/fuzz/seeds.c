/* Initial inputs that are no files of the tests: archives, tables, compiled programs, modules with options for the plugin.
 * 	seeds FOLDER MODEL...       writes FOLDER/{npz,safetensors,program,plugin}/NUMBER */
#include "driver/driver.h"
#include "pjrt/pjrt_abi.h"
#include "support/proto.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/io_files.h"
#include <stdio.h>
#include <stdlib.h>

static void write_seed(struct sr_arena *arena, const char *folder, const char *target, int number, const void *bytes, size_t n)
{
	const char *path = sr_printf(arena, "%s/%s/%d", folder, target, number);
	FILE *out = fopen(path, "wb");
	if (!out || fwrite(bytes, 1, n, out) != n || fclose(out)) {
		perror(path);
		exit(1);
	}
}

static void write_files(struct sr_arena *arena, const char *folder)
{
	static const struct zip zips[] = {{0}, {.zip64 = true}, {.method = 8}, {.flags = 1}, {.wrong_crc = true}, {.same_names = true}};
	for (int i = 0; i < (int)(sizeof zips / sizeof *zips); i++) {
		struct sr_buf zip;
		sr_buf_init(&zip, arena);
		put_zip(&zip, zips[i]);
		write_seed(arena, folder, "npz", i, zip.data, zip.n);
	}
	static const char *const tables[] = {
	    "{}",
	    ("{\"__metadata__\":{\"format\":\"pt\"},\"a\":{\"dtype\":\"BF16\",\"shape\":[2,3],\"data_offsets\":[0,12]},"
	     "\"b\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[12,16]},\"c\":{\"dtype\":\"BOOL\",\"shape\":[0,4],\"data_"
	     "offsets\":[16,16]}}   "),
	    "{\"\\u00e9\\n\":{\"shape\":[3],\"data_offsets\":[0,24],\"dtype\":\"C64\"}}"};
	static const int data[] = {0, 16, 24};
	for (int i = 0; i < (int)(sizeof tables / sizeof *tables); i++) {
		struct sr_buf file;
		sr_buf_init(&file, arena);
		put_safetensors(&file, tables[i], data[i]);
		write_seed(arena, folder, "safetensors", i, file.data, file.n);
	}
}

/* Return compile options for n partitions on devices 0 to n - 1. Fields: 3 build options (4 replicas, 5 partitions, 9 device
 * assignment: 1 replicas, 2 partitions, 3 for each partition a message with its devices, 1), 7 an option with a name, 1, and a
 * value, 2 (1: a string). */
static struct sr_buf serialize_options(struct sr_arena *arena, int n)
{
	static const char name[] = "shardrun_overlap", value[] = "on";
	struct sr_buf options, build, assignment, device, option, setting;
	struct sr_buf *all[] = {&options, &build, &assignment, &device, &option, &setting};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		sr_buf_init(all[i], arena);
	sr_proto_put_int(&assignment, 1, 1);
	sr_proto_put_int(&assignment, 2, n);
	for (int64_t i = 0; i < n; i++) {
		sr_buf_init(&device, arena);
		sr_proto_put_integers(&device, 1, &i, 1);
		sr_proto_put_bytes(&assignment, 3, device.data, device.n);
	}
	sr_proto_put_int(&build, 4, 1);
	sr_proto_put_int(&build, 5, n);
	sr_proto_put_bytes(&build, 9, assignment.data, assignment.n);
	sr_proto_put_bytes(&options, 3, build.data, build.n);
	sr_proto_put_bytes(&setting, 1, value, sizeof value - 1);
	sr_proto_put_bytes(&option, 1, name, sizeof name - 1);
	sr_proto_put_bytes(&option, 2, setting.data, setting.n);
	sr_proto_put_bytes(&options, 7, option.data, option.n);
	return options;
}

/* Write options and a program for the plugin, as fuzz.h describes them. */
static void write_plugin_input(struct sr_arena *arena, const char *folder, int number, char kind, const struct sr_buf *options,
			       const void *program, size_t n)
{
	struct sr_buf out;
	sr_buf_init(&out, arena);
	sr_buf_putc(&out, kind);
	sr_buf_putc(&out, (char)(options->n & 255));
	sr_buf_putc(&out, (char)(options->n >> 8));
	sr_buf_put(&out, options->data, options->n);
	sr_buf_put(&out, program, n);
	write_seed(arena, folder, "plugin", number, out.data, out.n);
}

/* Write the executable that the plugin makes of a module. */
static void write_executable(struct sr_arena *arena, const char *folder, int number, const struct sr_buf *options,
			     const char *text, size_t n)
{
	static PJRT_Client *client;
	const struct PJRT_Api *api = GetPjrtApi();
	const struct PJRT_NamedValue devices = {.name = "devices", .name_size = 7, .type = PJRT_INT64,
						.value.int64_value = FUZZ_DEVICES, .value_size = 1};
	struct PJRT_Client_Create_Args create_args = {.struct_size = sizeof create_args, .create_options = &devices, .num_options = 1};
	if (!client && api->Client_Create(&create_args))
		exit(1);
	client = client ? client : create_args.client;
	struct PJRT_Program program = {.struct_size = sizeof program, .code = text, .code_size = n, .format = "mlir", .format_size = 4};
	struct PJRT_Client_Compile_Args compile_args = {.struct_size = sizeof compile_args, .client = client, .program = &program,
						   .compile_options = options->data, .compile_options_size = options->n};
	struct PJRT_Error_Destroy_Args error_args = {.struct_size = sizeof error_args, .error = api->Client_Compile(&compile_args)};
	if (error_args.error) {
		api->Error_Destroy(&error_args);
		return;
	}
	struct PJRT_LoadedExecutable_GetExecutable_Args get = {.struct_size = sizeof get, .loaded_executable = compile_args.executable};
	(void)api->LoadedExecutable_GetExecutable(&get);
	struct PJRT_Executable_Serialize_Args serialize_args = {.struct_size = sizeof serialize_args, .executable = get.executable};
	if (!api->Executable_Serialize(&serialize_args)) {
		write_plugin_input(arena, folder, -number, FUZZ_EXECUTABLE, &(struct sr_buf){0}, serialize_args.serialized_bytes,
				   serialize_args.serialized_bytes_size);
		serialize_args.serialized_executable_deleter(serialize_args.serialized_executable);
	}
	(void)api->Executable_Destroy(&(struct PJRT_Executable_Destroy_Args){.struct_size = sizeof(struct PJRT_Executable_Destroy_Args),
									     .executable = get.executable});
	(void)api->LoadedExecutable_Destroy(&(struct PJRT_LoadedExecutable_Destroy_Args){
	    .struct_size = sizeof(struct PJRT_LoadedExecutable_Destroy_Args), .executable = compile_args.executable});
}

enum { MAX_PLUGIN_DEVICES = 1024 };

/* Write the compiled program of a model, if it has one, and the model with options for the plugin, which list all devices, if there
 * are not too many for it. */
static void write_program(const char *folder, const char *model, int number)
{
	jmp_buf unwind;
	struct sr_context *ctx = sr_context_new();
	struct sr_compile_options options = {.interpret = number & 1};
	struct sr_compiled compiled;
	const char *text;
	size_t n;
	if (!setjmp(unwind)) {
		sr_arena_guard(ctx->arena, &unwind);
		sr_dialects_register(ctx);
		if (!sr_read_file(ctx, model, 0, &text, &n) && !sr_compile(ctx, model, text, n, &options, &compiled)) {
			write_seed(ctx->arena, folder, "program", number, compiled.program, compiled.program->bytes);
			if (compiled.program->n_devices <= MAX_PLUGIN_DEVICES) {
				struct sr_buf plugin_options = serialize_options(ctx->arena, compiled.program->n_devices);
				write_plugin_input(ctx->arena, folder, number, FUZZ_MLIR, &plugin_options, text, n);
				write_executable(ctx->arena, folder, number, &plugin_options, text, n);
			}
		}
	}
	sr_context_free(ctx);
}

int main(int argc, char **argv)
{
	struct sr_arena *arena = sr_arena_new();
	if (argc < 2 || !arena)
		return 2;
	write_files(arena, argv[1]);
	for (int i = 2; i < argc; i++)
		write_program(argv[1], argv[i], i);
	sr_arena_free(arena);
	return 0;
}
