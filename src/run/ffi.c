/* Loading of custom-call kernels and their calls. Before the first call, each handler is asked for the FFI version that it was
 * built with, as XLA does. */
#include "run/ffi.h"
#include "run/ffi_api.h"
#include "support/checked.h"
#include "support/float_mode.h"
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct sr_ffi_kernel {
	const char *name; /* target name of the custom call */
	void *library;
	sr_ffi_handler *handler;
};

struct sr_ffi_call {
	sr_ffi_handler *handler;
	struct sr_ffi_context context;
	struct sr_ffi_frame frame;
	struct sr_ffi_buffer *buffers; /* inputs, then results; length: n */
	int n, n_inputs;
	/* for each result: 1 + index of the input that is copied to it before the call (aliasing); 0: none */
	const int64_t *aliased_input;
	size_t *bytes;                 /* size in bytes of each buffer; length: n */
	enum sr_dtype *types;          /* element type of each buffer; length: n */
	char failure[300];
};

/* ---- libraries ---- */

enum sr_status sr_ffi_name(const char *text, const char **name, struct sr_arena *arena, struct sr_diags *diags)
{
	const char *equals_sign = strchr(text, '=');
	if (!equals_sign || equals_sign == text || !equals_sign[1])
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "--ffi=%s: expected NAME=LIBRARY.so:SYMBOL", text);
	*name = sr_strndup(arena, text, (size_t)(equals_sign - text));
	return SR_OK;
}

bool sr_ffi_check(sr_ffi_handler *handler, char *why, size_t capacity)
{
	struct sr_ffi_metadata metadata = {.size = sizeof metadata, .version = {.size = sizeof metadata.version}};
	struct sr_ffi_metadata_extension extension = {{sizeof extension, SR_FFI_METADATA, NULL}, &metadata};
	struct sr_ffi_context context = {0};
	struct sr_ffi_frame frame = {.size = SR_FFI_FRAME_BYTES,
				     .extensions = &extension.base,
				     .api = &sr_ffi_api,
				     .context = &context,
				     .stage = SR_FFI_EXECUTE,
				     .arguments.size = sizeof frame.arguments,
				     .results.size = sizeof frame.results,
				     .attrs.size = sizeof frame.attrs};
	struct sr_ffi_error *error = handler(&frame);
	char text[256];
	if (!sr_ffi_wait(error, frame.future, text, sizeof text)) {
		snprintf(why, capacity, "the kernel does not report its FFI version: %s", text);
		return false;
	}
	if (metadata.version.major == SR_FFI_MAJOR)
		return true;
	snprintf(why, capacity, "the kernel was built for version %" PRId32 ".%" PRId32 " of the interface, which is %d.%d here",
		 metadata.version.major, metadata.version.minor, SR_FFI_MAJOR, SR_FFI_MINOR);
	return false;
}

/* Check that a handler was built with a supported version of the interface. */
static enum sr_status check_version(const struct sr_ffi_kernel *k, const char *text, struct sr_diags *diags)
{
	char why[320];
	if (sr_ffi_check(k->handler, why, sizeof why))
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "--ffi=%s: %s", text, why);
}

static enum sr_status load_kernel(struct sr_ffi_kernel *k, const char *text, struct sr_arena *arena, struct sr_diags *diags)
{
	enum sr_status status = sr_ffi_name(text, &k->name, arena, diags);
	if (status)
		return status;
	const char *path = text + strlen(k->name) + 1, *colon = strrchr(path, ':');
	const char *symbol = colon ? colon + 1 : k->name;
	path = colon ? sr_strndup(arena, path, (size_t)(colon - path)) : path;
	/* names without a slash, and missing files, are left to dlopen's search path */
	if (!strchr(path, '/') && !access(path, R_OK))
		path = sr_printf(arena, "./%s", path);
	k->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!k->library)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "--ffi=%s: %s", text, dlerror());
	void *address = dlsym(k->library, symbol);
	if (!address)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "--ffi=%s: the library has no '%s'", text, symbol);
	memcpy(&k->handler, &address, sizeof address);
	return check_version(k, text, diags);
}

enum sr_status sr_ffi_open(struct sr_ffi *ffi, const char *const *texts, size_t n, struct sr_arena *arena, struct sr_diags *diags)
{
	enum sr_status status = SR_OK;
	*ffi = (struct sr_ffi){SR_NEW_ARRAY(arena, struct sr_ffi_kernel, n), 0};
	while (!status && ffi->n < n) {
		status = load_kernel(&ffi->kernels[ffi->n], texts[ffi->n], arena, diags);
		ffi->n++;
	}
	return status;
}

