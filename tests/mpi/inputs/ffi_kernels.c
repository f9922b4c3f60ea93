/* Custom-call kernels as a user writes them, with the structs of run/ffi_abi.h. */
#include "run/ffi_abi.h"
#include <stdlib.h>
#include <string.h>

static struct sr_ffi_error *new_error(const struct sr_ffi_frame *f, const char *message)
{
	struct sr_ffi_error_create args = {{sizeof args, NULL}, message, SR_FFI_UNKNOWN};
	return f->api->error_create(&args);
}

/* Return 1 if the caller only asks for the version, which is then stored. */
static int store_version(struct sr_ffi_frame *f, int major)
{
	if (!f->extensions || f->extensions->type != SR_FFI_METADATA)
		return 0;
	struct sr_ffi_metadata *m = ((struct sr_ffi_metadata_extension *)(void *)f->extensions)->metadata;
	m->version.major = major;
	m->version.minor = SR_FFI_MINOR;
	return 1;
}

static int64_t count_elements(const struct sr_ffi_buffer *b)
{
	int64_t n = 1;
	for (int64_t d = 0; d < b->rank; d++)
		n *= b->dims[d];
	return n;
}

static const void *find_attr(const struct sr_ffi_attrs *attrs, const char *name, int kind)
{
	for (int64_t i = 0; i < attrs->n; i++)
		if (attrs->names[i]->n == strlen(name) && !memcmp(attrs->names[i]->text, name, strlen(name)) &&
		    attrs->kinds[i] == kind)
			return attrs->values[i];
	return NULL;
}

/* Data of a scheduled task of the kernel Affine, which computes y = scale * x + sum(offsets) + inner.more in scratch memory. */
struct work {
	const float *x;
	float *y, scale, offset;
	int64_t n;
};

static void compute_affine(void *data)
{
	struct work *w = data;
	for (int64_t i = 0; i < w->n; i++)
		w->y[i] = w->scale * w->x[i] + w->offset;
}

struct sr_ffi_error *Affine(struct sr_ffi_frame *f)
{
	if (store_version(f, SR_FFI_MAJOR))
		return NULL;
	const struct sr_ffi_scalar *scale = find_attr(&f->attrs, "scale", SR_FFI_SCALAR);
	const struct sr_ffi_array *offsets = find_attr(&f->attrs, "offsets", SR_FFI_ARRAY);
	const struct sr_ffi_attrs *inner_attrs = find_attr(&f->attrs, "inner", SR_FFI_DICTIONARY);
	const struct sr_ffi_scalar *extra_offset = inner_attrs ? find_attr(inner_attrs, "more", SR_FFI_SCALAR) : NULL;
	const struct sr_ffi_span *word = find_attr(&f->attrs, "word", SR_FFI_STRING);
	if (f->arguments.n != 1 || f->results.n != 1 || !scale || !offsets || !extra_offset || !word || scale->type != 11 ||
	    offsets->type != 5)
		return new_error(f, "other operands or attributes");
	if (word->n == 4 && !memcmp(word->text, "fail", 4))
		return new_error(f, "told to fail");
	const struct sr_ffi_buffer *x = f->arguments.buffers[0], *y = f->results.buffers[0];
	struct work work = {x->data, NULL, *(const float *)scale->value, 0, count_elements(x)};
	for (size_t i = 0; i < offsets->n; i++)
		work.offset += (float)((const int64_t *)offsets->data)[i];
	work.offset += (float)*(const int32_t *)extra_offset->value;
	struct sr_ffi_memory_allocate memory = {{sizeof memory, NULL}, f->context, (size_t)work.n * sizeof(float), 64, NULL};
	if (f->api->memory_allocate(&memory))
		return new_error(f, "no memory");
	work.y = memory.data;
	f->api->pool_schedule(&(struct sr_ffi_pool_schedule){{sizeof(struct sr_ffi_pool_schedule), NULL}, f->context, compute_affine,
							     &work});
	memcpy(y->data, work.y, (size_t)work.n * sizeof(float));
	f->api->memory_free(&(struct sr_ffi_memory_free){{sizeof(struct sr_ffi_memory_free), NULL}, f->context, memory.bytes,
							 memory.data});
	return NULL;
}

/* Add one to the operand in place; the result shares its memory. Completes later, like a kernel with its own thread. */
struct sr_ffi_error *Increment(struct sr_ffi_frame *f)
{
	if (store_version(f, SR_FFI_MAJOR))
		return NULL;
	const struct sr_ffi_buffer *x = f->arguments.buffers[0], *y = f->results.buffers[0];
	if (x->data != y->data)
		return new_error(f, "not in place");
	for (int64_t i = 0; i < count_elements(y); i++)
		((float *)y->data)[i] += 1;
	struct sr_ffi_future_create create = {{sizeof create, NULL}, NULL};
	f->api->future_create(&create);
	f->future = create.future;
	f->api->future_set_available(&(struct sr_ffi_future_set){{sizeof(struct sr_ffi_future_set), NULL}, f->future, NULL});
	return NULL;
}

struct sr_ffi_error *OfAnotherVersion(struct sr_ffi_frame *f)
{
	return store_version(f, 7) ? NULL : new_error(f, "never called");
}

/* y[i] = x[i] + i in the order of memory. */
struct sr_ffi_error *Number(struct sr_ffi_frame *f)
{
	if (store_version(f, SR_FFI_MAJOR))
		return NULL;
	const struct sr_ffi_buffer *x = f->arguments.buffers[0], *y = f->results.buffers[0];
	if (x->dims[0] != 2 || x->dims[1] != 3 || y->dims[0] != 2 || y->dims[1] != 3)
		return new_error(f, "other extents");
	for (int64_t i = 0; i < count_elements(y); i++)
		((float *)y->data)[i] = ((const float *)x->data)[i] + (float)i;
	return NULL;
}
