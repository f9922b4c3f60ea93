// A context that knows every dialect, new for each test: fixtures for the suites of rooms that work on modules.
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