void sr_ffi_of_handlers(struct sr_ffi *ffi, const char *const *names, sr_ffi_handler *const *handlers, size_t n, struct sr_arena *arena)
{
	*ffi = (struct sr_ffi){SR_NEW_ARRAY(arena, struct sr_ffi_kernel, n), n};
	for (size_t i = 0; i < n; i++)
		ffi->kernels[i] = (struct sr_ffi_kernel){.name = names[i], .handler = handlers[i]};
}

void sr_ffi_close(struct sr_ffi *ffi)
{
	for (size_t i = 0; i < ffi->n; i++)
		if (ffi->kernels[i].library)
			dlclose(ffi->kernels[i].library);
	ffi->n = 0;
}

/* ---- calls ---- */

/* Number of each element type in XLA's enum PrimitiveType. */
static const uint8_t numbers[SR_DTYPE_COUNT] = {
	[SR_I1] = 1, [SR_I2] = 26, [SR_I4] = 21, [SR_I8] = 2, [SR_I16] = 3, [SR_I32] = 4, [SR_I64] = 5, [SR_UI2] = 27,
	[SR_UI4] = 22, [SR_UI8] = 6, [SR_UI16] = 7, [SR_UI32] = 8, [SR_UI64] = 9, [SR_F4E2M1FN] = 32, [SR_F8E3M4] = 29,
	[SR_F8E4M3] = 28, [SR_F8E4M3FN] = 20, [SR_F8E4M3B11FNUZ] = 23, [SR_F8E4M3FNUZ] = 25, [SR_F8E5M2] = 19,
	[SR_F8E5M2FNUZ] = 24, [SR_F8E8M0FNU] = 33, [SR_BF16] = 16, [SR_F16] = 10, [SR_F32] = 11, [SR_F64] = 12, [SR_C64] = 15,
	[SR_C128] = 18,
};

static void make_buffers(struct sr_ffi_call *c, const struct sr_program *p, const struct sr_custom_call_instr *s,
			 struct sr_arena *arena)
{
	const int64_t *at = sr_program_ids(p) + s->types;
	c->buffers = SR_NEW_ARRAY(arena, struct sr_ffi_buffer, c->n);
	c->bytes = SR_NEW_ARRAY(arena, size_t, c->n);
	c->types = SR_NEW_ARRAY(arena, enum sr_dtype, c->n);
	for (int i = 0; i < c->n; i++) {
		int64_t rank = at[1], *dims = sr_dup(arena, at + 2, (size_t)rank, sizeof *dims);
		size_t bytes = (size_t)sr_dtype_bytes((enum sr_dtype)at[0]);
		for (int64_t d = 0; d < rank; d++)
			bytes *= (size_t)dims[d];
		c->bytes[i] = bytes;
		c->types[i] = (enum sr_dtype)at[0];
		c->buffers[i] = (struct sr_ffi_buffer){.size = sizeof c->buffers[i], .type = numbers[at[0]], .rank = rank,
						       .dims = dims};
		at += 2 + rank;
	}
	c->aliased_input = at;
}

static struct sr_ffi_buffers make_list(struct sr_ffi_buffer *first, int n, struct sr_arena *arena)
{
	struct sr_ffi_buffers b = {sizeof b, NULL, n, SR_NEW_ARRAY(arena, int32_t, n), SR_NEW_ARRAY(arena, void *, n)};
	for (int i = 0; i < n; i++) {
		b.kinds[i] = SR_FFI_BUFFER;
		b.buffers[i] = &first[i];
	}
	return b;
}

static const struct sr_custom_attr *attrs_of(const struct sr_custom_call_instr *s)
{
	return (const void *)(s + 1);
}

/* Return the value of an attribute (not a dictionary) in the format that handlers expect. */
static void *make_value(const struct sr_program *p, const struct sr_custom_call_instr *s, const struct sr_custom_attr *a,
			struct sr_arena *arena)
{
	const char *bytes = (const char *)(attrs_of(s) + s->n_attrs);
	if (a->kind == SR_CUSTOM_STRING) {
		struct sr_ffi_span span = {sr_program_string(p, (uint32_t)a->payload), a->n};
		return sr_dup(arena, &span, 1, sizeof span);
	}
	if (a->kind == SR_CUSTOM_ARRAY) {
		size_t size = (size_t)sr_dtype_bytes((enum sr_dtype)a->dtype);
		struct sr_ffi_array array = {numbers[a->dtype], a->n, sr_dup(arena, bytes + a->payload, a->n, size)};
		return sr_dup(arena, &array, 1, sizeof array);
	}
	struct sr_ffi_scalar scalar = {numbers[a->dtype], sr_dup(arena, &a->payload, 1, sizeof a->payload)};
	return sr_dup(arena, &scalar, 1, sizeof scalar);
}

