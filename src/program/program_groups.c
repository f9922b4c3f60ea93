/* Find each device's group and peers in a program's replica groups and permutes, listed or as digits, and check those of an
 * untrusted blob. */
#include "program/program_groups.h"
#include "program/program_check.h"

/* Read n digits from ids at *at into digits[SR_PROGRAM_MAX_REFS], and advance *at. */
static struct sr_digits digits_at(const struct sr_program *p, uint64_t *at, int64_t n, struct sr_digit *digits)
{
	const int64_t *ids = sr_program_ids(p) + *at;
	for (int64_t i = 0; i < n; i++)
		digits[i] = (struct sr_digit){ids[2 * i], ids[2 * i + 1]};
	*at += 2 * (uint64_t)n;
	return (struct sr_digits){digits, (int)n};
}

static int64_t position_of(const struct sr_program *p, uint64_t order, int64_t device)
{
	if (!order)
		return device;
	const int64_t *ids = sr_program_ids(p) + order;
	int64_t n = ids[-1];
	for (int64_t i = 0; i < n; i++)
		if (ids[i] == device % n)
			return device / n * n + i;
	return -1;
}

static int64_t device_at(const struct sr_program *p, uint64_t order, int64_t position)
{
	const int64_t *ids = sr_program_ids(p) + order;
	return order ? position / ids[-1] * ids[-1] + ids[position % ids[-1]] : position;
}

bool sr_program_group_of(const struct sr_program *p, const struct sr_group_list *list, int64_t device, int64_t *group,
			 int64_t *index)
{
	struct sr_digit group_digits[SR_PROGRAM_MAX_REFS], member_digits[SR_PROGRAM_MAX_REFS];
	const int64_t *ids = sr_program_ids(p) + list->first;
	uint64_t at = list->first;
	int64_t n = list->n_groups * list->size, i = 0;
	if (list->n_outer || list->n_inner) {
		int64_t position = position_of(p, list->order, device);
		*group = sr_digits_coordinate(digits_at(p, &at, list->n_outer, group_digits), position);
		*index = sr_digits_coordinate(digits_at(p, &at, list->n_inner, member_digits), position);
		return device < n && position >= 0;
	}
	while (i < n && ids[i] != device)
		i++;
	*group = list->size ? i / list->size : 0;
	*index = list->size ? i % list->size : 0;
	return i < n;
}

void sr_program_group_key(const struct sr_program *p, const struct sr_group_list *list, struct sr_buf *out)
{
	const int64_t *ids = sr_program_ids(p);
	int64_t digits = (int64_t)list->n_outer + list->n_inner, head[] = {list->n_groups, list->size, list->n_outer,
	    list->n_inner};
	int64_t n = digits ? 2 * digits : list->n_groups * list->size;
	sr_buf_put(out, (const char *)head, sizeof head);
	sr_buf_put(out, (const char *)(ids + list->first), (size_t)n * sizeof *ids);
	if (list->order)
		sr_buf_put(out, (const char *)(ids + list->order - 1), (size_t)(ids[list->order - 1] + 1) * sizeof *ids);
}

/* ---- permutes ---- */

struct permute {
	struct sr_permute head;
	struct sr_digits axes, other_axes, source_axes;
	const int64_t *sources;
	struct sr_digit digits[3][SR_PROGRAM_MAX_REFS];
};

static const struct sr_permute *permute_head(const struct sr_program *p, const struct sr_collective_instr *c)
{
	return (const void *)(sr_program_ids(p) + c->pairs);
}

static void read_permute(const struct sr_program *p, const struct sr_collective_instr *c, struct permute *out)
{
	uint64_t at = c->pairs + sizeof(struct sr_permute) / sizeof(int64_t);
	out->head = *permute_head(p, c);
	out->axes = digits_at(p, &at, out->head.n_axes, out->digits[0]);
	out->other_axes = digits_at(p, &at, out->head.n_other_axes, out->digits[1]);
	out->source_axes = digits_at(p, &at, out->head.n_source_axes, out->digits[2]);
	out->sources = sr_program_ids(p) + at;
}

