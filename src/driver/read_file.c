/* Read a file into memory. */
#include "driver/driver.h"
#include "support/knobs/suggest.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Return the default size limit in bytes, which leaves space for copies of a growing buffer. */
static int64_t default_limit(void)
{
	const int64_t max_bytes = (int64_t)16 << 30;
	long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
	return pages > 0 && bytes > 0 && pages / 4 < max_bytes / bytes ? pages / 4 * bytes : max_bytes;
}

static bool is_owner_writable_only(FILE *in)
{
	struct stat st;
	return !fstat(fileno(in), &st) && S_ISREG(st.st_mode) && (st.st_uid == geteuid() || st.st_uid == 0) &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

enum sr_status sr_read_file(struct sr_context *ctx, const char *path, int64_t max_bytes, const char **text, size_t *n)
{
	bool own;
	return sr_read_own_file(ctx, path, max_bytes, text, n, &own);
}

enum sr_status sr_read_own_file(struct sr_context *ctx, const char *path, int64_t max_bytes, const char **text, size_t *n,
				bool *own)
{
	bool is_stdin = !strcmp(path, "-");
	struct sr_src_loc location = {.file = path};
	FILE *in = is_stdin ? stdin : fopen(path, "rb");
	struct sr_buf buf;
	struct stat st;
	if (!in) {
		int why = errno;
		const char *suggestion = why == ENOENT ? sr_suggest_file(ctx->arena, path) : NULL;
		return sr_error(&ctx->diags, SR_USAGE, location, "cannot be opened: %s%s", strerror(why),
				sr_suggest_message(ctx->arena, suggestion));
	}
	*own = is_owner_writable_only(in);
	if (is_stdin && ctx->standard_input.text) { /* it can be read once only */
		*text = ctx->standard_input.text;
		*n = ctx->standard_input.n;
		return SR_OK;
	}
	sr_buf_init(&buf, ctx->arena);
	max_bytes = max_bytes ? max_bytes : default_limit();
	bool is_size_known = !is_stdin && !fstat(fileno(in), &st) && S_ISREG(st.st_mode),
	     is_large = is_size_known && st.st_size > max_bytes;
	if (is_size_known && !is_large) { /* allocate a buffer of the file's size at once */
		buf.cap = (size_t)st.st_size + 1;
		buf.data = sr_alloc(ctx->arena, buf.cap, 1);
	}
	while (!is_large && (int64_t)buf.n <= max_bytes) {
		char block[65536];
		size_t space = buf.cap - buf.n, got;
		char *to = space > sizeof block ? buf.data + buf.n : block;
		got = fread(to, 1, space > sizeof block ? space - 1 : sizeof block, in);
		if (!got)
			break;
		if (to == block)
			sr_buf_put(&buf, block, got);
		else
			buf.n += got;
	}
	int read_error = ferror(in) ? errno : 0;
	if (!is_stdin)
		fclose(in);
	if (read_error)
		return sr_error(&ctx->diags, SR_USAGE, location, "cannot be read: %s", strerror(read_error));
	if (is_large || (int64_t)buf.n > max_bytes)
		return sr_error(&ctx->diags, SR_USAGE, location,
				"has more than %lld bytes; raise the limit with --max-model-bytes=SIZE", (long long)max_bytes);
	*text = sr_buf_string(&buf);
	*n = buf.n;
	if (is_stdin) {
		ctx->standard_input.text = *text;
		ctx->standard_input.n = *n;
	}
	return SR_OK;
}