/* Build the attributes [first, first + n) of a call; entries of a dictionary are stored after the dictionary. */
static struct sr_ffi_attrs make_attrs(const struct sr_program *p, const struct sr_custom_call_instr *s, uint64_t first, uint32_t n,
				      struct sr_arena *arena)
{
	static const int32_t kinds[] = {[SR_CUSTOM_SCALAR] = SR_FFI_SCALAR,
					[SR_CUSTOM_STRING] = SR_FFI_STRING,
					[SR_CUSTOM_ARRAY] = SR_FFI_ARRAY,
					[SR_CUSTOM_DICTIONARY] = SR_FFI_DICTIONARY};
	struct sr_ffi_attrs out = {sizeof out,
				   NULL,
				   n,
				   SR_NEW_ARRAY(arena, int32_t, n),
				   SR_NEW_ARRAY(arena, struct sr_ffi_span *, n),
				   SR_NEW_ARRAY(arena, void *, n)};
	for (uint32_t i = 0; i < n; i++) {
		const struct sr_custom_attr *a = attrs_of(s) + first + i;
		struct sr_ffi_span name = {sr_program_string(p, a->name), strlen(sr_program_string(p, a->name))};
		out.kinds[i] = kinds[a->kind];
		out.names[i] = sr_dup(arena, &name, 1, sizeof name);
		if (a->kind == SR_CUSTOM_DICTIONARY) {
			struct sr_ffi_attrs inner = make_attrs(p, s, a->payload, a->n, arena);
			out.values[i] = sr_dup(arena, &inner, 1, sizeof inner);
		} else {
			out.values[i] = make_value(p, s, a, arena);
		}
	}
	return out;
}

struct sr_ffi_call *sr_ffi_ready(const struct sr_ffi *ffi, const struct sr_program *p, const struct sr_instr *step, int64_t device,
				 struct sr_arena *arena)
{
	const struct sr_custom_call_instr *s = (const void *)(sr_program_params(p) + step->params);
	const char *name = sr_program_string(p, s->name);
	size_t k = 0;
	while (ffi && k < ffi->n && strcmp(ffi->kernels[k].name, name) != 0)
		k++;
	if (!ffi || k == ffi->n)
		return NULL;
	struct sr_ffi_call *c = SR_NEW(arena, struct sr_ffi_call);
	c->handler = ffi->kernels[k].handler;
	c->context.device = device;
	c->n = (int)step->n_operands;
	c->n_inputs = s->n_inputs;
	make_buffers(c, p, s, arena);
	c->frame = (struct sr_ffi_frame){.size = SR_FFI_FRAME_BYTES,
					 .api = &sr_ffi_api,
					 .context = &c->context,
					 .stage = SR_FFI_EXECUTE,
					 .arguments = make_list(c->buffers, c->n_inputs, arena),
					 .results = make_list(c->buffers + c->n_inputs, c->n - c->n_inputs, arena),
					 .attrs = make_attrs(p, s, 0, (uint32_t)s->n_top, arena)};
	return c;
}

enum sr_status sr_ffi_execute(struct sr_ffi_call *c, void *const *operands, struct sr_ffi_user_data data)
{
	c->context.data = data;
	for (int i = 0; i < c->n; i++)
		c->buffers[i].data = operands[i];
	for (int i = c->n_inputs; i < c->n; i++) {
		int64_t aliased_input = c->aliased_input[i - c->n_inputs] - 1;
		if (aliased_input < 0)
			continue;
		memcpy(operands[i], operands[aliased_input], c->bytes[aliased_input]);
		c->buffers[aliased_input].data = operands[i];
	}
	c->frame.future = NULL;
	unsigned float_mode = sr_float_mode_begin(false); /* a handler computes as its own program does */
	struct sr_ffi_error *error = c->handler(&c->frame);
	bool has_succeeded = sr_ffi_wait(error, c->frame.future, c->failure, sizeof c->failure);
	sr_float_mode_set(float_mode);
	if (!has_succeeded)
		return SR_UNSUPPORTED;
	for (int i = c->n_inputs; i < c->n; i++) /* handlers leave the high bits of i2 and i4 undefined */
		sr_elements_extend(c->types[i], operands[i], (int64_t)c->bytes[i]);
	return SR_OK;
}

const char *sr_ffi_failure(const struct sr_ffi_call *c)
{
	return c->failure;
}