static int64_t source_of(const struct permute *m, int64_t k)
{
	int64_t size = sr_digits_size(m->axes), source = m->head.n_sources ? m->sources[k] : k + m->head.step;
	return source < size ? source : -1;
}

static int64_t target_of(const struct permute *m, int64_t k)
{
	int64_t size = sr_digits_size(m->axes);
	if (!m->head.n_sources)
		return k - m->head.step < size ? k - m->head.step : -1;
	for (int64_t i = 0; i < size; i++)
		if (m->sources[i] == k)
			return i;
	return -1;
}

/* Return the device at the same coordinates as `device` except along the axes, where its coordinate is of(coordinate of
 * `device`); -1: none. */
static int64_t peer_along_axes(const struct sr_program *p, const struct permute *m, int64_t device,
			       int64_t (*of)(const struct permute *m, int64_t k))
{
	int64_t position = position_of(p, m->head.order, device);
	if (position < 0)
		return -1;
	int64_t k = sr_digits_coordinate(m->axes, position), peer_coordinate = of(m, k);
	if (peer_coordinate < 0)
		return -1;
	return device_at(p, m->head.order,
			 position - sr_digits_position(m->axes, k) + sr_digits_position(m->axes, peer_coordinate));
}

/* Return the device whose coordinate along the source axes equals the coordinate of `device` along the axes; with `to_source`,
 * exchange the two lists of axes. Both lists contain all axes of their meshes. */
static int64_t peer_across_axes(const struct sr_program *p, const struct permute *m, int64_t device, bool to_source)
{
	struct sr_digits own_axes = to_source ? m->source_axes : m->axes, peer_axes = to_source ? m->axes : m->source_axes;
	int64_t n = m->head.devices, position = position_of(p, to_source ? m->head.source_order : m->head.order, device);
	if (position < 0)
		return -1;
	int64_t k = sr_digits_coordinate(own_axes, position % n);
	return device_at(p, to_source ? m->head.order : m->head.source_order, position / n * n + sr_digits_position(peer_axes, k));
}

void sr_program_permute_peers(const struct sr_program *p, const struct sr_collective_instr *permute, int64_t device,
			      int64_t *source, int64_t *target)
{
	struct permute m;
	const int64_t *pairs = sr_program_ids(p) + permute->pairs;
	*source = *target = -1;
	for (int32_t i = 0; i < permute->n_pairs; i++) {
		if (pairs[2 * i] == device)
			*target = pairs[2 * i + 1];
		if (pairs[2 * i + 1] == device)
			*source = pairs[2 * i];
	}
	if (permute->n_pairs != SR_PAIRS_OF_AXES)
		return;
	read_permute(p, permute, &m);
	*source = m.source_axes.n ? peer_across_axes(p, &m, device, false) : peer_along_axes(p, &m, device, source_of);
	*target = m.source_axes.n ? peer_across_axes(p, &m, device, true) : peer_along_axes(p, &m, device, target_of);
}

/* ---- checks ---- */

static bool digits_lie_inside(const struct sr_program *p, uint64_t at, int64_t n)
{
	return n >= 0 && n <= SR_PROGRAM_MAX_REFS && sr_check_range(at, 2 * (uint64_t)n, p->ids.n);
}

/* Return true if the two lists of digits together cover 0..n-1. */
static bool are_all_digits(struct sr_digits a, struct sr_digits b, int64_t n)
{
	struct sr_digit all[2 * SR_PROGRAM_MAX_REFS];
	for (int i = 0; i < a.n + b.n; i++)
		all[i] = i < a.n ? a.digits[i] : b.digits[i - a.n];
	return sr_digits_cover_all((struct sr_digits){all, a.n + b.n}, n);
}

/* Return true if `order` maps positions to devices and their number divides n. */
static bool order_is_valid(const struct sr_program *p, uint64_t order, int64_t n)
{
	if (!order)
		return true;
	const int64_t *ids = sr_program_ids(p);
	if (!sr_check_range(order - 1, 1, p->ids.n) || ids[order - 1] < 1 || n % ids[order - 1] ||
	    !sr_check_range(order, (uint64_t)ids[order - 1], p->ids.n))
		return false;
	for (int64_t i = 0; i < ids[order - 1]; i++)
		if (ids[order + (uint64_t)i] < 0 || ids[order + (uint64_t)i] >= ids[order - 1])
			return false;
	return true;
}

