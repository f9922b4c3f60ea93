/* Preparation of a loop nest for interpretation: assignment of scratch memory to values, after its tiles are chosen (nest_tiles.c). */
#include "kernels/nest/access.h"
#include "kernels/nest/nest_run.h"
#include "support/checked.h"
#include "support/integers.h"
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };

/* ---- scratch ---- */

static int64_t round_up(int64_t n)
{
	return (n + ALIGN - 1) / ALIGN * ALIGN;
}

int sr_nest_operands(const struct sr_nest_prepared *r, const struct sr_nest_instr *in, int32_t *to)
{
	const struct sr_nest_map *m = &r->maps[in - sr_nest_instrs(r->nest)];
	int n = 0;
	if (m->is_in_reduction || m->n_interleaved < 0)
		return 0;
	for (int k = 0; in->op == SR_NEST_STORE && k < m->n_interleaved; k++)
		to[n++] = sr_nest_instrs(r->nest)[m->interleaved[k]].args[0];
	if (n)
		return n;
	if (m->product >= 0) {
		to[n++] = sr_nest_instrs(r->nest)[m->product].args[0];
		to[n++] = sr_nest_instrs(r->nest)[m->product].args[1];
		to[n++] = in->args[1];
		return n;
	}
	for (int i = 0; i < in->n_args; i++)
		if (m->counted < 0 || i != 1)
			to[n++] = in->args[i];
	for (const struct sr_nest_instr *load = in->op == SR_NEST_LOAD ? in : NULL, *next; load; load = next) {
		const struct sr_nest_access *a = &r->accesses[load->access];
		int fill_instr = a->fill >= 0 ? r->slots[a->fill].fill_instr : -1;
		next = fill_instr >= 0 ? sr_nest_instrs(r->nest) + fill_instr : NULL;
		if (a->fill >= 0)
			to[n++] = a->fill;
		for (int k = 0; k < a->n_dims; k++)
			if (r->dims[a->first_dim + k].index >= 0)
				to[n++] = r->dims[a->first_dim + k].index;
	}
	return n;
}

/* State of the allocation of slots. A temporary keeps its slot from the instruction that computes it to the last one that reads
 * it. */
struct slots {
	int n, *last_reader, *releasing_instr, n_free, *free_slots;
};

/* Return a slot: a new one for a kept value, which no other value may use. */
static int64_t allocate_slot(struct slots *s, bool is_kept)
{
	return s->n_free && !is_kept ? s->free_slots[--s->n_free] : s->n++;
}

/* Return the number of the instruction at which instruction i is executed: the last one of its group. */
static int execution_of(const struct sr_nest_prepared *r, int i)
{
	return r->maps[i].group < 0 ? i : r->code->groups[r->maps[i].group].last;
}

/* Release the slots of temporaries that nothing reads after instruction `at`, of those that instruction i reads. */
static void release_slots(const struct sr_nest_prepared *r, struct slots *s, int i, int at)
{
	int32_t read[SR_NEST_MAX_OPERANDS];
	for (int n = sr_nest_operands(r, &sr_nest_instrs(r->nest)[i], read); n > 0; n--) {
		int w = read[n - 1];
		const struct sr_nest_slot *p = &r->slots[w];
		if (s->last_reader[w] != at || s->releasing_instr[w] >= 0 || p->is_kept || p->storage != SR_NEST_STORAGE_TILE ||
		    p->at < 0)
			continue;
		s->releasing_instr[w] = at; /* the slot is released once, even if this instruction reads the value twice */
		s->free_slots[s->n_free++] = (int)r->slots[w].at;
	}
}

bool sr_nest_loads_one_element(const struct sr_nest_prepared *r, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &r->accesses[in->access];
	bool is_one = in->op == SR_NEST_LOAD && !a->n_dims;
	for (int l = 0; is_one && l < r->n_loops; l++)
		is_one = a->stride[l] == 0;
	return is_one;
}

/* Return true if an access changes with some of the loops only: tiles along the others read the same elements. */
static bool is_access_repeated(const struct sr_nest_prepared *r, const struct sr_nest_access *a)
{
	bool varies = false, is_repeated = false;
	for (int l = 0; l < r->n_loops; l++) {
		varies = varies || a->stride[l];
		is_repeated = is_repeated || (l < r->n_parallel && !a->stride[l]);
	}
	return varies && is_repeated && !a->n_dims;
}

