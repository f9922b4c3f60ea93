/* Walk an op and all ops inside it, in order. The callback may erase the op it receives: the next op is read before the call. */
#include "ir/ir.h"

static bool walk_regions(struct sr_op *op, bool (*walk)(struct sr_op *, bool (*)(void *, struct sr_op *), void *),
			 bool (*fn)(void *data, struct sr_op *op), void *data)
{
	for (int i = 0; i < op->n_regions; i++)
		for (struct sr_block *b = op->regions[i].first, *next_block; b; b = next_block) {
			next_block = b->next;
			for (struct sr_op *inner = b->first, *next; inner; inner = next) {
				next = inner->next;
				if (!walk(inner, fn, data))
					return false;
			}
		}
	return true;
}

bool sr_walk(struct sr_op *root, bool (*fn)(void *data, struct sr_op *op), void *data)
{
	struct sr_block *block = root->block;
	if (!fn(data, root))
		return false;
	if (root->block != block) /* Skip the regions of an op that the callback erased or moved. */
		return true;
	return walk_regions(root, sr_walk, fn, data);
}

bool sr_walk_post(struct sr_op *root, bool (*fn)(void *data, struct sr_op *op), void *data)
{
	return walk_regions(root, sr_walk_post, fn, data) && fn(data, root);
}
