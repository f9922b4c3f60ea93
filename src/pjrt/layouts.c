/* Layouts of buffers: dense, with the dimensions in any order. A serialized layout is its text: "{1,0}", dimensions from minor to
 * major. */
#include "pjrt/pjrt.h"
#include "support/checked.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sr_pjrt_dense_strides(const int64_t *dims, int rank, const int64_t *minor_to_major, size_t size, int64_t *strides)
{
	int64_t stride = (int64_t)size;
	for (int i = 0; i < rank; i++) {
		int64_t d = minor_to_major ? minor_to_major[i] : rank - 1 - i;
		strides[d] = stride;
		stride *= dims[d] ? dims[d] : 1;
	}
}

bool sr_pjrt_is_dense(const int64_t *dims, const int64_t *strides, const int64_t *dense, int rank)
{
	for (int i = 0; i < rank; i++)
		if (dims[i] != 1 && strides[i] != dense[i])
			return false;
	return true;
}

bool sr_pjrt_is_permutation(const int64_t *order, int rank)
{
	bool seen_dims[SR_MAX_RANK] = {0};
	for (int i = 0; i < rank; i++) {
		if (order[i] < 0 || order[i] >= rank || seen_dims[order[i]])
			return false;
		seen_dims[order[i]] = true;
	}
	return true;
}

/* Sort the dimensions by their strides; of dimensions with equal strides, which have extent 1, the last is the most minor. */
static void sort_by_stride(const int64_t *strides, int rank, int64_t *minor_to_major)
{
	for (int i = 0; i < rank; i++) {
		int64_t d = rank - 1 - i;
		int k = i;
		for (; k > 0 && strides[minor_to_major[k - 1]] > strides[d]; k--)
			minor_to_major[k] = minor_to_major[k - 1];
		minor_to_major[k] = d;
	}
}

PJRT_Error *sr_pjrt_read_layout(const struct PJRT_Buffer_MemoryLayout *layout, uint32_t type, const int64_t *dims, size_t rank,
				int64_t *minor_to_major)
{
	const struct PJRT_Buffer_MemoryLayout_Tiled *t = layout && layout->type == PJRT_LAYOUT_TILED ? &layout->u.tiled : NULL;
	const struct PJRT_Buffer_MemoryLayout_Strides *s = layout && layout->type == PJRT_LAYOUT_STRIDES ? &layout->u.strides : NULL;
	int64_t dense[SR_MAX_RANK];
	int n = (int)rank;
	for (int i = 0; i < n; i++)
		minor_to_major[i] = n - 1 - i;
	if (t && t->num_tiles)
		return sr_pjrt_error(PJRT_UNIMPLEMENTED, "buffers with tiled layouts are not supported");
	if ((t && t->minor_to_major_size && t->minor_to_major_size != rank) || (s && s->num_byte_strides != rank))
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the layout of a buffer does not have its %zu dimensions", rank);
	if (t && t->minor_to_major_size)
		memcpy(minor_to_major, t->minor_to_major, sizeof *minor_to_major * rank);
	if (t && !sr_pjrt_is_permutation(minor_to_major, n))
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the layout of a buffer is not an order of its dimensions");
	if (!s || !rank)
		return NULL;
	sort_by_stride(s->byte_strides, n, minor_to_major);
	sr_pjrt_dense_strides(dims, n, minor_to_major, (size_t)sr_dtype_bytes(sr_pjrt_dtype(type)), dense);
	return sr_pjrt_is_dense(dims, s->byte_strides, dense, n)
		       ? NULL
		       : sr_pjrt_error(PJRT_UNIMPLEMENTED, "buffers with gaps between their elements are not supported");
}

/* ---- the extension ---- */

struct PJRT_Layouts_MemoryLayout {
	bool belongs_to_executable; /* true if the layout is freed with its executable; false if the caller destroys it */
	int rank;
	int64_t minor_to_major[SR_MAX_RANK];
};

/* Set a memory layout of `rank` dimensions; minor_to_major NULL: row-major. */
static void set_layout(struct PJRT_Layouts_MemoryLayout *l, size_t rank, const int64_t *minor_to_major)
{
	l->rank = rank > SR_MAX_RANK ? SR_MAX_RANK : (int)rank;
	for (int i = 0; i < l->rank; i++)
		l->minor_to_major[i] = minor_to_major ? minor_to_major[i] : l->rank - 1 - i;
}

static PJRT_Error *new_layout(size_t rank, const int64_t *minor_to_major, struct PJRT_Layouts_MemoryLayout **out)
{
	*out = calloc(1, sizeof **out);
	if (!*out)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	set_layout(*out, rank, minor_to_major);
	return NULL;
}

static PJRT_Error *destroy(struct PJRT_Layouts_MemoryLayout_Destroy_Args *args)
{
	if (args->layout && !args->layout->belongs_to_executable)
		free(args->layout);
	return NULL;
}

static PJRT_Error *serialize_layout(struct PJRT_Layouts_MemoryLayout_Serialize_Args *args)
{
	enum { DIGITS = 4 };
	size_t capacity = DIGITS * (SR_MAX_RANK + 1), n = 1;
	char *text = malloc(capacity);
	if (!text)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	text[0] = '{';
	for (int i = 0; i < args->layout->rank; i++)
		n += (size_t)snprintf(text + n, capacity - n, "%s%d", i ? "," : "", (int)args->layout->minor_to_major[i]);
	text[n++] = '}';
	args->serialized_bytes = text;
	args->serialized_bytes_size = n;
	args->serialized_layout = (void *)text;
	args->serialized_layout_deleter = free;
	return NULL;
}

static PJRT_Error *client_default_layout(struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args)
{
	return new_layout(args->num_dims, NULL, &args->layout);
}

static PJRT_Error *topology_default_layout(struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args)
{
	return new_layout(args->num_dims, NULL, &args->layout);
}

static PJRT_Error *buffer_layout(struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args)
{
	return new_layout((size_t)args->buffer->rank, args->buffer->minor_to_major, &args->layout);
}

/* Make the layouts of all arguments and results. Frameworks read them through the executable and do not destroy them. */
void sr_pjrt_executable_describe_layouts(PJRT_Executable *x)
{
	int n = x->n_arguments + x->n_results;
	struct PJRT_Layouts_MemoryLayout *layouts = SR_NEW_ARRAY(x->arena, struct PJRT_Layouts_MemoryLayout, n);
	x->layouts = SR_NEW_ARRAY(x->arena, struct PJRT_Layouts_MemoryLayout *, n);
	for (int i = 0; i < n; i++) {
		layouts[i].belongs_to_executable = true;
		set_layout(&layouts[i], (size_t)x->values[i].rank, x->values[i].minor_to_major);
		x->layouts[i] = &layouts[i];
	}
}

static PJRT_Error *output_layouts(struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args)
{
	args->num_outputs = (size_t)args->executable->n_results;
	args->layouts = args->executable->layouts + args->executable->n_arguments;
	return NULL;
}

static PJRT_Error *parameter_layouts(struct PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args *args)
{
	args->num_parameters = (size_t)args->executable->n_arguments;
	args->layouts = args->executable->layouts;
	return NULL;
}

struct PJRT_Layouts_Extension sr_pjrt_layouts = {
    .base = {.struct_size = sizeof sr_pjrt_layouts, .type = PJRT_EXTENSION_LAYOUTS},
    .destroy = destroy,
    .serialize = serialize_layout,
    .client_default_layout = client_default_layout,
    .buffer_layout = buffer_layout,
    .topology_default_layout = topology_default_layout,
    .output_layouts = output_layouts,
    .parameter_layouts = parameter_layouts,
};