/* Return true if a MAP reads only constants and kept values that do not depend on the outermost loop. */
static bool is_map_invariant(const struct sr_nest_prepared *r, int i)
{
	const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i];
	bool is_invariant = false;
	if (in->op != SR_NEST_MAP || r->maps[i].is_in_reduction)
		return false;
	for (int k = 0; k < in->n_args; k++) {
		const struct sr_nest_slot *p = &r->slots[in->args[k]];
		is_invariant = is_invariant || p->is_invariant;
		if (!p->is_invariant && !p->is_constant)
			return false;
	}
	return is_invariant;
}

/* Find the values that are the same for several tiles: those of accesses, and up to MAX_MAPS MAPs, each of which needs a slot. */
static void find_kept_values(struct sr_nest_prepared *r)
{
	enum { MAX_MAPS = 8 };
	int n_maps = 0;
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i];
		struct sr_nest_slot *p = in->result >= 0 ? &r->slots[in->result] : NULL;
		if (!p)
			continue;
		p->is_constant = in->op == SR_NEST_CONSTANT;
		if (p->direct_store >= 0 || p->storage != SR_NEST_STORAGE_TILE || p->fill_instr >= 0)
			continue;
		if (in->op == SR_NEST_LOAD || in->op == SR_NEST_INDEX) {
			const struct sr_nest_access *a = &r->accesses[in->access];
			p->is_kept = is_access_repeated(r, a);
			p->is_invariant = p->is_kept && r->n_parallel && !a->stride[0];
		} else if (n_maps < MAX_MAPS && is_map_invariant(r, i)) {
			p->is_kept = p->is_invariant = true;
			n_maps++;
		}
		r->has_kept = r->has_kept || p->is_kept;
	}
}

static void allocate_stage(struct sr_nest_prepared *r, const struct sr_nest_stage *stage, struct slots *s)
{
	const struct sr_nest_instr *instrs = sr_nest_instrs(r->nest);
	int32_t read[SR_NEST_MAX_OPERANDS];
	for (int i = stage->first; i < stage->first + stage->n; i++)
		for (int n = sr_nest_operands(r, &instrs[i], read); n > 0; n--)
			s->last_reader[read[n - 1]] = (int)sr_max(s->last_reader[read[n - 1]], execution_of(r, i));
	for (int i = stage->first; i < stage->first + stage->n; i++) {
		int v = instrs[i].result;
		const struct sr_nest_map *m = &r->maps[i];
		for (int k = i; instrs[i].op == SR_NEST_LOAD && m->n_interleaved > 0 && k >= 0; k = r->maps[k].interleaved[0])
			r->slots[instrs[k].result].at = allocate_slot(s, false);
		if (v >= 0 && r->slots[v].storage == SR_NEST_STORAGE_TILE && instrs[i].op != SR_NEST_CONSTANT &&
		    !m->n_interleaved && !m->is_in_reduction && !r->slots[v].is_in_group &&
		    !sr_nest_loads_one_element(r, &instrs[i]))
			r->slots[v].at = allocate_slot(s, r->slots[v].is_kept);
		if (execution_of(r, i) != i)
			continue;
		int group = r->maps[i].group;
		for (int k = group < 0 ? i : r->code->groups[group].first; k <= i; k++)
			if (r->maps[k].group == group)
				release_slots(r, s, k, i);
	}
}

/* Allocate storage for the values in the bodies of FOLDs, for the parallel iterations of a tile. */
static void allocate_bodies(struct sr_nest_prepared *r, int64_t *at)
{
	const struct sr_nest_value *values = sr_nest_values(r->nest);
	for (int v = 0; v < r->nest->n_values; v++)
		if (values[v].stage < 0) {
			r->slots[v].storage = SR_NEST_STORAGE_ROW;
			r->slots[v].at = *at;
			*at += round_up(r->tile_parallel * sr_dtype_bytes((enum sr_dtype)values[v].dtype));
		}
}

static void find_storage(struct sr_nest_prepared *r)
{
	const struct sr_nest *nest = r->nest;
	const struct sr_nest_stage *stages = sr_nest_stages(nest);
	for (int v = 0; v < nest->n_values; v++)
		r->slots[v] = (struct sr_nest_slot){.storage = SR_NEST_STORAGE_TILE,
						    .at = -1,
						    .repeated_offset = -1,
						    .direct_store = -1,
						    .in_place_access = -1,
						    .fill_instr = -1,
						    .view = -1,
						    .lanes = 1};
	for (int s = 0; s < nest->n_stages; s++)
		for (int i = stages[s].first; i < stages[s].first + stages[s].n; i++) {
			const struct sr_nest_instr *in = &sr_nest_instrs(nest)[i];
			int n = in->op == SR_NEST_FOLD ? in->n_folds : in->result >= 0;
			bool combines = in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD;
			for (int k = 0; k < n; k++) {
				struct sr_nest_slot *p = &r->slots[in->result + k];
				p->definition = i;
				if (sr_nest_values(nest)[in->result + k].is_saved)
					p->storage = SR_NEST_STORAGE_SAVED;
				else if (combines || (!stages[s].over_inner && nest->n_stages > 1))
					p->storage = SR_NEST_STORAGE_ROW;
				if (in->op == SR_NEST_REDUCE && sr_nest_identity(in->kernel, (enum sr_dtype)in->type, p->identity))
					p->lanes = sr_nest_stage_lanes(&stages[s]);
			}
		}
}

