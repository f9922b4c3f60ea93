/* Fixtures: a context with all dialects, created for each test. */
#pragma once
#include "dialect/ops.h"

static struct sr_context *ctx;

static inline void open_context(void)
{
	ctx = sr_context_new();
	sr_dialects_register(ctx);
}

static inline void close_context(void)
{
	sr_context_free(ctx);
}
