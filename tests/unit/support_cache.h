/* The cache's folder: permissions, lookups, eviction. Part of support.c. */
#pragma once
#include "support/cache.h"
#include "tests/unit/scratch.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sr_digest digest_of_text(const char *text)
{
	struct sr_sha256 h;
	sr_sha256_begin(&h);
	sr_sha256_add(&h, text, strlen(text));
	return sr_sha256_end(&h);
}

static const char *digest_digits(const struct sr_digest *d)
{
	static char text[65];
	for (int i = 0; i < 32; i++)
		snprintf(text + 2 * i, 3, "%02x", d->bytes[i]);
	return text;
}

/* Compare SHA-256 digests with those of NIST's examples, and hash one text in chunks of several sizes. */
START_TEST(digests_are_the_standards)
{
	struct sr_digest d = digest_of_text("");
	ck_assert_str_eq(digest_digits(&d), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	d = digest_of_text("abc");
	ck_assert_str_eq(digest_digits(&d), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	d = digest_of_text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq");
	ck_assert_str_eq(digest_digits(&d), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	char text[300];
	memset(text, 'x', 299);
	text[299] = '\0';
	struct sr_digest expected = digest_of_text(text);
	for (size_t chunk_bytes = 1; chunk_bytes < 299; chunk_bytes += 13) {
		struct sr_sha256 h;
		sr_sha256_begin(&h);
		for (size_t at = 0; at < 299; at += chunk_bytes)
			sr_sha256_add(&h, text + at, at + chunk_bytes < 299 ? chunk_bytes : 299 - at);
		d = sr_sha256_end(&h);
		ck_assert_mem_eq(&d, &expected, sizeof d);
	}
}
END_TEST

static char cache_dir[SCRATCH_PATH];

static struct sr_cache open_cache(int64_t limit)
{
	struct sr_cache cache;
	make_scratch_folder(cache_dir);
	sr_cache_open(&cache, sr_printf(arena, "%s/a/b", cache_dir), limit, arena);
	return cache;
}

static void remove_cache(void)
{
	ck_assert_int_eq(system(sr_printf(arena, "rm -r '%s'", cache_dir)), 0);
}

/* Return the number of files in the cache's folder; *path: path of one of them. */
static int count_files(const struct sr_cache *cache, const char **path)
{
	DIR *dir = opendir(cache->folder);
	int n = 0;
	for (const struct dirent *e = NULL; (e = readdir(dir));)
		if (*e->d_name != '.') {
			*path = sr_printf(arena, "%s/%s", cache->folder, e->d_name);
			n++;
		}
	closedir(dir);
	return n;
}

static bool has(const struct sr_cache *cache, const char *key, const char *expected)
{
	struct sr_digest d = digest_of_text(key);
	const char *data;
	uint64_t n;
	bool is_found = sr_cache_get(cache, "kind", &d, arena, &data, &n);
	if (is_found)
		ck_assert(n == strlen(expected) && !memcmp(data, expected, n));
	return is_found;
}

static void put_entry(const struct sr_cache *cache, const char *key, const char *data, size_t n)
{
	struct sr_digest d = digest_of_text(key);
	sr_cache_put(cache, "kind", &d, arena, data, n);
}

START_TEST(cache_returns_stored_entries)
{
	struct sr_cache cache = open_cache(0), off, unusable_cache;
	struct sr_digest d = digest_of_text("a key");
	const char *data;
	uint64_t n;
	ck_assert(!has(&cache, "a key", ""));
	put_entry(&cache, "a key", "object", 6);
	ck_assert(has(&cache, "a key", "object"));
	ck_assert(!has(&cache, "another key", ""));
	ck_assert(!sr_cache_get(&cache, "other", &d, arena, &data, &n));
	ck_assert_int_eq(chmod(cache.folder, 0777), 0); // a folder that others can write is not used
	ck_assert(!has(&cache, "a key", ""));
	sr_cache_open(&unusable_cache, cache.folder, 0, arena);
	ck_assert(!unusable_cache.folder && strstr(unusable_cache.unused_reason, "is not a folder that only this user can write"));
	ck_assert_int_eq(chmod(cache.folder, 0700), 0);
	sr_cache_open(&unusable_cache, "/proc/cache", 0, arena); // a folder in which not even the superuser can create files
	ck_assert(!unusable_cache.folder && strstr(unusable_cache.unused_reason, "cannot be created"));
	sr_cache_open(&off, "off", 0, arena);
	ck_assert(!off.folder && !off.unused_reason);
	put_entry(&off, "a key", "object", 6);
	ck_assert(!has(&off, "a key", ""));
	remove_cache();
}
END_TEST

/* An entry that is truncated or changed at any byte is ignored and written again. */
START_TEST(corrupted_entry_is_a_miss)
{
	struct sr_cache cache = open_cache(0);
	const char *path = NULL;
	char intact_entry[256], damaged_entry[256];
	put_entry(&cache, "k", "some data", 9);
	ck_assert_int_eq(count_files(&cache, &path), 1);
	FILE *in = fopen(path, "rb");
	size_t n = fread(intact_entry, 1, sizeof intact_entry, in);
	fclose(in);
	for (size_t i = 0; i < 2 * n; i++) {
		memcpy(damaged_entry, intact_entry, n);
		damaged_entry[i / 2] ^= i % 2 ? 0 : 4;
		FILE *out = fopen(path, "wb");
		fwrite(damaged_entry, 1, i % 2 ? i / 2 : n, out);
		fclose(out);
		bool is_unchecked = i / 2 >= 52 && i / 2 < 56 &&
				    i % 2 == 0; // these bytes of the header are not checked, so changing them damages nothing
		ck_assert_msg(has(&cache, "k", "some data") == is_unchecked, "%zu", i);
	}
	put_entry(&cache, "k", "some data", 9);
	ck_assert(has(&cache, "k", "some data"));
	remove_cache();
}
END_TEST

START_TEST(a_cache_is_bounded)
{
	struct sr_cache cache = open_cache(10000);
	char data[2501] = {0}, name[2] = "a";
	const char *path;
	memset(data, 'd', 2000);
	for (*name = 'a'; *name < 'g'; (*name)++) {
		put_entry(&cache, name, data, 2000);
		ck_assert(has(&cache, "a", data)); // the entry was used recently, so it is not evicted
		usleep(20000);
	}
	ck_assert_int_eq(count_files(&cache, &path), 4);
	ck_assert(has(&cache, "f", data) && has(&cache, "a", data) && !has(&cache, "b", ""));
	memset(data, 'd', 2500 + 1);
	put_entry(&cache, "large", data, 2501); // an entry that is larger than the limit of the cache
	ck_assert(!has(&cache, "large", ""));
	path = sr_printf(arena, "%s/%s.kind.abcdef", cache.folder, digest_digits(&(struct sr_digest){{1}}));
	fclose(fopen(path, "w")); // a temporary file, as a killed writer leaves it
	put_entry(&cache, "g", data, 10);
	ck_assert_int_eq(access(path, F_OK), 0);
	ck_assert_int_eq(system(sr_printf(arena, "touch -d '2 hours ago' %s", path)), 0);
	put_entry(&cache, "h", data, 10);
	ck_assert_int_ne(access(path, F_OK), 0);
	remove_cache();
}
END_TEST

/* Processes that write and read the same entries concurrently see complete ones only. */
START_TEST(processes_write_concurrently)
{
	enum { WRITERS = 4, ROUNDS = 100 };
	struct sr_cache cache = open_cache(0);
	const char *path;
	char data[4001] = {0};
	memset(data, 'x', 4000);
	for (int w = 0; w < WRITERS; w++)
		if (!fork()) {
			struct sr_arena *process_arena = arena = sr_arena_new();
			for (int i = 0; i < ROUNDS; i++) {
				struct sr_digest d = digest_of_text(i % 2 ? "one" : "two");
				const char *found_data;
				uint64_t n;
				sr_cache_put(&cache, "kind", &d, process_arena, data, 4000);
				if (sr_cache_get(&cache, "kind", &d, process_arena, &found_data, &n) && (n != 4000 || memcmp(found_data, data, n) != 0))
					_exit(1);
			}
			_exit(0);
		}
	for (int w = 0; w < WRITERS; w++) {
		int status;
		wait(&status);
		ck_assert_int_eq(status, 0);
	}
	ck_assert_int_eq(count_files(&cache, &path), 2);
	ck_assert(has(&cache, "one", data) && has(&cache, "two", data));
	remove_cache();
}
END_TEST