/* Return the loops along which the elements of an access are the same: bit l is set for loop l. */
static uint32_t invariant_loops_of(const struct sr_nest_prepared *r, const struct sr_nest_access *a)
{
	uint32_t loops = a->fill >= 0 ? r->slots[a->fill].invariant_loops : ~0u;
	for (int l = 0; l < r->n_loops; l++)
		loops &= ~((uint32_t)(a->stride[l] != 0) << l);
	for (int k = a->first_dim; k < a->first_dim + a->n_dims; k++) {
		const struct sr_nest_dim *d = &r->dims[k];
		loops &= d->index >= 0 ? r->slots[d->index].invariant_loops : ~0u;
		for (int l = 0; l < r->n_loops; l++)
			loops &= ~((uint32_t)(d->coef[l] != 0) << l);
	}
	return loops;
}

/* Find the loops along which values are invariant, and note them in the dims of which they are the indices. */
static void find_invariant_loops(struct sr_nest_prepared *r)
{
	const struct sr_nest *nest = r->nest;
	for (int i = 0; i < nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(nest)[i];
		uint32_t loops = in->op == SR_NEST_CONSTANT ? ~0u : 0;
		if (in->op == SR_NEST_LOAD || in->op == SR_NEST_INDEX)
			loops = invariant_loops_of(r, &r->accesses[in->access]);
		if (in->op == SR_NEST_MAP)
			loops = ~0u;
		for (int k = 0; in->op == SR_NEST_MAP && k < in->n_args; k++)
			loops &= r->slots[in->args[k]].invariant_loops;
		if (in->result >= 0)
			r->slots[in->result].invariant_loops = loops;
	}
	for (int k = 0; k < nest->n_dims; k++)
		if (r->dims[k].index >= 0)
			r->dims[k].invariant_loops = r->slots[r->dims[k].index].invariant_loops;
}

/* Return true if value v, computed by instruction `definition`, may be written directly to the destination of instruction `store`.
 * False if that memory may belong to an input that an instruction in between reads. */
static bool may_store_directly(const struct sr_nest_prepared *r, const int32_t *defining_instr, int definition, int store)
{
	const struct sr_nest *nest = r->nest;
	const struct sr_nest_instr *instrs = sr_nest_instrs(nest);
	int32_t read[SR_NEST_MAX_OPERANDS];
	if (!sr_nest_outputs(nest)[r->accesses[instrs[store].access].buffer - nest->n_inputs].may_share)
		return true;
	for (int k = definition + 1; k < store; k++)
		for (int n = sr_nest_operands(r, &instrs[k], read); n > 0; n--)
			if (instrs[defining_instr[read[n - 1]]].op == SR_NEST_LOAD)
				return false;
	return instrs[definition].op != SR_NEST_LOAD;
}

/* Find the results of MAPs that a STORE of their own stage reads, and the LOADs that nothing else reads, and compute them in the
 * memory of the STORE's destination. Returns false if memory runs out. */
static bool find_direct_stores(struct sr_nest_prepared *r)
{
	const struct sr_nest *nest = r->nest;
	const struct sr_nest_instr *instrs = sr_nest_instrs(nest);
	int32_t read[SR_NEST_MAX_OPERANDS], *uses = calloc(2 * ((size_t)nest->n_values + 1), sizeof *uses),
			*defining_instr = uses ? uses + nest->n_values + 1 : NULL;
	if (!uses)
		return false;
	for (int i = 0; i < nest->n_instrs; i++) {
		for (int n = sr_nest_operands(r, &instrs[i], read); n > 0; n--)
			uses[read[n - 1]]++;
		if (instrs[i].result >= 0)
			defining_instr[instrs[i].result] = i;
	}
	for (int i = 0; i < nest->n_instrs; i++) {
		int v = instrs[i].op == SR_NEST_STORE ? instrs[i].args[0] : -1, definition = v >= 0 ? defining_instr[v] : -1;
		bool is_map = definition >= 0 && instrs[definition].op == SR_NEST_MAP;
		bool may_write = is_map || (definition >= 0 && instrs[definition].op == SR_NEST_LOAD && uses[v] == 1);
		if (may_write && r->slots[v].direct_store < 0 && r->slots[v].storage == SR_NEST_STORAGE_TILE &&
		    !r->maps[definition].n_interleaved && may_store_directly(r, defining_instr, definition, i))
			r->slots[v].direct_store = i;
	}
	free(uses);
	return true;
}

