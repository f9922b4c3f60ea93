/* Merging of discardable attributes when an op replaces another one. */
#include "optimize/discardable.h"
#include "dialect/signature.h"
#include <string.h>

static const struct sr_attr *merge_entries(struct sr_context *ctx, const struct sr_attr *source, const struct sr_attr *target)
{
	if (!target || source->kind != SR_ATTR_DICT || target->kind != SR_ATTR_DICT)
		return source;
	struct sr_named_attr *entries = SR_NEW_ARRAY(ctx->arena, struct sr_named_attr, source->n + target->n);
	int n = 0;
	for (int i = 0; i < target->n; i++)
		if (!sr_dict_get(source, target->entries[i].name) || strcmp(target->entries[i].name, "xla_metadata_payload") == 0)
			entries[n++] = target->entries[i];
	for (int i = 0; i < source->n; i++)
		if (strcmp(source->entries[i].name, "xla_metadata_payload") != 0 || !sr_dict_get(target, source->entries[i].name))
			entries[n++] = source->entries[i];
	return sr_attr_dict(ctx, entries, n);
}

void sr_discardable_merge(struct sr_context *ctx, const struct sr_op *source, struct sr_op *target)
{
	for (int i = 0; i < source->n_attrs; i++) {
		const char *name = source->attrs[i].name;
		const struct sr_attr *value = source->attrs[i].value;
		if (sr_attr_is_inherent(source, name))
			continue;
		if (strcmp(name, "mhlo.frontend_attributes") == 0)
			value = merge_entries(ctx, value, sr_op_attr(target, name));
		sr_op_set_attr(ctx, target, name, value);
	}
}
