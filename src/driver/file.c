/* Reading a whole program, and telling what it is. */
#include "driver/driver.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum sr_status sr_read_file(struct sr_context *ctx, const char *path, const char **text, size_t *n)
{
	bool standard = !strcmp(path, "-");
	struct sr_place place = {.file = path};
	FILE *in = standard ? stdin : fopen(path, "rb");
	struct sr_buf buf;
	struct stat st;
	if (!in)
		return sr_error(&ctx->diags, SR_USAGE, place, "cannot be opened: %s", strerror(errno));
	sr_buf_init(&buf, ctx->arena);
	if (!standard && !fstat(fileno(in), &st) && S_ISREG(st.st_mode)) { /* one allocation of the right size */
		buf.cap = (size_t)st.st_size + 1;
		buf.data = sr_alloc(ctx->arena, buf.cap, 1);
	}
	for (;;) {
		char block[65536];
		size_t room = buf.cap - buf.n, got;
		char *to = room > sizeof block ? buf.data + buf.n : block;
		got = fread(to, 1, room > sizeof block ? room - 1 : sizeof block, in);
		if (!got)
			break;
		if (to == block)
			sr_buf_put(&buf, block, got);
		else
			buf.n += got;
	}
	int failed = ferror(in) ? errno : 0;
	if (!standard)
		fclose(in);
	if (failed)
		return sr_error(&ctx->diags, SR_USAGE, place, "cannot be read: %s", strerror(failed));
	*text = sr_buf_string(&buf);
	*n = buf.n;
	return SR_OK;
}

static bool starts(const char *text, size_t n, const char *with)
{
	size_t m = strlen(with);
	return n >= m && !memcmp(text, with, m);
}

enum sr_status sr_check_format(struct sr_context *ctx, const char *file, const char *text, size_t n)
{
	struct sr_place place = {.file = file};
	if (starts(text, n, "ML\xefR"))
		return SR_OK; /* bytecode */
	if (memchr(text, 0, n))
		return sr_error(&ctx->diags, SR_INVALID, place, "is not text: it holds NUL bytes");
	return SR_OK;
}