/* Find values that are loaded only to be indices of accesses; they are read in place. */
static void find_in_place_indices(struct sr_nest_prepared *r)
{
	const struct sr_nest *nest = r->nest;
	const struct sr_nest_instr *instrs = sr_nest_instrs(nest);
	for (int i = 0; i < nest->n_instrs; i++)
		if (instrs[i].op == SR_NEST_LOAD && !r->accesses[instrs[i].access].n_dims &&
				r->slots[instrs[i].result].storage == SR_NEST_STORAGE_TILE)
			r->slots[instrs[i].result].in_place_access = instrs[i].access;
	for (int i = 0; i < nest->n_instrs; i++)
		for (int k = 0; k < instrs[i].n_args; k++)
			r->slots[instrs[i].args[k]].in_place_access = -1;
	for (int i = 0; i < nest->n_accesses; i++)
		if (r->accesses[i].fill >= 0)
			r->slots[r->accesses[i].fill].in_place_access = -1;
}

/* Return how many fill values are loaded on demand one inside of the other, from value v on. */
static int fill_depth(const struct sr_nest_prepared *r, int v)
{
	int depth = 0;
	for (; v >= 0 && r->slots[v].fill_instr >= 0; depth++)
		v = r->accesses[sr_nest_instrs(r->nest)[r->slots[v].fill_instr].access].fill;
	return depth;
}

bool sr_nest_can_load_later(const struct sr_nest_prepared *r, const struct sr_nest_instr *load)
{
	bool is_shared = false;
	for (int i = 0; i < r->nest->n_outputs; i++)
		is_shared = is_shared || sr_nest_outputs(r->nest)[i].may_share >> r->accesses[load->access].buffer & 1;
	return !is_shared;
}

/* Find the fill values that are loaded for one access alone, which usually does not need them. Returns false if memory runs
 * out. */
static bool find_fills_on_demand(struct sr_nest_prepared *r)
{
	const struct sr_nest *nest = r->nest;
	const struct sr_nest_instr *instrs = sr_nest_instrs(nest);
	int32_t read[SR_NEST_MAX_OPERANDS], *uses = calloc((size_t)nest->n_values + 1, sizeof *uses);
	if (!uses)
		return false;
	for (int i = 0; i < nest->n_instrs; i++)
		for (int n = sr_nest_operands(r, &instrs[i], read); n > 0; n--)
			uses[read[n - 1]]++;
	for (int i = 0; i < nest->n_instrs; i++) {
		int v = instrs[i].op == SR_NEST_LOAD ? r->accesses[instrs[i].access].fill : -1;
		for (int k = 0; k < i && v >= 0 && uses[v] == 1 && r->slots[v].storage == SR_NEST_STORAGE_TILE; k++) {
			bool is_load = instrs[k].op == SR_NEST_LOAD && instrs[k].result == v;
			int own_fill = is_load ? r->accesses[instrs[k].access].fill : -1;
			bool is_same_stage = sr_nest_values(nest)[v].stage == sr_nest_values(nest)[instrs[i].result].stage;
			if (own_fill >= 0 && is_same_stage && fill_depth(r, own_fill) < SR_NEST_FILL_DEPTH - 1 &&
			    sr_nest_can_load_later(r, &instrs[k]))
				r->slots[v].fill_instr = k;
		}
	}
	free(uses);
	return true;
}

/* Return the MAP in the body of a FOLD that defines `value`, if it has this kernel; else NULL. */
static const struct sr_nest_instr *find_in_body(const struct sr_nest *nest, const struct sr_nest_instr *fold, int value,
						enum sr_kernel kernel)
{
	const struct sr_nest_instr *body = sr_nest_instrs(nest) + fold->body;
	for (const struct sr_nest_instr *m = body; m < body + fold->n_body; m++)
		if (m->result == value && m->op == SR_NEST_MAP && m->kernel == kernel)
			return m;
	return NULL;
}

/* Return SR_GE or SR_LE if a FOLD combines pairs (value, index) so: the accumulators are kept if their value has that order to the
 * element's or is NaN; else SR_EQ. */
