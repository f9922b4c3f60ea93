/* Free ranges in a treap by size, whose priorities are hashes of the offsets, with maps from start and end offsets to gaps. */
#include "plan/place/gaps.h"

struct sr_gap {
	int64_t offset, bytes;
	uint64_t priority;
	struct sr_gap *left, *right;
};

void sr_gaps_init(struct sr_gaps *gaps, struct sr_arena *arena)
{
	*gaps = (struct sr_gaps){.arena = arena};
	sr_map_init(&gaps->gap_by_start, arena);
	sr_map_init(&gaps->gap_by_end, arena);
}

static const void *offset_key(int64_t offset)
{
	return (const void *)(uintptr_t)(1 + (uint64_t)offset);
}

static bool precedes(const struct sr_gap *a, const struct sr_gap *b)
{
	return a->bytes != b->bytes ? a->bytes < b->bytes : a->offset < b->offset;
}

/* ---- the tree ---- */

/* Split a tree into the gaps that precede `pivot` (*preceding) and the others (*following). */
static void treap_split(struct sr_gap *tree, const struct sr_gap *pivot, struct sr_gap **preceding, struct sr_gap **following)
{
	while (tree) {
		if (precedes(tree, pivot)) {
			*preceding = tree;
			preceding = &tree->right;
			tree = tree->right;
		} else {
			*following = tree;
			following = &tree->left;
			tree = tree->left;
		}
	}
	*preceding = *following = NULL;
}

static void treap_insert(struct sr_gaps *gaps, struct sr_gap *gap)
{
	struct sr_gap **at = &gaps->root;
	while (*at && (*at)->priority >= gap->priority)
		at = precedes(gap, *at) ? &(*at)->left : &(*at)->right;
	treap_split(*at, gap, &gap->left, &gap->right);
	*at = gap;
}

static void treap_remove(struct sr_gaps *gaps, struct sr_gap *gap)
{
	struct sr_gap **at = &gaps->root, *left = gap->left, *right = gap->right;
	while (*at != gap)
		at = precedes(gap, *at) ? &(*at)->left : &(*at)->right;
	while (left && right) { /* all gaps in `left` come before those in `right` */
		if (left->priority >= right->priority) {
			*at = left;
			at = &left->right;
			left = left->right;
		} else {
			*at = right;
			at = &right->left;
			right = right->left;
		}
	}
	*at = left ? left : right;
}

/* ---- gaps ---- */

static void add_gap(struct sr_gaps *gaps, int64_t offset, int64_t bytes)
{
	struct sr_gap *gap = gaps->unused;
	if (gap)
		gaps->unused = gap->right;
	else
		gap = SR_NEW(gaps->arena, struct sr_gap);
	*gap = (struct sr_gap){offset, bytes, sr_hash_mix(0, (uint64_t)offset), NULL, NULL};
	treap_insert(gaps, gap);
	sr_map_put(&gaps->gap_by_start, offset_key(offset), gap);
	sr_map_put(&gaps->gap_by_end, offset_key(offset + bytes), gap);
}

static void drop_gap(struct sr_gaps *gaps, struct sr_gap *gap)
{
	treap_remove(gaps, gap);
	/* store NULL instead of removing the entry: removed entries keep their slots, and the key will be used again */
	sr_map_put(&gaps->gap_by_start, offset_key(gap->offset), NULL);
	sr_map_put(&gaps->gap_by_end, offset_key(gap->offset + gap->bytes), NULL);
	gap->right = gaps->unused;
	gaps->unused = gap;
}

bool sr_gaps_allocate(struct sr_gaps *gaps, int64_t bytes, int64_t *offset)
{
	struct sr_gap *best_gap = NULL;
	for (struct sr_gap *at = gaps->root; at; at = at->bytes >= bytes ? at->left : at->right)
		if (at->bytes >= bytes)
			best_gap = at;
	if (!best_gap)
		return false;
	struct sr_gap gap = *best_gap;
	drop_gap(gaps, best_gap);
	*offset = gap.offset;
	if (gap.bytes > bytes)
		add_gap(gaps, gap.offset + bytes, gap.bytes - bytes);
	return true;
}

bool sr_gaps_allocate_ending_at(struct sr_gaps *gaps, int64_t end, int64_t *offset)
{
	struct sr_gap *gap = sr_map_get(&gaps->gap_by_end, offset_key(end));
	if (!gap)
		return false;
	*offset = gap->offset;
	drop_gap(gaps, gap);
	return true;
}

void sr_gaps_release(struct sr_gaps *gaps, int64_t offset, int64_t bytes)
{
	struct sr_gap *right = sr_map_get(&gaps->gap_by_start, offset_key(offset + bytes));
	int64_t start = offset, end = offset + bytes;
	if (!bytes)
		return;
	if (right) {
		end += right->bytes;
		drop_gap(gaps, right);
	}
	if (!sr_gaps_allocate_ending_at(gaps, offset, &start))
		start = offset;
	add_gap(gaps, start, end - start);
}
