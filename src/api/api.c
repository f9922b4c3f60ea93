/* Handle out-of-memory and error messages for all public handles, and copy structs that begin with their size. */
#include "api/api.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char sr_api_no_memory[] = "error: out of memory\n";

enum sr_status sr_api_guarded(struct sr_context *ctx, enum sr_status (*body)(void *data), void *data)
{
	return sr_arena_guarded(ctx->arena, body, data);
}

struct error_report {
	struct sr_diags *diags;
	const char *format;
	va_list args;
};

static enum sr_status report(void *data)
{
	struct error_report *r = data;
	sr_vreport(r->diags, SR_ERROR, (struct sr_src_loc){0}, r->format, r->args);
	return SR_USAGE;
}

enum sr_status sr_api_error(struct sr_context *ctx, const char *format, ...)
{
	struct error_report r = {.diags = &ctx->diags, .format = format};
	va_start(r.args, format);
	enum sr_status status = sr_api_guarded(ctx, report, &r);
	va_end(r.args);
	return status;
}

struct copy {
	struct sr_context *ctx;
	const char *from;
	const char *to;
};

static enum sr_status copy(void *data)
{
	struct copy *c = data;
	c->to = sr_strdup(c->ctx->arena, c->from);
	return SR_OK;
}

const char *sr_api_message(struct sr_context *ctx, enum sr_status status)
{
	char *text = NULL;
	size_t n = 0;
	if (!ctx->diags.first)
		return status == SR_NO_MEMORY ? sr_api_no_memory : "";
	FILE *out = open_memstream(&text, &n);
	struct copy c = {ctx, NULL, NULL};
	if (out) {
		sr_diags_print(&ctx->diags, out);
		if (!fclose(out))
			c.from = text;
	}
	sr_diags_clear(&ctx->diags);
	if (!c.from || !*c.from)
		c.to = status == SR_NO_MEMORY || (status && !c.from) ? sr_api_no_memory : "";
	else if (sr_api_guarded(ctx, copy, &c))
		c.to = sr_api_no_memory;
	free(text);
	return c.to;
}

bool sr_api_options(void *internal, size_t size, const void *callers)
{
	size_t n;
	if (!callers)
		return true;
	memcpy(&n, callers, sizeof n);
	for (size_t i = size; i < n; i++)
		if (((const char *)callers)[i])
			return false;
	memcpy(internal, callers, n < size ? n : size);
	return true;
}

void sr_api_copy_out(const void *internal, size_t size, void *callers)
{
	size_t n;
	memcpy(&n, callers, sizeof n);
	n = n < size ? n : size;
	if (n > sizeof n)
		memcpy((char *)callers + sizeof n, (const char *)internal + sizeof n, n - sizeof n);
}
