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

struct operand_walk {
	const struct sr_op *op;
	bool (*fn)(void *data, struct sr_value *v);
	void *data;
};

static bool walk_operands(void *data, struct sr_op *inner)
{
	const struct operand_walk *walk = data;
	for (int i = 0; i < inner->n_operands; i++) {
		struct sr_value *v = sr_operand(inner, i);
		const struct sr_block *block = inner != walk->op ? sr_value_block(v) : NULL;
		bool is_inner_value = block && block->region && sr_op_is_ancestor(walk->op, block->region->op);
		if (!is_inner_value && !walk->fn(walk->data, v))
			return false;
	}
	return true;
}

bool sr_walk_outer_operands(struct sr_op *op, bool (*fn)(void *data, struct sr_value *v), void *data)
{
	return sr_walk(op, walk_operands, &(struct operand_walk){op, fn, data});
}
