/* Merging of discardable attributes when an op replaces another one. */
#include "optimize/discardable.h"
#include "dialect/signature.h"
#include <string.h>

static const struct sr_attr *merge_entries(struct sr_context *ctx, const struct sr_attr *from, const struct sr_attr *to)
{
	if (!to || from->kind != SR_ATTR_DICT || to->kind != SR_ATTR_DICT)
		return from;
	struct sr_named_attr *entries = SR_NEW_ARRAY(ctx->arena, struct sr_named_attr, from->n + to->n);
	int n = 0;
	for (int i = 0; i < to->n; i++)
		if (!sr_dict_get(from, to->entries[i].name) || strcmp(to->entries[i].name, "xla_metadata_payload") == 0)
			entries[n++] = to->entries[i];
	for (int i = 0; i < from->n; i++)
		if (strcmp(from->entries[i].name, "xla_metadata_payload") != 0 || !sr_dict_get(to, from->entries[i].name))
			entries[n++] = from->entries[i];
	return sr_attr_dict(ctx, entries, n);
}

void sr_discardable_merge(struct sr_context *ctx, const struct sr_op *from, struct sr_op *to)
{
	for (int i = 0; i < from->n_attrs; i++) {
		const char *name = from->attrs[i].name;
		const struct sr_attr *value = from->attrs[i].value;
		if (sr_attr_is_inherent(from, name))
			continue;
		if (strcmp(name, "mhlo.frontend_attributes") == 0)
			value = merge_entries(ctx, value, sr_op_attr(to, name));
		sr_op_set_attr(ctx, to, name, value);
	}
}
