/* Kinds of memory. JAX names three for a CPU; each is the host's memory, so that programs compute on all of them and the kind is only
 * a property of a buffer. For results a framework asks for a kind by an attribute of main:
 *
 *	func @main(%arg0: tensor<2xf32>) -> (tensor<2xf32> {mhlo.memory_kind = "pinned_host"}) */
#include "dialect/ops.h"
#include "pjrt/options.h"
#include "plan/plan.h"
#include <string.h>

const char *const sr_pjrt_memory_kinds[SR_PJRT_MEMORY_KINDS] = {"device", "pinned_host", "unpinned_host"};

/* Set *kind to the kind of memory that the attribute names, or to device memory if `a` is NULL. */
static enum sr_status read_kind(struct sr_context *ctx, struct sr_op *func, const struct sr_attr *a, uint8_t *kind)
{
	*kind = SR_PJRT_DEVICE_MEMORY;
	if (!a || a->kind != SR_ATTR_STRING)
		return SR_OK;
	for (int k = 0; k < SR_PJRT_MEMORY_KINDS; k++)
		if (!strcmp(a->s, sr_pjrt_memory_kinds[k])) {
			*kind = (uint8_t)k;
			return SR_OK;
		}
	return sr_op_error(func, &ctx->diags, SR_UNSUPPORTED, "asks for memory of kind \"%s\"; device, pinned_host or unpinned_host is expected", a->s);
}

enum sr_status sr_pjrt_read_memory_kinds(struct sr_context *ctx, struct sr_op *module, const uint8_t **kinds)
{
	static const char name[] = "mhlo.memory_kind";
	enum sr_status status = SR_OK;
	*kinds = NULL;
	struct sr_op *func = sr_find_entry_function(ctx, module, NULL, &status);
	if (status || !func || !sr_func_entry(func))
		return status;
	int n = sr_func_type(func)->n_inputs, n_values = n + sr_func_type(func)->n_results;
	uint8_t *list = SR_NEW_ARRAY(ctx->arena, uint8_t, n_values);
	for (int i = 0; !status && i < n_values; i++) {
		status = read_kind(ctx, func, i < n ? sr_func_arg_attr(func, i, name) : sr_func_result_attr(func, i - n, name), &list[i]);
		if (list[i])
			*kinds = list;
	}
	return status;
}
