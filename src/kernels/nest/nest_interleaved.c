/* LOADs and STOREs of a stage that together access contiguous elements along the last loop, such as the components of vectors or
 * the two halves of each byte. They are executed as one (sr_nest_load_interleaved, sr_nest_store_interleaved): LOADs at the first
 * of them, STOREs at the last. Whether the buffers of an instruction's accesses have one address, as those of operands of a
 * concatenation, is known when it is executed. */
#include "kernels/nest/nest_prepared.h"
#include <string.h>

enum { MAX_LOADS = 12 };

static bool has_strides(const struct sr_nest_prepared *r, const struct sr_nest_access *a, const struct sr_nest_access *b)
{
	return !memcmp(a->stride, b->stride, (size_t)r->n_loops * sizeof *a->stride);
}

/* Find `step` STOREs of a stage from instruction i on, of which number k stores every step-th element from base + k on. Returns
 * false if not all exist. */
static bool find_stores(const struct sr_nest_prepared *r, const struct sr_nest_stage *stage, int i, int64_t step, int64_t base,
			int32_t *found)
{
	const struct sr_nest_instr *instrs = sr_nest_instrs(r->nest);
	const struct sr_nest_value *values = sr_nest_values(r->nest);
	const struct sr_nest_access *first = &r->accesses[instrs[i].access];
	int64_t n = 0;
	for (int k = 0; k < SR_NEST_INTERLEAVED; k++)
		found[k] = -1;
	for (int j = i; j < stage->first + stage->n; j++) {
		const struct sr_nest_access *a = &r->accesses[instrs[j].access];
		if (instrs[j].op != SR_NEST_STORE || r->maps[j].n_interleaved ||
		    a->offset < base || a->offset >= base + step || found[a->offset - base] >= 0 ||
		    values[instrs[j].args[0]].dtype != values[instrs[i].args[0]].dtype || !has_strides(r, a, first))
			continue;
		found[a->offset - base] = j;
		n++;
	}
	return n == step;
}

/* Find the STOREs that together with STORE i store contiguous elements, if their buffers have one address. */
static void find_joined_stores(struct sr_nest_prepared *r, const struct sr_nest_stage *stage, int i)
{
	const struct sr_nest_access *a = &r->accesses[sr_nest_instrs(r->nest)[i].access];
	int64_t step = a->stride[r->n_loops - 1];
	int32_t found[SR_NEST_INTERLEAVED], last = 0;
	bool is_found = false;
	for (int k = 0; k < step && step <= SR_NEST_INTERLEAVED && step > 1 && !is_found; k++)
		is_found = find_stores(r, stage, i, step, a->offset - k, found);
	for (int k = 0; k < step && is_found; k++) {
		r->maps[found[k]].n_interleaved = -1;
		last = found[k] > last ? found[k] : last;
	}
	if (!is_found)
		return;
	r->maps[last].n_interleaved = (int32_t)step;
	memcpy(r->maps[last].interleaved, found, sizeof found);
}

/* Return true if instruction i is a LOAD that copies every second to SR_NEST_INTERLEAVED-th element along the last loop, such as one
 * component of each vector, and depends on all loops of the nest. */
static bool has_gaps(const struct sr_nest_prepared *r, int i)
{
	const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i];
	const struct sr_nest_access *a = &r->accesses[in->access];
	if (in->op != SR_NEST_LOAD || r->maps[i].n_interleaved || a->n_dims || r->n_parallel != r->n_loops)
		return false;
	const struct sr_nest_slot *p = &r->slots[in->result];
	bool has_gaps = a->stride[r->n_loops - 1] > 1 && a->stride[r->n_loops - 1] <= SR_NEST_INTERLEAVED;
	for (int l = 0; l < r->n_loops; l++)
		has_gaps = has_gaps && a->stride[l];
	return has_gaps && a->fill < 0 && p->storage == SR_NEST_STORAGE_TILE && p->in_place_access < 0;
}

/* List the LOADs that may load contiguous elements together with LOAD i: interleaved[0] of each is the next one, -1 at the end. */
static void find_joined_loads(struct sr_nest_prepared *r, const struct sr_nest_stage *stage, int i)
{
	const struct sr_nest_instr *instrs = sr_nest_instrs(r->nest);
	const struct sr_nest_value *values = sr_nest_values(r->nest);
	const struct sr_nest_access *a = &r->accesses[instrs[i].access];
	int last = i, n = 1;
	for (int j = i + 1; j < stage->first + stage->n && n < MAX_LOADS; j++) {
		if (!has_gaps(r, j) || values[instrs[j].result].dtype != values[instrs[i].result].dtype ||
		    !has_strides(r, a, &r->accesses[instrs[j].access]))
			continue;
		r->maps[last].interleaved[0] = j;
		r->maps[j].n_interleaved = -1;
		last = j;
		n++;
	}
	r->maps[last].interleaved[0] = -1;
	r->maps[i].n_interleaved = n >= a->stride[r->n_loops - 1] ? (int32_t)a->stride[r->n_loops - 1] : 0;
	for (int j = r->maps[i].interleaved[0]; j >= 0 && !r->maps[i].n_interleaved; j = r->maps[j].interleaved[0])
		r->maps[j].n_interleaved = 0;
}

void sr_nest_find_interleaved(struct sr_nest_prepared *r)
{
	for (int s = 0; s < r->nest->n_stages && r->n_loops; s++) {
		const struct sr_nest_stage *stage = &sr_nest_stages(r->nest)[s];
		for (int i = stage->first; i < stage->first + stage->n; i++) {
			if (has_gaps(r, i))
				find_joined_loads(r, stage, i);
			else if (sr_nest_instrs(r->nest)[i].op == SR_NEST_STORE && !r->maps[i].n_interleaved)
				find_joined_stores(r, stage, i);
		}
	}
}

int sr_nest_next_loads(const struct sr_nest_prepared *r, int first, void *const *buffers, uint32_t *loaded, int32_t *found)
{
	const struct sr_nest_instr *instrs = sr_nest_instrs(r->nest);
	int step = r->maps[first].n_interleaved, number = 0, n = 0;
	const struct sr_nest_access *least = NULL;
	uint32_t members = 0, least_member = 0;
	for (int j = first; j >= 0; j = r->maps[j].interleaved[0], number++) {
		const struct sr_nest_access *a = &r->accesses[instrs[j].access];
		bool is_less = !least || (buffers[a->buffer] == buffers[least->buffer] && a->offset < least->offset);
		if (*loaded >> number & 1 || !is_less)
			continue;
		least = a;
		least_member = 1u << number;
		found[0] = j;
	}
	if (!least)
		return 0;
	for (int k = 1; k < SR_NEST_INTERLEAVED; k++)
		found[k] = -1;
	number = 0;
	for (int j = first; j >= 0; j = r->maps[j].interleaved[0], number++) {
		const struct sr_nest_access *a = &r->accesses[instrs[j].access];
		int64_t k = a->offset - least->offset;
		if (*loaded >> number & 1 || buffers[a->buffer] != buffers[least->buffer] || k >= step ||
		    (found[k] >= 0 && found[k] != j))
			continue;
		found[k] = j;
		members |= 1u << number;
		n++;
	}
	*loaded |= n == step ? members : least_member;
	return n == step ? step : 1;
}
