/* Manifests of checkpoints: written, read back, and refused where they are cut off or say what cannot be. */
#pragma once
#include "exec/loop/manifest.h"

START_TEST(manifest_comes_back)
{
	struct sr_manifest_part parts[] = {{.file = 0, .start = {0, 0}, .size = {2, 3}},
					   {.file = 1, .start = {2, 0}, .size = {2, 3}}};
	struct sr_manifest_value value = {
		.name = "params['w']", .type = "tensor<4x3xf32>", .rank = 2, .shape = {4, 3}, .parts = parts, .n_parts = 2};
	struct sr_manifest_file files[] = {{"device-00000.safetensors", 96, 7}, {"device-00001.safetensors", 96, 4294967295}};
	struct sr_manifest_stream stream = {"@x_*.npy", "x_07.npy"};
	struct sr_manifest m = {37, 2, &stream, files, &value, 1, 2, 1}, read;
	struct sr_buf text, again;
	const char *why;
	sr_buf_init(&text, ctx->arena);
	sr_buf_init(&again, ctx->arena);
	sr_manifest_print(&m, &text);
	ck_assert_msg(sr_manifest_read(&read, text.data, text.n, ctx->arena, &why), "%s", why);
	sr_manifest_print(&read, &again);
	ck_assert_str_eq(sr_buf_string(&again), sr_buf_string(&text));
	for (size_t n = 0; n + 2 < text.n; n++) /* at any byte; the last one is a newline */
		ck_assert(!sr_manifest_read(&read, text.data, n, ctx->arena, &why));
}
END_TEST

#define HEAD "{\"format\": \"shardrun checkpoint 1\", \"step\": 3, \"devices\": 2, \"streams\": [], "
#define FILES "\"files\": [{\"name\": \"a\", \"bytes\": 9, \"crc32\": 1}], "
#define VALUE(parts) "\"values\": [{\"name\": \"w\", \"type\": \"t\", \"shape\": [4], \"parts\": [" parts "]}]}"

static const struct {
	const char *text, *why;
} manifests[] = {
	{"", "its manifest is cut off, or no JSON"},
	{"[]", "its manifest is of another format"},
	{"{\"format\": \"shardrun checkpoint 2\"}", "its manifest is of another format"},
	{"{\"format\": \"shardrun checkpoint 1\"}", "its manifest contradicts itself"},
	{HEAD "\"files\": [], " VALUE("{\"file\": 0, \"start\": [0], \"size\": [4]}"), "its manifest contradicts itself"},
	{HEAD "\"files\": [{\"name\": \"../a\", \"bytes\": 9, \"crc32\": 1}], \"values\": []}",
	 "its manifest contradicts itself"},
	{HEAD FILES VALUE("{\"file\": 0, \"start\": [0], \"size\": [3]}"), "its manifest contradicts itself"},
	{HEAD FILES VALUE("{\"file\": 0, \"start\": [1], \"size\": [4]}"), "its manifest contradicts itself"},
	{HEAD FILES VALUE("{\"file\": 0, \"start\": [9223372036854775807], \"size\": [4]}"), "its manifest contradicts itself"},
	{HEAD FILES VALUE("{\"file\": 0, \"start\": [0, 0], \"size\": [4, 1]}"), "its manifest contradicts itself"},
	{HEAD FILES VALUE("{\"file\": -1, \"start\": [0], \"size\": [4]}"), "its manifest contradicts itself"},
	{HEAD FILES VALUE("{\"file\": 0.5, \"start\": [0], \"size\": [4]}"), "its manifest contradicts itself"},
};

START_TEST(manifest_is_refused)
{
	struct sr_manifest m;
	const char *why;
	ck_assert(!sr_manifest_read(&m, manifests[_i].text, strlen(manifests[_i].text), ctx->arena, &why));
	ck_assert_str_eq(why, manifests[_i].why);
}
END_TEST