/* Return true if n ids, `step` apart, are different devices; -1 means none. */
static bool are_devices(const struct sr_program *p, const int64_t *ids, int64_t n, int64_t step, uint8_t *seen)
{
	int64_t i = 0;
	for (; i < n; i++) {
		int64_t id = ids[i * step];
		if (id < -1 || id >= p->n_devices || (id >= 0 && (seen[id >> 3] >> (id & 7) & 1)))
			break;
		if (id >= 0)
			seen[id >> 3] |= (uint8_t)(1u << (id & 7));
	}
	for (int64_t k = 0; k < i; k++)
		if (ids[k * step] >= 0)
			seen[ids[k * step] >> 3] = 0;
	return i == n;
}

bool sr_program_group_is_valid(const struct sr_program *p, const struct sr_group_list *g, uint8_t *seen)
{
	struct sr_digit group_digits[SR_PROGRAM_MAX_REFS], member_digits[SR_PROGRAM_MAX_REFS];
	uint64_t at = g->first;
	int64_t n;
	if (g->n_groups < 0 || g->size < 0 || sr_mul_overflows(g->n_groups, g->size, &n))
		return false;
	if (!g->n_outer && !g->n_inner)
		return sr_check_range(g->first, (uint64_t)n, p->ids.n) && g->size <= p->n_devices &&
		       are_devices(p, sr_program_ids(p) + g->first, n, 1, seen);
	if (!digits_lie_inside(p, at, g->n_outer) || !digits_lie_inside(p, at + 2 * (uint64_t)g->n_outer, g->n_inner))
		return false;
	struct sr_digits a = digits_at(p, &at, g->n_outer, group_digits), b = digits_at(p, &at, g->n_inner, member_digits);
	return n <= p->n_devices && are_all_digits(a, b, n) && sr_digits_size(b) == g->size && order_is_valid(p, g->order, n);
}

static bool sources_are_valid(const struct permute *m)
{
	int64_t size = sr_digits_size(m->axes);
	if (m->head.n_sources ? m->head.n_sources != size : m->head.step <= -size || m->head.step >= size)
		return false;
	for (int64_t i = 0; i < m->head.n_sources; i++)
		if (m->sources[i] < -1 || m->sources[i] >= size)
			return false;
	return true;
}

bool sr_program_pairs_are_valid(const struct sr_program *p, const struct sr_collective_instr *permute, uint8_t *seen)
{
	struct permute m;
	struct sr_digits no_digits = {0};
	uint64_t head = sizeof(struct sr_permute) / sizeof(int64_t), at = permute->pairs;
	if (permute->n_pairs != SR_PAIRS_OF_AXES)
		return permute->n_pairs >= 0 && sr_check_range(permute->pairs, 2 * (uint64_t)permute->n_pairs, p->ids.n) &&
		       are_devices(p, sr_program_ids(p) + permute->pairs, permute->n_pairs, 2, seen) &&
		       are_devices(p, sr_program_ids(p) + permute->pairs + 1, permute->n_pairs, 2, seen);
	if (!sr_check_range(at, head, p->ids.n))
		return false;
	const struct sr_permute *h = permute_head(p, permute);
	const int64_t counts[] = {h->n_axes, h->n_other_axes, h->n_source_axes};
	at += head;
	for (int i = 0; i < 3; at += 2 * (uint64_t)counts[i++])
		if (!digits_lie_inside(p, at, counts[i]))
			return false;
	if (h->n_sources < 0 || !sr_check_range(at, (uint64_t)h->n_sources, p->ids.n) || h->devices < 1 || p->n_devices % h->devices)
		return false;
	read_permute(p, permute, &m);
	return are_all_digits(m.axes, m.other_axes, h->devices) &&
	       (!m.source_axes.n || (are_all_digits(m.source_axes, no_digits, h->devices) && !m.other_axes.n)) &&
	       (m.source_axes.n || sources_are_valid(&m)) && order_is_valid(p, h->order, h->devices) &&
	       order_is_valid(p, h->source_order, h->devices);
}
