/* Manifests of checkpoints: write and read them, and reject truncated or contradictory ones. The order of checkpoints. */
#pragma once
#include "exec/loop/checkpoint.h"
#include "exec/loop/manifest.h"
#include "io/folder.h"
#include "support/crc32.h"
#include "tests/unit/scratch.h"

START_TEST(manifest_comes_back)
{
	struct sr_manifest_shard shards[] = {{.file = 0, .start = {0, 0}, .size = {2, 3}},
					   {.file = 1, .start = {2, 0}, .size = {2, 3}}};
	struct sr_manifest_value value = {
		.name = "params['w']", .type = "tensor<4x3xf32>", .rank = 2, .shape = {4, 3}, .shards = shards, .n_shards = 2};
	struct sr_manifest_file files[] = {{"device-00000.safetensors", 96, 7}, {"device-00001.safetensors", 96, 4294967295}};
	struct sr_manifest_stream stream = {"@x_*.npy", "x_07.npy"};
	struct sr_manifest m = {37, 2, &stream, files, &value, 1, 2, 1}, read;
	struct sr_buf text, reprinted;
	const char *why;
	sr_buf_init(&text, ctx->arena);
	sr_buf_init(&reprinted, ctx->arena);
	sr_manifest_print(&m, &text);
	ck_assert_msg(sr_manifest_read(&read, text.data, text.n, ctx->arena, &why), "%s", why);
	sr_manifest_print(&read, &reprinted);
	ck_assert_str_eq(sr_buf_string(&reprinted), sr_buf_string(&text));
	for (size_t n = 0; n + 2 < text.n; n++) /* truncate at each byte; the last byte is a newline */
		ck_assert(!sr_manifest_read(&read, text.data, n, ctx->arena, &why));
}
END_TEST

/* A manifest with any byte replaced is refused. */
START_TEST(manifest_is_damaged)
{
	struct sr_manifest_shard shards[] = {{.file = 0, .start = {0}, .size = {2}}, {.file = 1, .start = {2}, .size = {2}}};
	struct sr_manifest_value value = {.name = "w", .type = "tensor<4xf32>", .rank = 1, .shape = {4}, .shards = shards,
	    .n_shards = 2};
	struct sr_manifest_file files[] = {{"a", 96, 7}, {"b", 96, 4294967295}};
	struct sr_manifest m = {37, 2, NULL, files, &value, 0, 2, 1}, read;
	struct sr_buf text;
	const char *why;
	sr_buf_init(&text, ctx->arena);
	sr_manifest_print(&m, &text);
	for (size_t i = 0; i < text.n; i++)
		if (text.data[i] >= '0' && text.data[i] <= '9') {
			text.data[i] ^= 1;
			ck_assert_msg(!sr_manifest_read(&read, text.data, text.n, ctx->arena, &why), "byte %zu", i);
			text.data[i] ^= 1;
		}
	ck_assert(sr_manifest_read(&read, text.data, text.n, ctx->arena, &why));
}
END_TEST

#define MANIFEST_HEAD "{\"format\": \"shardrun checkpoint 2\", \"step\": 3, \"devices\": 2, \"streams\": [], "
#define MANIFEST_FILES "\"files\": [{\"name\": \"a\", \"bytes\": 9, \"crc32\": 1}], "
#define MANIFEST_VALUE(shape, shards) "\"values\": [{\"name\": \"w\", \"type\": \"t\", \"shape\": [" shape "], \"shards\": [" shards "]}]"
#define VALUE_OF_4(shards) MANIFEST_VALUE("4", shards)
#define MANIFEST_SHARD(start, size) "{\"file\": 0, \"start\": [" start "], \"size\": [" size "]}"
#define INCONSISTENT "its manifest is inconsistent"
#define OVERLAP "the shards of 'w' overlap in its manifest"
#define GAP "the shards of 'w' leave a gap in its manifest"