static enum sr_compare order_of_extremum(const struct sr_nest *nest, const struct sr_nest_instr *in)
{
	int value = in->body_args, mask = -1;
	bool is_float = sr_dtype_is_float((enum sr_dtype)sr_nest_values(nest)[value].dtype);
	for (int k = 0; k < 2; k++) {
		const struct sr_nest_instr *m = find_in_body(nest, in, in->body_results[k], SR_KERNEL_SELECT);
		if (in->n_folds != 2 || !m || (k && m->args[0] != mask) || m->args[1] != value + k || m->args[2] != value + 2 + k)
			return SR_EQ;
		mask = m->args[0];
	}
	const struct sr_nest_instr *either = find_in_body(nest, in, mask, SR_KERNEL_OR);
	const struct sr_nest_instr *is_nan = either ? find_in_body(nest, in, either->args[1], SR_KERNEL_COMPARE) : NULL;
	const struct sr_nest_instr *order = find_in_body(nest, in, either ? either->args[0] : mask, SR_KERNEL_COMPARE);
	if (!order || order->args[0] != value || order->args[1] != value + 2 || is_float != (either != NULL) ||
	    (is_float && (!is_nan || is_nan->variant != SR_NE || is_nan->args[0] != value || is_nan->args[1] != value)))
		return SR_EQ;
	return order->variant == SR_GE || order->variant == SR_LE ? order->variant : SR_EQ;
}

/* Return the INDEX that is a FOLD's second operand, or from which it is converted, if nothing else reads it and it depends on the
 * only inner loop alone; -1: there is none. uses, defining_instr: of each value. */
static int find_counted_index(const struct sr_nest_prepared *r, const struct sr_nest_instr *fold, const int32_t *uses,
			      const int32_t *defining_instr)
{
	const struct sr_nest_instr *instrs = sr_nest_instrs(r->nest), *in;
	int v = fold->args[1], i;
	do {
		i = defining_instr[v];
		in = &instrs[i];
		if (uses[v] != 1 || in->result != v || r->slots[v].storage != SR_NEST_STORAGE_TILE ||
		    sr_nest_values(r->nest)[v].stage != sr_nest_values(r->nest)[fold->result].stage)
			return -1;
		v = in->args[0];
	} while (in->op == SR_NEST_MAP && in->kernel == SR_KERNEL_CONVERT);
	bool is_counted = in->op == SR_NEST_INDEX && r->n_loops == r->n_parallel + 1 && !r->accesses[in->access].n_dims;
	for (int l = 0; l < r->n_parallel && is_counted; l++)
		is_counted = r->accesses[in->access].stride[l] == 0;
	return is_counted ? i : -1;
}

/* Find the FOLDs to the index of an extremum that is counted (struct sr_nest_map). */
static void find_counted_folds(struct sr_nest_prepared *r, const int32_t *uses, const int32_t *defining_instr)
{
	const struct sr_nest_value *values = sr_nest_values(r->nest);
	for (int i = 0; i < r->nest->n_instrs && r->kernels; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i];
		enum sr_compare order = in->op == SR_NEST_FOLD ? order_of_extremum(r->nest, in) : SR_EQ;
		enum sr_dtype index = order ? (enum sr_dtype)values[in->result + 1].dtype : SR_DTYPE_NONE;
		if ((index != SR_I32 && index != SR_I64) || !r->access->find_extrema[values[in->result].dtype][0])
			continue;
		int counted = find_counted_index(r, in, uses, defining_instr);
		r->maps[i].counted = counted;
		r->maps[i].is_least = order == SR_LE;
		for (int v = in->args[1], k = -1; k != counted; v = sr_nest_instrs(r->nest)[k].args[0]) {
			k = defining_instr[v];
			r->maps[k].is_in_reduction = true;
		}
	}
}

/* Find the REDUCEs that are the only reader of a multiplication, and the FOLDs that are the only reader of a counted index: one
 * function executes both. Returns false if memory runs out. */
