/* Initial inputs that are no files of the tests: archives, tables, compiled programs.
 * 	seeds FOLDER MODEL...       writes FOLDER/{npz,safetensors,program}/NUMBER */
#include "driver/driver.h"
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

/* Write the compiled program of a model, if it has one. */
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
		if (!sr_read_file(ctx, model, 0, &text, &n) && !sr_compile(ctx, model, text, n, &options, &compiled))
			write_seed(ctx->arena, folder, "program", number, compiled.program, compiled.program->bytes);
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