static const struct {
	const char *text; /* the manifest, or the text before its checksum */
	const char *why;  /* text in the error message; NULL: the manifest is valid */
} manifests[] = {
	{"", "its manifest is truncated or not JSON"},
	{"[]", "its manifest has a different format"},
	{"{\"format\": \"shardrun checkpoint 1\"}", "its manifest has a different format"},
	{"{\"format\": \"shardrun checkpoint 2\"}", "its manifest is damaged: wrong checksum"},
	{"{\"format\": \"shardrun checkpoint 2\"", INCONSISTENT},
	{MANIFEST_HEAD "\"files\": [], " VALUE_OF_4(MANIFEST_SHARD("0", "4")), INCONSISTENT},
	{MANIFEST_HEAD "\"files\": [{\"name\": \"../a\", \"bytes\": 9, \"crc32\": 1}], \"values\": []", INCONSISTENT},
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4(MANIFEST_SHARD("0", "4")), NULL},
	{MANIFEST_HEAD MANIFEST_FILES MANIFEST_VALUE("", "{\"file\": 0, \"start\": [], \"size\": []}"), NULL},
	{MANIFEST_HEAD MANIFEST_FILES MANIFEST_VALUE("0, 4", ""), NULL},
	{MANIFEST_HEAD MANIFEST_FILES MANIFEST_VALUE("3, 4", MANIFEST_SHARD("2, 0", "1, 4") ", " MANIFEST_SHARD("0, 1", "2, 3") ", " MANIFEST_SHARD("0, 0", "2, 1")), NULL},
	{MANIFEST_HEAD MANIFEST_FILES MANIFEST_VALUE("3, 4", MANIFEST_SHARD("2, 0", "1, 4") ", " MANIFEST_SHARD("0, 2", "2, 2") ", " MANIFEST_SHARD("0, 0", "2, 1")), GAP},
	{MANIFEST_HEAD MANIFEST_FILES MANIFEST_VALUE("3, 4", MANIFEST_SHARD("2, 0", "1, 4") ", " MANIFEST_SHARD("0, 0", "2, 3") ", " MANIFEST_SHARD("0, 2", "2, 2")), OVERLAP},
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4(""), GAP},
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4(MANIFEST_SHARD("0", "3")), GAP},
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4(MANIFEST_SHARD("1", "3")), GAP},
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4(MANIFEST_SHARD("0", "1") ", " MANIFEST_SHARD("2", "2")), GAP},
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4(MANIFEST_SHARD("0", "2") ", " MANIFEST_SHARD("1", "3")), OVERLAP},
	/* the slices overlap although they have the right number of elements */
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4(MANIFEST_SHARD("0", "2") ", " MANIFEST_SHARD("1", "2")), OVERLAP},
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4(MANIFEST_SHARD("0", "4") ", " MANIFEST_SHARD("0", "4")), OVERLAP},
	{MANIFEST_HEAD MANIFEST_FILES MANIFEST_VALUE("", "{\"file\": 0, \"start\": [], \"size\": []}, {\"file\": 0, \"start\": [], \"size\": []}"), OVERLAP},
	{MANIFEST_HEAD MANIFEST_FILES MANIFEST_VALUE("0, 4", MANIFEST_SHARD("0, 0", "0, 4")), INCONSISTENT},
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4(MANIFEST_SHARD("1", "4")), INCONSISTENT},
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4(MANIFEST_SHARD("9223372036854775807", "4")), INCONSISTENT},
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4(MANIFEST_SHARD("0, 0", "4, 1")), INCONSISTENT},
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4("{\"file\": -1, \"start\": [0], \"size\": [4]}"), INCONSISTENT},
	{MANIFEST_HEAD MANIFEST_FILES VALUE_OF_4("{\"file\": 0.5, \"start\": [0], \"size\": [4]}"), INCONSISTENT},
};

START_TEST(manifest_is_refused)
{
	struct sr_manifest m;
	const char *why, *text = manifests[_i].text;
	size_t n = strlen(text);
	if (n && text[n - 1] != '}' && strcmp(text, "[]"))
		text = sr_printf(ctx->arena, "%s, \"crc32\": %u}", text, sr_crc32(0, text, n));
	bool is_read = sr_manifest_read(&m, text, strlen(text), ctx->arena, &why);
	ck_assert(is_read == !manifests[_i].why);
	if (!is_read)
		ck_assert_str_eq(why, manifests[_i].why);
}
END_TEST

/* Checkpoints are in the order of their steps, also if these have more than the eight digits that names are padded to. Other names,
 * of unfinished and broken checkpoints and of numbers above 64 bits, are left out. */
START_TEST(checkpoints_are_in_the_order_of_steps)
{
	static const char *const names[] = {"step-100000000", "step-00000003", "step-99999999", "step-00000009.part",
					    "step-00000009.broken", "step-99999999999999999999", "step-", "other"};
	char folder[SCRATCH_PATH];
	make_scratch_folder(folder);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ck_assert_int_eq(sr_folder_make(&ctx->diags, sr_printf(ctx->arena, "%s/%s", folder, names[i])), SR_OK);
	const char **found;
	int64_t n;
	ck_assert_int_eq(sr_checkpoint_list(&ctx->diags, ctx->arena, folder, &found, &n), SR_OK);
	ck_assert_int_eq(n, 3);
	ck_assert_str_eq(found[0], "step-00000003");
	ck_assert_str_eq(found[1], "step-99999999");
	ck_assert_str_eq(found[2], "step-100000000");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		sr_folder_remove(sr_printf(ctx->arena, "%s/%s", folder, names[i]));
	sr_folder_remove(folder);
}
END_TEST