static bool find_operands_in_reductions(struct sr_nest_prepared *r)
{
	const struct sr_nest *nest = r->nest;
	const struct sr_nest_instr *instrs = sr_nest_instrs(nest);
	const struct sr_nest_value *values = sr_nest_values(nest);
	int32_t read[SR_NEST_MAX_OPERANDS], *uses = calloc(2 * ((size_t)nest->n_values + 1), sizeof *uses),
			*defining_instr = uses ? uses + nest->n_values + 1 : NULL;
	for (int i = 0; i < nest->n_instrs; i++)
		r->maps[i].product = r->maps[i].load = r->maps[i].group = r->maps[i].counted = -1;
	for (int i = 0; uses && i < nest->n_instrs; i++) {
		for (int n = sr_nest_operands(r, &instrs[i], read); n > 0; n--)
			uses[read[n - 1]]++;
		if (instrs[i].result >= 0)
			defining_instr[instrs[i].result] = i;
	}
	for (int i = 0; uses && i < nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &instrs[i];
		bool is_sum = in->op == SR_NEST_REDUCE && in->kernel == SR_KERNEL_ADD && sr_access_base.add_products[in->type];
		int v = is_sum ? in->args[0] : 0, p = defining_instr[v];
		if (!is_sum || instrs[p].result != v || instrs[p].op != SR_NEST_MAP || instrs[p].kernel != SR_KERNEL_MULTIPLY ||
		    uses[v] != 1 || r->slots[v].storage != SR_NEST_STORAGE_TILE || values[v].stage != values[in->result].stage)
			continue;
		r->maps[i].product = p;
		r->maps[p].is_in_reduction = true;
	}
	if (uses)
		find_counted_folds(r, uses, defining_instr);
	free(uses);
	return uses;
}

/* Choose the storage of each value, and number the slots of temporaries. Returns false if memory runs out. */
static bool assign_slots(struct sr_nest_prepared *r)
{
	size_t n = (size_t)r->nest->n_values + 1;
	int *lists = malloc(3 * n * sizeof *lists);
	struct slots s = {.last_reader = lists, .releasing_instr = lists + n, .free_slots = lists + 2 * n};
	if (!lists)
		return false;
	for (size_t v = 0; v < n; v++)
		s.last_reader[v] = s.releasing_instr[v] = -1;
	find_storage(r);
	find_invariant_loops(r);
	find_in_place_indices(r);
	bool is_complete = find_operands_in_reductions(r);
	sr_nest_find_interleaved(r);
	is_complete = is_complete && find_fills_on_demand(r) && find_direct_stores(r);
	find_kept_values(r);
	is_complete = is_complete && sr_nest_make_vector_code(r) && sr_nest_find_views(r);
	for (int i = 0; is_complete && i < r->nest->n_stages; i++)
		allocate_stage(r, &sr_nest_stages(r->nest)[i], &s);
	r->n_slots = s.n;
	free(lists);
	return is_complete;
}

/* Compute the byte offsets of all values in the scratch. Slots are not a multiple of 4096 bytes apart, so that equal elements of
 * several slots are in different sets of L1. */
static void place_values(struct sr_nest_prepared *r)
{
	const struct sr_nest *nest = r->nest;
	int64_t slot_bytes = round_up(r->tile_iterations * sr_nest_widest_value(nest)) + 3 * ALIGN, at = r->n_slots * slot_bytes;
	for (int v = 0; v < nest->n_values; v++)
		if (sr_nest_values(nest)[v].stage >= 0 && r->slots[v].at >= 0)
			r->slots[v].at *= slot_bytes;
	allocate_bodies(r, &at);
	for (int v = 0; v < nest->n_values; v++) {
		int64_t bytes = sr_dtype_bytes((enum sr_dtype)sr_nest_values(nest)[v].dtype);
		if (r->slots[v].at >= 0 || r->slots[v].storage == SR_NEST_STORAGE_TILE)
			continue;
		r->slots[v].at = at;
		int64_t copies = r->slots[v].storage == SR_NEST_STORAGE_SAVED ? r->inner_iterations : r->slots[v].lanes;
		at += round_up(bytes * r->tile_parallel * copies);
		if (r->slots[v].storage == SR_NEST_STORAGE_ROW && r->tile_parallel > 1) {
			r->slots[v].repeated_offset = at;
			at += round_up(bytes * r->tile_iterations);
		}
	}
	r->vector_memory = at;
	at += round_up(sr_nest_vector_scratch(r));
	r->views = at;
	at += round_up(r->n_views * (int64_t)sizeof(struct sr_nest_view));
	r->replay = at;
	sr_nest_prepare_replay(r);
	at += r->n_recordings * r->replay_bytes;
	r->partial = at;
	r->partial_bytes = round_up(r->tile_parallel * 16);
	int64_t folds = sr_nest_max_folds(nest) * r->partial_bytes;
	int64_t lanes = r->is_row_major ? sr_nest_max_lanes(nest) * r->tile_parallel * sr_nest_widest_value(nest) : 0;
	r->scratch = (size_t)(at + sr_max(sr_max(folds, lanes), slot_bytes));
}

