/* Layouts of buffers: every value is dense and row-major. A serialized layout is its text: "{1,0}", dimensions from minor to major. */
#include "pjrt/pjrt.h"
#include "support/checked.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct PJRT_Layouts_MemoryLayout {
	int rank;
};

static PJRT_Error *new_layout(size_t rank, struct PJRT_Layouts_MemoryLayout **out)
{
	*out = malloc(sizeof **out);
	if (!*out)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	(*out)->rank = rank > SR_MAX_RANK ? SR_MAX_RANK : (int)rank;
	return NULL;
}

static PJRT_Error *destroy(struct PJRT_Layouts_MemoryLayout_Destroy_Args *args)
{
	free(args->layout);
	return NULL;
}

static PJRT_Error *serialize(struct PJRT_Layouts_MemoryLayout_Serialize_Args *args)
{
	enum { DIGITS = 4 };
	size_t room = DIGITS * (SR_MAX_RANK + 1), n = 1;
	char *text = malloc(room);
	if (!text)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	text[0] = '{';
	for (int d = args->layout->rank - 1; d >= 0; d--)
		n += (size_t)snprintf(text + n, room - n, "%d%s", d, d ? "," : "");
	text[n++] = '}';
	args->serialized_bytes = text;
	args->serialized_bytes_size = n;
	args->serialized_layout = (void *)text;
	args->serialized_layout_deleter = free;
	return NULL;
}

static PJRT_Error *client_default(struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args)
{
	return new_layout(args->num_dims, &args->layout);
}

static PJRT_Error *topology_default(struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args)
{
	return new_layout(args->num_dims, &args->layout);
}

static PJRT_Error *of_buffer(struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args)
{
	return new_layout((size_t)args->buffer->rank, &args->layout);
}

/* Return a list of layouts of values [first, first + n). The list lives as long as the executable, its layouts belong to the caller. */
static PJRT_Error *list_layouts(PJRT_Executable *x, int first, int n, struct PJRT_Layouts_MemoryLayout ***out)
{
	struct PJRT_Layouts_MemoryLayout **list = *out = x->layouts + first;
	for (int i = 0; i < n; i++) {
		PJRT_Error *error = new_layout((size_t)x->values[first + i].rank, &list[i]);
		if (!error)
			continue;
		while (i)
			free(list[--i]);
		return error;
	}
	return NULL;
}

static PJRT_Error *of_outputs(struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args)
{
	args->num_outputs = (size_t)args->executable->n_results;
	return list_layouts(args->executable, args->executable->n_arguments, args->executable->n_results, &args->layouts);
}

static PJRT_Error *of_parameters(struct PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args *args)
{
	args->num_parameters = (size_t)args->executable->n_arguments;
	return list_layouts(args->executable, 0, args->executable->n_arguments, &args->layouts);
}

struct PJRT_Layouts_Extension sr_pjrt_layouts = {
    .base = {.struct_size = sizeof sr_pjrt_layouts, .type = PJRT_EXTENSION_LAYOUTS},
    .destroy = destroy,
    .serialize = serialize,
    .client_default = client_default,
    .of_buffer = of_buffer,
    .topology_default = topology_default,
    .of_outputs = of_outputs,
    .of_parameters = of_parameters,
};
