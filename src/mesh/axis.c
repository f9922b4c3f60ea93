/* Compare, intersect and split axis references. "x":(pre)size covers the range [pre, pre * size) of its axis, in units of factors.
 *
 * Both references belong to one mesh. Two references to an axis can coexist if their four boundaries, sorted, divide each other:
 * the axis can then be split into factors of which both consist. Of "x" with 6 devices, (1)2 and (2)3 coexist, (1)2 and (1)3 do
 * not. */
#include "mesh/mesh.h"
#include "support/checked.h"
#include "support/integers.h"
#include <string.h>

/* Return the end of the range, at which the next reference would begin. Saturates on overflow, since the text may not be
 * verified yet. */
static int64_t axis_end(struct sr_axis_ref ref)
{
	int64_t end;
	return sr_mul_overflows(ref.pre, ref.size, &end) ? INT64_MAX : end;
}

static bool divides(int64_t a, int64_t b)
{
	return a > 0 && b % a == 0;
}

/* Return true for a full axis of size 1, whose range is empty. */
static bool is_full_unit_axis(struct sr_axis_ref ref)
{
	return ref.pre == 1 && ref.size == 1;
}

static struct sr_axis_ref sub_range(struct sr_axis_ref of, int64_t begin, int64_t end)
{
	return (struct sr_axis_ref){of.axis, begin, end / begin};
}

static int order64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

bool sr_axis_ref_equal(struct sr_axis_ref a, struct sr_axis_ref b)
{
	return a.axis == b.axis && a.pre == b.pre && a.size == b.size;
}

bool sr_axis_contains(struct sr_axis_ref a, struct sr_axis_ref b)
{
	return a.axis == b.axis && a.pre <= b.pre && axis_end(a) >= axis_end(b);
}

bool sr_axis_overlaps(struct sr_axis_ref a, struct sr_axis_ref b)
{
	if (a.axis != b.axis)
		return false;
	return is_full_unit_axis(a) || is_full_unit_axis(b) || (a.pre < axis_end(b) && b.pre < axis_end(a));
}

bool sr_axis_can_coexist(struct sr_axis_ref a, struct sr_axis_ref b)
{
	if (a.axis != b.axis)
		return true;
	int64_t first = sr_min(a.pre, b.pre), last = sr_max(axis_end(a), axis_end(b));
	int64_t begin = sr_max(a.pre, b.pre), end = sr_min(axis_end(a), axis_end(b));
	if (begin < end)
		return divides(first, begin) && divides(begin, end) && divides(end, last);
	return divides(end, begin);
}

bool sr_axis_overlap(struct sr_axis_ref a, struct sr_axis_ref b, struct sr_axis_ref *out)
{
	if (!sr_axis_overlaps(a, b) || !sr_axis_can_coexist(a, b))
		return false;
	*out = sub_range(a, sr_max(a.pre, b.pre), sr_min(axis_end(a), axis_end(b)));
	return true;
}

bool sr_axis_is_prefix(struct sr_axis_ref a, struct sr_axis_ref b)
{
	return sr_axis_contains(b, a) && a.pre == b.pre;
}

bool sr_axis_common_prefix(struct sr_axis_ref a, struct sr_axis_ref b, struct sr_axis_ref *out)
{
	if (!sr_axis_can_coexist(a, b))
		return false;
	bool first = sr_axis_is_prefix(a, b);
	if (!first && !sr_axis_is_prefix(b, a))
		return false;
	*out = first ? a : b;
	return true;
}

bool sr_axis_prefix_without_overlap(struct sr_axis_ref a, struct sr_axis_ref b, struct sr_axis_ref *out)
{
	if (!sr_axis_can_coexist(a, b))
		return false;
	if (sr_axis_overlaps(a, b) && a.pre >= b.pre)
		return false;
	*out = sr_axis_overlaps(a, b) ? sub_range(a, a.pre, b.pre) : a;
	return true;
}

bool sr_axis_suffix_without_overlap(struct sr_axis_ref a, struct sr_axis_ref b, struct sr_axis_ref *out)
{
	if (!sr_axis_can_coexist(a, b))
		return false;
	if (sr_axis_overlaps(a, b) && axis_end(a) <= axis_end(b))
		return false;
	*out = sr_axis_overlaps(a, b) ? sub_range(a, axis_end(b), axis_end(a)) : a;
	return true;
}

bool sr_axis_can_merge(struct sr_axis_ref a, struct sr_axis_ref b)
{
	return a.axis == b.axis && !is_full_unit_axis(a) && !is_full_unit_axis(b) && axis_end(a) == b.pre;
}

struct sr_axis_ref sr_axis_merge(struct sr_axis_ref a, struct sr_axis_ref b)
{
	return sub_range(a, a.pre, axis_end(b));
}

static int compare_ranges(struct sr_axis_ref a, struct sr_axis_ref b)
{
	int by_pre = order64(a.pre, b.pre);
	return by_pre ? by_pre : order64(a.size, b.size);
}

int sr_axis_compare(const struct sr_mesh *mesh, struct sr_axis_ref a, struct sr_axis_ref b)
{
	if (a.axis == b.axis)
		return compare_ranges(a, b);
	return order64(sr_mesh_axis_index(mesh, a.axis), sr_mesh_axis_index(mesh, b.axis));
}

int sr_axis_compare_by_name(struct sr_axis_ref a, struct sr_axis_ref b)
{
	if (a.axis == b.axis)
		return compare_ranges(a, b);
	return strcmp(a.axis, b.axis);
}

bool sr_axis_prefix_without_overlaps(struct sr_axis_ref ref, struct sr_axes b, struct sr_axis_ref *out)
{
	for (int i = 0; i < b.n; i++)
		if (!sr_axis_prefix_without_overlap(ref, b.refs[i], &ref))
			return false;
	*out = ref;
	return true;
}