/* Return the number of contiguous elements that a tile stores at once. */
static int64_t stored_row(const struct sr_nest_prepared *r, const struct sr_nest_access *a)
{
	int64_t row = 1;
	for (int i = r->n_loops - 1; i >= 0; i--) {
		int l = r->order[i];
		bool is_repeated = l >= r->n_parallel && !a->stride[l]; /* a stage that runs once does not have the inner loops */
		if (r->tile_size[l] == 1 || is_repeated)
			continue;
		if (a->stride[l] != row)
			break;
		row *= r->tile_size[l];
	}
	return row;
}

/* Return true if the outputs have at least `stream_bytes` bytes. */
static bool has_large_outputs(const struct sr_nest_prepared *r, int64_t stream_bytes)
{
	int64_t sum = 0;
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i];
		if (in->op != SR_NEST_STORE)
			continue;
		int64_t bytes = sr_dtype_bytes((enum sr_dtype)sr_nest_values(r->nest)[in->args[0]].dtype);
		for (int l = 0; l < r->n_loops; l++)
			if (r->accesses[in->access].stride[l] && sr_mul_overflows(bytes, r->extent[l], &bytes))
				bytes = INT64_MAX;
		if (sr_add_overflows(sum, bytes, &sum))
			sum = INT64_MAX;
	}
	return sum >= stream_bytes;
}

/* Return true if tiles store long rows. */
static bool stores_rows(const struct sr_nest_prepared *r)
{
	int64_t row = INT64_MAX;
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i];
		if (in->op == SR_NEST_STORE)
			row = sr_min(row, stored_row(r, &r->accesses[in->access]) *
						  sr_dtype_bytes((enum sr_dtype)sr_nest_values(r->nest)[in->args[0]].dtype));
	}
	return row >= SR_NEST_STREAM_ROW;
}

/* Return true if an access loads contiguous rows along the last loop, at least SR_NEST_STREAM_ROW bytes of each tile, from where
 * indices say. */
static bool gathers_rows(const struct sr_nest_prepared *r, const struct sr_nest_access *a, int64_t bytes)
{
	int last = r->n_loops - 1;
	bool has_index = false, is_row = last >= 0 && r->n_parallel == r->n_loops && r->tile_size[last] * bytes >= SR_NEST_STREAM_ROW;
	for (int k = a->first_dim; is_row && k < a->first_dim + a->n_dims; k++) {
		const struct sr_nest_dim *d = &r->dims[k];
		has_index = has_index || d->index >= 0;
		is_row = !d->coef[last] && (d->index < 0 || d->invariant_loops >> last & 1);
	}
	return is_row && has_index && a->stride[last] == 1;
}

/* Let the LOADs of rows that are only stored be streamed to their destinations. */
static void find_streamed_rows(struct sr_nest_prepared *r)
{
	for (int v = 0; v < r->nest->n_values && r->is_streamed; v++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[r->slots[v].definition];
		int64_t bytes = sr_dtype_bytes((enum sr_dtype)sr_nest_values(r->nest)[v].dtype);
		if (in->op == SR_NEST_LOAD && in->result == v && r->slots[v].direct_store >= 0)
			r->slots[v].is_streamed = gathers_rows(r, &r->accesses[in->access], bytes);
	}
}

bool sr_nest_kernels_exist(const struct sr_nest *nest, const struct sr_kernels *kernels, enum sr_dtype *type)
{
	for (int i = 0; i < nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(nest)[i];
		*type = (enum sr_dtype)in->type;
		if ((in->op == SR_NEST_MAP || in->op == SR_NEST_REDUCE) && !kernels->fn[in->kernel][in->type])
			return false;
	}
	return true;
}

/* Look up the kernel of each MAP, and set its parameters except the numbers of elements of its operands, which each tile sets. */
static void prepare_maps(struct sr_nest_prepared *r)
{
	const struct sr_nest_value *values = sr_nest_values(r->nest);
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i];
		if (in->op != SR_NEST_MAP)
			continue;
		const struct sr_nest_slot *slot = &r->slots[in->result];
		struct sr_nest_map *m = &r->maps[i];
		m->fn = r->kernels ? r->kernels->fn[in->kernel][in->type] : NULL;
		m->params = (struct sr_map_params){.in = values[in->args[0]].dtype, .out = values[in->result].dtype,
						   .variant = in->variant, .exponent_bits = in->exponent_bits,
						   .mantissa_bits = in->mantissa_bits};
		m->is_temporary = slot->storage == SR_NEST_STORAGE_TILE && slot->direct_store < 0;
		for (int k = 0; k < in->n_args; k++)
			m->is_temporary = m->is_temporary && r->slots[in->args[k]].storage == SR_NEST_STORAGE_TILE;
	}
}

/* Return true if the REDUCE at instruction i can combine the elements that the LOAD before it loads where they are. */
static bool reduces_in_place(const struct sr_nest_prepared *r, int i)
{
	const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i], *load = in - 1;
	int32_t read[SR_NEST_MAX_OPERANDS];
	int n_readers = 0;
	if (!i || in->op != SR_NEST_REDUCE || load->op != SR_NEST_LOAD || load->result != in->args[0] || !r->kernels ||
	    !r->kernels->accumulate[in->type] || r->maps[i - 1].n_interleaved || r->is_row_major ||
	    r->slots[in->result].lanes > 1 || r->maps[i].product >= 0)
		return false;
	const struct sr_nest_access *a = &r->accesses[load->access];
	const struct sr_nest_slot *p = &r->slots[load->result];
	for (int k = 0; k < a->n_dims; k++)
		if (r->dims[a->first_dim + k].index >= 0)
			return false;
	for (int k = 0; k < r->nest->n_instrs; k++)
		for (int n = sr_nest_operands(r, &sr_nest_instrs(r->nest)[k], read); n > 0; n--)
			n_readers += read[n - 1] == load->result;
	return n_readers == 1 && p->storage == SR_NEST_STORAGE_TILE && !p->is_kept && p->fill_instr < 0;
}

static void find_reduced_loads(struct sr_nest_prepared *r)
{
	for (int i = 0; i < r->nest->n_instrs; i++)
		r->maps[i].load = reduces_in_place(r, i) ? i - 1 : -1;
}

/* List the instructions that are executed for themselves. */
static void make_schedule(struct sr_nest_prepared *r)
{
	const struct sr_nest *nest = r->nest;
	int n = 0;
	for (int i = 0; i < nest->n_instrs; i++)
		if (sr_nest_instrs(nest)[i].op == SR_NEST_CONSTANT)
			r->schedule[nest->n_instrs - ++r->n_constants] = i;
	for (int s = 0; s < nest->n_stages; s++) {
		const struct sr_nest_stage *stage = &sr_nest_stages(nest)[s];
		r->stages[s].first = n;
		for (int i = stage->first; i < stage->first + stage->n; i++) {
			const struct sr_nest_instr *in = &sr_nest_instrs(nest)[i];
			bool is_in_other = (i + 1 < nest->n_instrs && r->maps[i + 1].load == i) || r->maps[i].is_in_reduction ||
					   r->maps[i].n_interleaved < 0;
			bool is_on_demand = in->op == SR_NEST_LOAD && r->slots[in->result].fill_instr >= 0;
			r->stages[s].reduces = r->stages[s].reduces || in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD;
			if (in->op != SR_NEST_CONSTANT && !is_on_demand && !is_in_other && execution_of(r, i) == i)
				r->schedule[n++] = i;
		}
		r->stages[s].n = n - r->stages[s].first;
	}
}

struct sr_nest_prepared *sr_nest_prepare(const struct sr_nest *nest, const struct sr_kernels *kernels, int64_t stream_bytes)
{
	void *block = calloc(1, sr_nest_prepared_bytes(nest));
	if (!block)
		return NULL;
	struct sr_nest_prepared *r = sr_nest_merge_loops(nest, block);
	r->kernels = kernels;
	r->access = kernels ? kernels->access : &sr_access_base;
	r->vectors = r->access->vectors;
	bool is_large = r->access->stream && has_large_outputs(r, stream_bytes);
	r->may_stream = is_large && !nest->n_dims;
	if (!assign_slots(r)) {
		free(r->code);
		free(block);
		return NULL;
	}
	sr_nest_choose_tiles(r);
	r->is_large = r->n_tiles * r->tile_parallel >= stream_bytes / sr_nest_widest_value(nest) / sr_max(r->inner_iterations, 1);
	r->is_streamed = is_large && stores_rows(r);
	find_streamed_rows(r);
	sr_nest_first_tile(r);
	place_values(r);
	prepare_maps(r);
	find_reduced_loads(r);
	make_schedule(r);
	return r;
}

void sr_nest_release(struct sr_nest_prepared *prepared)
{
	if (prepared)
		free(prepared->code);
	free(prepared);
}

int64_t sr_nest_chunk_count(const struct sr_nest_prepared *prepared)
{
	return prepared->n_tiles;
}

int64_t sr_nest_states_bytes(const struct sr_nest_prepared *r)
{
	return round_up(r->nest->n_values * (int64_t)(2 * sizeof(struct sr_nest_operand) + sizeof(struct sr_nest_kept)));
}

size_t sr_nest_scratch(const struct sr_nest_prepared *r)
{
	return (size_t)sr_nest_states_bytes(r) + r->scratch;
}
