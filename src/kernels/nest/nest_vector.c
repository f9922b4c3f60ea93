/* Translation of a loop nest's elementwise instructions to vector code (vector_code.h). A group of instructions that follow each
 * other is executed by one pass over the elements of a tile. Values that only the group reads are not stored in the tile.
 *
 * A result that the next instruction reads is passed in registers; others are in memory, a block of the vector code or an array. */
#include "kernels/element.h"
#include "kernels/nest/nest_prepared.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct builder {
	struct sr_nest_prepared *r;
	struct sr_nest_vector_code *code;
	struct sr_nest_vector_group *group; /* NULL: none is open */
	int32_t *uses, *defining_instr, *operand; /* by value; operand: number of the group's operand with the value, plus 1 */
	bool *is_combined; /* by value: true if the op of another instruction computes the value */
	int32_t in_registers; /* number of the operand that the last step leaves in registers; -1: none */
};

static enum sr_dtype type_of(const struct builder *b, int value)
{
	return (enum sr_dtype)sr_nest_values(b->r->nest)[value].dtype;
}

/* Return true if an instruction shifts by a constant that is less than the bits of an element. */
static bool is_common_shift(const struct builder *b, const struct sr_nest_instr *in)
{
	bool is_shift = in->kernel == SR_KERNEL_SHIFT_LEFT || in->kernel == SR_KERNEL_SHIFT_RIGHT_LOGICAL ||
			in->kernel == SR_KERNEL_SHIFT_RIGHT_ARITHMETIC;
	const struct sr_nest_instr *amount = is_shift ? &sr_nest_instrs(b->r->nest)[b->defining_instr[in->args[1]]] : NULL;
	int64_t n;
	if (!amount || amount->op != SR_NEST_CONSTANT || amount->result != in->args[1])
		return false;
	enum sr_dtype type = type_of(b, in->args[1]);
	sr_index_load_strided(type, sr_nest_constants(b->r->nest) + amount->constant, 0, 0, 1, &n);
	return n >= 0 && n < 8 * sr_dtype_bytes(type);
}

/* Return the function of an instruction, by the types of its last argument and its result; NULL: vector code has none. */
static sr_vector_fn *function_of(const struct builder *b, const struct sr_nest_instr *in, enum sr_vector_form form)
{
	enum sr_dtype last = type_of(b, in->args[in->n_args - 1]);
	int variant = is_common_shift(b, in) ? SR_VECTOR_COMMON_AMOUNT : in->variant;
	return b->r->vectors->find((enum sr_kernel)in->kernel, last, type_of(b, in->result), variant, form);
}

/* Return the bytes of an instruction's elements: those of its widest type. 0: it has truth values only, which have the size of the
 * group's elements. */
static int width_of(const struct builder *b, const struct sr_nest_instr *in)
{
	enum sr_dtype last = type_of(b, in->args[in->n_args - 1]), out = type_of(b, in->result);
	int last_bytes = last != SR_I1 ? sr_dtype_bytes(last) : 0, out_bytes = out != SR_I1 ? sr_dtype_bytes(out) : 0;
	return last_bytes > out_bytes ? last_bytes : out_bytes;
}

static bool is_member(const struct builder *b, int instr)
{
	return b->group && b->r->maps[instr].group == b->group - b->code->groups;
}

/* ---- steps ---- */

static int new_operand(struct builder *b, enum sr_nest_vector_kind kind, int value)
{
	bool has_own_size = kind == SR_NEST_VECTOR_NARROW || kind == SR_NEST_VECTOR_NARROW_RESULT;
	int bytes = has_own_size ? sr_dtype_bytes(type_of(b, value)) : b->group->bytes;
	b->code->operands[b->group->first_operand + b->group->n_operands] =
		(struct sr_nest_vector_operand){.value = value, .kind = kind, .bytes = (uint8_t)bytes};
	return b->group->n_operands++;
}

/* Return true if a value has another form in memory than in the group's vectors. */
static bool is_narrow(const struct builder *b, int value)
{
	return type_of(b, value) == SR_I1 || sr_dtype_bytes(type_of(b, value)) < b->group->bytes;
}

static struct sr_nest_vector_step *new_step(struct builder *b, sr_vector_fn *fn, int out)
{
	struct sr_nest_vector_step *s = &b->code->steps[b->group->first_step + b->group->n_steps++];
	*s = (struct sr_nest_vector_step){.fn = fn, .out = out, .call = -1};
	for (int k = 0; k < SR_VECTOR_ARGS; k++)
		s->args[k] = -1;
	return s;
}

/* Return the operand of a value that the group reads. Narrow values from outside are first extended to elements of the group. */
static int operand_of(struct builder *b, int value)
{
	if (b->operand[value])
		return b->operand[value] - 1;
	int k = new_operand(b, is_narrow(b, value) ? SR_NEST_VECTOR_NARROW : SR_NEST_VECTOR_ARRAY, value);
	if (is_narrow(b, value)) {
		int from = k;
		k = new_operand(b, SR_NEST_VECTOR_BLOCK, value);
		new_step(b, b->r->vectors->find_load(type_of(b, value), b->group->bytes), k)->args[0] = from;
		b->in_registers = k;
	}
	b->operand[value] = k + 1;
	return k;
}

/* ---- combined ops ---- */

/* An op that computes an instruction and others whose results only it needs: those of `parts`. */
struct combined {
	enum sr_vector_combined op;
	int32_t n_args, args[SR_VECTOR_ARGS], n_parts, parts[3]; /* values */
};

/* Return the instruction of the group that defines the value, if one instruction reads the value; else NULL. */
static const struct sr_nest_instr *part_of(const struct builder *b, int value)
{
	int i = b->defining_instr[value];
	const struct sr_nest_instr *in = &sr_nest_instrs(b->r->nest)[i];
	bool is_part = in->result == value && is_member(b, i) && b->uses[value] == 1 &&
		       b->r->slots[value].storage == SR_NEST_STORAGE_TILE;
	return is_part ? in : NULL;
}

/* Return the instruction that shifts to the left, or without sign to the right, for a single reader; NULL: the value is not its
 * result. */
static const struct sr_nest_instr *shift_of(const struct builder *b, int value, enum sr_kernel kernel)
{
	const struct sr_nest_instr *in = part_of(b, value);
	return in && in->kernel == kernel ? in : NULL;
}

/* Return true if a value is one element for all iterations: a constant, or loaded from one address. */
static bool is_one_element(const struct builder *b, int value)
{
	const struct sr_nest_instr *in = &sr_nest_instrs(b->r->nest)[b->defining_instr[value]];
	return in->result == value && (in->op == SR_NEST_CONSTANT || sr_nest_loads_one_element(b->r, in));
}

/* Find ((x << n) | (x >> m)) ^ z, where operand k is the disjunction. */
static bool find_shifts_xor(const struct builder *b, const struct sr_nest_instr *in, int k, struct combined *c)
{
	const struct sr_nest_instr *joined = part_of(b, in->args[k]), *left = NULL, *right = NULL;
	for (int i = 0; joined && joined->kernel == SR_KERNEL_OR && i < 2 && !(left && right); i++) {
		left = shift_of(b, joined->args[i], SR_KERNEL_SHIFT_LEFT);
		right = shift_of(b, joined->args[1 - i], SR_KERNEL_SHIFT_RIGHT_LOGICAL);
	}
	if (!left || !right || left->args[0] != right->args[0] || !is_one_element(b, left->args[1]) ||
	    !is_one_element(b, right->args[1]))
		return false;
	*c = (struct combined){SR_VECTOR_SHIFTS_XOR, 4, {left->args[0], left->args[1], in->args[1 - k], right->args[1]},
			       3, {joined->result, left->result, right->result}};
	return true;
}

/* Find x ^ (x << n) or x ^ (x >> n), where operand k is the shift. */
static bool find_xor_shift(const struct builder *b, const struct sr_nest_instr *in, int k, struct combined *c)
{
	int x = in->args[1 - k], shifted = in->args[k];
	const struct sr_nest_instr *left = shift_of(b, shifted, SR_KERNEL_SHIFT_LEFT);
	const struct sr_nest_instr *shift = left ? left : shift_of(b, shifted, SR_KERNEL_SHIFT_RIGHT_LOGICAL);
	if (!shift || shift->args[0] != x || !is_common_shift(b, shift))
		return false;
	*c = (struct combined){left ? SR_VECTOR_XOR_SHIFT_LEFT : SR_VECTOR_XOR_SHIFT_RIGHT, 2, {x, shift->args[1]}, 1, {shifted}};
	return true;
}

/* Return the select instruction that defines the value, if one instruction reads the value; else NULL. */
static const struct sr_nest_instr *selection_of(const struct builder *b, int value)
{
	const struct sr_nest_instr *in = part_of(b, value);
	return in && in->kernel == SR_KERNEL_SELECT ? in : NULL;
}

/* Find x + (t ? a : b) or x + (t ? u ? a : b : c), where operand k is the selection, and a, b and c are single elements. */
static bool find_add_select(const struct builder *b, const struct sr_nest_instr *in, int k, struct combined *c)
{
	int x = in->args[1 - k], chosen = in->args[k];
	const struct sr_nest_instr *outer = selection_of(b, chosen), *inner = outer ? selection_of(b, outer->args[1]) : NULL;
	const struct sr_nest_instr *first = inner ? inner : outer;
	if (!outer || !is_one_element(b, first->args[1]) || !is_one_element(b, first->args[2]) ||
	    !is_one_element(b, outer->args[2]))
		return false;
	if (inner)
		*c = (struct combined){SR_VECTOR_ADD_SELECT_3, 6, {x, outer->args[0], inner->args[0], inner->args[1],
				       inner->args[2], outer->args[2]}, 2, {chosen, inner->result}};
	else
		*c = (struct combined){SR_VECTOR_ADD_SELECT, 4, {x, outer->args[0], outer->args[1], outer->args[2]}, 1, {chosen}};
	return true;
}

/* Find a sum or difference of which operand k is a product. */
static bool find_sum_of_product(const struct builder *b, const struct sr_nest_instr *in, int k, struct combined *c)
{
	const struct sr_nest_instr *product = part_of(b, in->args[k]);
	if (!product || product->kernel != SR_KERNEL_MULTIPLY)
		return false;
	*c = (struct combined){in->kernel == SR_KERNEL_ADD ? SR_VECTOR_MULTIPLY_ADD :
			       k ? SR_VECTOR_SUBTRACT_PRODUCT : SR_VECTOR_MULTIPLY_SUBTRACT,
			       3, {product->args[0], product->args[1], in->args[1 - k]}, 1, {product->result}};
	return true;
}

/* Find a sum of three, of which operand k is a sum. */
static bool find_sum_of_three(const struct builder *b, const struct sr_nest_instr *in, int k, struct combined *c)
{
	const struct sr_nest_instr *sum = part_of(b, in->args[k]);
	if (!sum || sum->kernel != SR_KERNEL_ADD)
		return false;
	*c = (struct combined){SR_VECTOR_ADD_3, 3, {sum->args[0], sum->args[1], in->args[1 - k]}, 1, {sum->result}};
	return true;
}

static bool find_square(const struct builder *b, const struct sr_nest_instr *in, int k, struct combined *c)
{
	(void)b;
	*c = (struct combined){SR_VECTOR_SQUARE, 1, {in->args[k]}, 0, {0}};
	return in->args[0] == in->args[1];
}

/* Return true if an instruction compares floats of the group's size, not by their total order. */
static bool compares_floats(const struct builder *b, const struct sr_nest_instr *in, enum sr_compare comparison)
{
	enum sr_dtype type = in ? type_of(b, in->args[0]) : SR_I1;
	return in && in->kernel == SR_KERNEL_COMPARE && in->variant == comparison && sr_dtype_is_float(type) &&
	       sr_dtype_bytes(type) == b->group->bytes;
}

/* Find x == y || x != x, of floats, where operand k is x == y. */
static bool find_equal_or_nan(const struct builder *b, const struct sr_nest_instr *in, int k, struct combined *c)
{
	const struct sr_nest_instr *equal = part_of(b, in->args[k]), *differs = part_of(b, in->args[1 - k]);
	if (!compares_floats(b, equal, SR_EQ) || !compares_floats(b, differs, SR_NE) || differs->args[0] != differs->args[1])
		return false;
	int x = differs->args[0], is_second = equal->args[1] == x;
	*c = (struct combined){SR_VECTOR_EQUAL_OR_NAN, 2, {x, equal->args[!is_second]}, 2, {equal->result, differs->result}};
	return equal->args[0] == x || is_second;
}

/* The functions that find the combined op of an instruction, by its kernel and the type of its result, in the order in which they
 * are tried. */
static const struct {
	enum sr_kernel kernel;
	enum { ANY_NUMBERS, FLOATS, TRUTHS } of;
	bool (*find)(const struct builder *b, const struct sr_nest_instr *in, int k, struct combined *c);
} combined_ops[] = {
    {SR_KERNEL_XOR, ANY_NUMBERS, find_shifts_xor},
    {SR_KERNEL_XOR, ANY_NUMBERS, find_xor_shift},
    {SR_KERNEL_ADD, FLOATS, find_add_select},
    {SR_KERNEL_ADD, FLOATS, find_sum_of_product},
    {SR_KERNEL_ADD, FLOATS, find_sum_of_three},
    {SR_KERNEL_SUBTRACT, FLOATS, find_sum_of_product},
    {SR_KERNEL_MULTIPLY, FLOATS, find_square},
    {SR_KERNEL_OR, TRUTHS, find_equal_or_nan},
};

/* Find the combined op that computes an instruction, if the instruction set has one for its elements. */
static bool find_combined(const struct builder *b, const struct sr_nest_instr *in, struct combined *c)
{
	enum { N = sizeof combined_ops / sizeof *combined_ops, OPERANDS = 2 };
	enum sr_dtype type = type_of(b, in->result);
	bool is_number = !is_narrow(b, in->result);
	const bool fits[] = {[ANY_NUMBERS] = is_number, [FLOATS] = is_number && sr_dtype_is_float(type), [TRUTHS] = type == SR_I1};
	for (int i = 0; i < N * OPERANDS; i++)
		if (combined_ops[i / OPERANDS].kernel == (enum sr_kernel)in->kernel && fits[combined_ops[i / OPERANDS].of] &&
		    combined_ops[i / OPERANDS].find(b, in, i % OPERANDS, c) &&
		    b->r->vectors->find_combined(c->op, b->group->bytes, SR_VECTOR_NONE))
			return true;
	return false;
}

/* ---- instructions ---- */

/* Return the function of an instruction, or of the combined op c that computes it; NULL: there is none of this form. */
static sr_vector_fn *step_function(const struct builder *b, const struct sr_nest_instr *in, const struct combined *c, int form)
{
	return c ? b->r->vectors->find_combined(c->op, b->group->bytes, (enum sr_vector_form)form) :
		   function_of(b, in, (enum sr_vector_form)form);
}

/* Add the step of an instruction, or of the combined op that computes it. Its result is a block, unless add_result is called
 * next. */
static void add_instruction(struct builder *b, const struct sr_nest_instr *in)
{
	struct combined c;
	bool is_combined = find_combined(b, in, &c);
	const int32_t *values = is_combined ? c.args : in->args;
	int args[SR_VECTOR_ARGS], form = 0, n = is_combined ? c.n_args : in->n_args;
	for (int k = 0; k < n; k++)
		args[k] = operand_of(b, values[k]);
	for (int k = n - 1; k >= 0; k--)
		if (args[k] == b->in_registers)
			form = k + 1;
	int result = new_operand(b, SR_NEST_VECTOR_BLOCK, in->result);
	struct sr_nest_vector_step *s = new_step(b, step_function(b, in, is_combined ? &c : NULL, form), result);
	if (form == SR_VECTOR_FIRST || form == SR_VECTOR_SECOND) {
		s->fn_one = step_function(b, in, is_combined ? &c : NULL, form - SR_VECTOR_FIRST + SR_VECTOR_FIRST_ONE);
		s->one = n == 3 ? 2 : SR_VECTOR_SECOND - form;
	}
	for (int k = 0; k < n; k++)
		if (k != form - 1) {
			s->args[k] = args[k];
			b->code->operands[b->group->first_operand + args[k]].is_read = true;
		}
	b->operand[in->result] = result + 1;
	b->in_registers = result;
}

/* Return true if an instruction can be a call of its kernel: all its values have elements of one size. */
static bool is_call(const struct builder *b, const struct sr_nest_instr *in)
{
	int bytes = sr_dtype_bytes(type_of(b, in->result));
	bool is_call = bytes <= 8 && type_of(b, in->result) != SR_I1 && b->r->kernels;
	for (int k = 0; k < in->n_args; k++)
		is_call = is_call && sr_dtype_bytes(type_of(b, in->args[k])) == bytes && type_of(b, in->args[k]) != SR_I1;
	return is_call;
}

/* Add the step of an instruction that is a call of its kernel. */
static void add_call(struct builder *b, const struct sr_nest_instr *in)
{
	int args[SR_VECTOR_ARGS];
	for (int k = 0; k < in->n_args; k++)
		args[k] = operand_of(b, in->args[k]);
	int result = new_operand(b, SR_NEST_VECTOR_BLOCK, in->result);
	struct sr_nest_vector_step *s = new_step(b, b->r->vectors->call, result);
	struct sr_nest_vector_operand *operands = &b->code->operands[b->group->first_operand];
	for (int k = 0; k < in->n_args; k++) {
		s->args[k] = args[k];
		operands[args[k]].is_read = true;
	}
	operands[result].is_read = true;
	s->call = b->code->n_calls;
	b->code->calls[b->code->n_calls++] = (struct sr_vector_call){
		.fn = b->r->kernels->fn[in->kernel][in->type], .n_args = in->n_args, .element_bytes = b->group->bytes,
		.params = {.in = (uint8_t)type_of(b, in->args[0]), .out = (uint8_t)type_of(b, in->result), .variant = in->variant,
			   .exponent_bits = in->exponent_bits, .mantissa_bits = in->mantissa_bits}};
	b->operand[in->result] = result + 1;
	b->in_registers = result;
}

/* Return true if an instruction outside of the group reads the value, or it is kept for later stages. */
static bool is_read_outside(const struct builder *b, int value)
{
	const struct sr_nest *nest = b->r->nest;
	int n = 0;
	for (int i = b->group->first; i <= b->group->last; i++)
		for (int k = 0; is_member(b, i) && k < sr_nest_instrs(nest)[i].n_args; k++)
			n += sr_nest_instrs(nest)[i].args[k] == value;
	return n < b->uses[value] || b->r->slots[value].storage != SR_NEST_STORAGE_TILE;
}

/* Return true if only a STORE reads a result of the group, of a nest with so large outputs that they may be streamed. */
static bool streams_result(const struct builder *b, int value)
{
	return b->r->may_stream && b->r->vectors->stream && !is_narrow(b, value) && b->uses[value] == 1 &&
	       b->r->slots[value].direct_store >= 0;
}

/* Write the result of the last step, instruction `in`, to the tile's value. */
static void add_result(struct builder *b, const struct sr_nest_instr *in)
{
	if (streams_result(b, in->result)) {
		int out = new_operand(b, SR_NEST_VECTOR_RESULT, in->result);
		new_step(b, b->r->vectors->find(SR_KERNEL_BITCAST, SR_I32, SR_I32, 0, SR_VECTOR_FIRST), out)->stores = true;
		b->r->slots[in->result].is_streamed = true;
		return;
	}
	if (!is_narrow(b, in->result)) {
		b->code->operands[b->group->first_operand + b->in_registers].kind = SR_NEST_VECTOR_RESULT;
		return;
	}
	int to = new_operand(b, SR_NEST_VECTOR_NARROW_RESULT, in->result);
	new_step(b, b->r->vectors->find_store(type_of(b, in->result), b->group->bytes), to);
}

/* Let the steps whose result only the next step reads, in registers, write no block. */
static void remove_unread_blocks(struct builder *b)
{
	for (int i = 0; i < b->group->n_steps; i++) {
		struct sr_nest_vector_step *s = &b->code->steps[b->group->first_step + i];
		const struct sr_nest_vector_operand *out = &b->code->operands[b->group->first_operand + s->out];
		if (out->kind == SR_NEST_VECTOR_BLOCK && !out->is_read)
			s->out = -1;
	}
}

/* List where the ops of the group have the address of each operand that is an array. */
static void list_uses(struct builder *b)
{
	struct sr_nest_vector_operand *operands = &b->code->operands[b->group->first_operand];
	for (int is_listed = 0; is_listed < 2; is_listed++) {
		for (int i = 0; i < b->group->n_steps; i++) {
			const struct sr_nest_vector_step *s = &b->code->steps[b->group->first_step + i];
			for (int k = -1; k < SR_VECTOR_ARGS; k++) {
				int number = k < 0 ? s->out : s->args[k];
				size_t member = k < 0 ? offsetof(struct sr_vector_op, out) : offsetof(struct sr_vector_op, args[k]);
				if (number < 0 || operands[number].kind == SR_NEST_VECTOR_BLOCK)
					continue;
				if (is_listed)
					b->code->uses[operands[number].first_use + operands[number].n_uses] =
						(int32_t)((size_t)i * sizeof(struct sr_vector_op) + member);
				operands[number].n_uses++;
			}
		}
		for (int k = 0; k < b->group->n_operands && !is_listed; k++) {
			operands[k].first_use = b->code->n_uses;
			b->code->n_uses += operands[k].n_uses;
			operands[k].n_uses = 0;
		}
	}
}

/* ---- groups ---- */

static void close_group(struct builder *b)
{
	struct sr_nest_vector_group *g = b->group;
	const struct sr_nest_instr *instrs = sr_nest_instrs(b->r->nest);
	enum { LEAST_INSTRS = 2 };
	struct combined c;
	int n = 0;
	if (!g)
		return;
	for (int i = g->first; i <= g->last; i++)
		n += is_member(b, i) && function_of(b, &instrs[i], SR_VECTOR_NONE);
	if (n < LEAST_INSTRS) {
		for (int i = g->first; i <= g->last; i++)
			b->r->maps[i].group = is_member(b, i) ? -1 : b->r->maps[i].group;
		b->group = NULL;
		return;
	}
	memset(b->operand, 0, (size_t)b->r->nest->n_values * sizeof *b->operand);
	b->in_registers = -1;
	g->bytes = g->bytes ? g->bytes : 1;
	for (int i = g->last; i >= g->first; i--) /* readers first, since parts are combined with their readers */
		if (is_member(b, i) && !b->is_combined[instrs[i].result] && find_combined(b, &instrs[i], &c))
			for (int k = 0; k < c.n_parts; k++)
				b->is_combined[c.parts[k]] = true;
	for (int i = g->first; i <= g->last; i++) {
		if (!is_member(b, i))
			continue;
		b->r->slots[instrs[i].result].is_in_group = b->is_combined[instrs[i].result];
		if (b->is_combined[instrs[i].result])
			continue;
		if (function_of(b, &instrs[i], SR_VECTOR_NONE))
			add_instruction(b, &instrs[i]);
		else
			add_call(b, &instrs[i]);
		b->r->slots[instrs[i].result].is_in_group = !is_read_outside(b, instrs[i].result);
		if (!b->r->slots[instrs[i].result].is_in_group)
			add_result(b, &instrs[i]);
	}
	remove_unread_blocks(b);
	new_step(b, b->r->vectors->end, -1);
	list_uses(b);
	if (g->n_operands > b->code->max_operands)
		b->code->max_operands = g->n_operands;
	b->code->n_groups++;
	b->group = NULL;
}

static void open_group(struct builder *b, int instr)
{
	struct sr_nest_vector_group *g = &b->code->groups[b->code->n_groups];
	const struct sr_nest_vector_group *before = g - 1;
	*g = (struct sr_nest_vector_group){.first = instr};
	if (b->code->n_groups) {
		g->first_step = before->first_step + before->n_steps;
		g->first_operand = before->first_operand + before->n_operands;
	}
	b->group = g;
}

/* Return true if an instruction reads a result of the open group. */
static bool reads_group(const struct builder *b, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &b->r->accesses[in->access] : NULL;
	bool reads = a && a->fill >= 0 && is_member(b, b->defining_instr[a->fill]);
	for (int k = 0; a && k < a->n_dims; k++) {
		int index = b->r->dims[a->first_dim + k].index;
		reads = reads || (index >= 0 && is_member(b, b->defining_instr[index]));
	}
	return reads;
}

static void visit(struct builder *b, int instr)
{
	const struct sr_nest_instr *in = &sr_nest_instrs(b->r->nest)[instr];
	bool is_load = in->op == SR_NEST_LOAD || in->op == SR_NEST_INDEX || in->op == SR_NEST_CONSTANT;
	if (is_load && !reads_group(b, in)) /* it is executed before the group */
		return;
	if (in->op == SR_NEST_MAP && b->r->slots[in->result].is_kept) /* it reads no result of the group, and is rarely executed */
		return;
	if (in->op != SR_NEST_MAP || in->n_args > SR_VECTOR_ARGS || b->r->maps[instr].is_in_reduction ||
	    (!function_of(b, in, SR_VECTOR_NONE) && (!b->group || !is_call(b, in)))) {
		close_group(b);
		return;
	}
	int bytes = width_of(b, in);
	if (b->group && b->group->bytes && bytes && b->group->bytes != bytes)
		close_group(b);
	if (!b->group)
		open_group(b, instr);
	b->group->bytes = b->group->bytes ? b->group->bytes : bytes;
	b->group->last = instr;
	b->r->maps[instr].group = b->code->n_groups;
}

/* Allocate code with room for every instruction of the nest in a group: an instruction has an operand for each argument and for its
 * result, each of which may also have one for its narrow form in memory, and a step for each argument that is loaded from that
 * form, for itself and for the store of its result. Each group has one more step, its end. */
static struct sr_nest_vector_code *new_code(const struct sr_nest *nest)
{
	size_t n_calls = (size_t)nest->n_instrs, n_groups = (size_t)nest->n_instrs + 1;
	size_t n_operands = n_calls * 2 * (SR_VECTOR_ARGS + 1), n_steps = n_calls * (SR_VECTOR_ARGS + 2) + n_groups;
	size_t n_uses = n_steps * (SR_VECTOR_ARGS + 1);
	struct sr_nest_vector_code *code = calloc(1, sizeof *code + n_calls * sizeof *code->calls + n_steps * sizeof *code->steps +
						      n_operands * sizeof *code->operands + n_groups * sizeof *code->groups +
						      n_uses * sizeof *code->uses);
	if (!code)
		return NULL;
	code->calls = (void *)(code + 1);
	code->steps = (void *)(code->calls + n_calls);
	code->operands = (void *)(code->steps + n_steps);
	code->groups = (void *)(code->operands + n_operands);
	code->uses = (void *)(code->groups + n_groups);
	return code;
}

/* ---- execution ---- */

/* Memory of vector code in the scratch: the parts that all groups share, then those of each group (lay_out_groups). */
struct memory {
	char *blocks;  /* one for each operand */
	int64_t block; /* bytes of a block */
	struct sr_vector_arg *places; /* of operands */
	/* of the group: whether it has ops, for operands of the kinds that `operands` has, at these addresses */
	int64_t *has_ops;
	struct sr_nest_operand *operands;
	/* `rest`: for the last elements, fewer than a block, which are copied to blocks */
	struct sr_vector_op *ops, *rest;
	char *scalars; /* the group's memory, in which operands have offsets */
};

static int64_t shared_bytes(const struct sr_nest_prepared *r)
{
	int64_t block = SR_VECTOR_COUNT * r->vectors->vector_bytes;
	return (r->code->max_operands * (block + (int64_t)sizeof(struct sr_vector_arg)) + 63) / 64 * 64;
}

int64_t sr_nest_vector_scratch(const struct sr_nest_prepared *r)
{
	return sr_nest_operands_bytes(r) + shared_bytes(r) + r->code->memory + 64;
}

/* Return the bytes of a group's memory before the vectors of single elements. */
static int32_t head_bytes(const struct sr_nest_vector_group *g)
{
	int32_t bytes = (int32_t)(sizeof(int64_t) + (size_t)g->n_operands * sizeof(struct sr_nest_operand));
	return (bytes + 63) / 64 * 64 + 2 * g->n_steps * (int32_t)sizeof(struct sr_vector_op);
}

static struct memory memory_of(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, char *scratch)
{
	struct memory m = {.blocks = scratch + (-(uintptr_t)scratch & 63), .block = SR_VECTOR_COUNT * r->vectors->vector_bytes};
	m.places = (void *)(m.blocks + r->code->max_operands * m.block);
	m.scalars = m.blocks + shared_bytes(r) + g->memory;
	m.has_ops = (void *)m.scalars;
	m.operands = (void *)(m.has_ops + 1);
	m.rest = (void *)(m.scalars + head_bytes(g) - g->n_steps * (int64_t)sizeof(struct sr_vector_op));
	m.ops = m.rest - g->n_steps;
	return m;
}

static bool is_array(enum sr_nest_vector_kind kind)
{
	return kind != SR_NEST_VECTOR_BLOCK;
}

/* Divide the memory of vector code among the groups. */
static void lay_out_groups(struct sr_nest_prepared *r)
{
	int block = SR_VECTOR_COUNT * r->vectors->vector_bytes;
	for (int i = 0; i < r->code->n_groups; i++) {
		struct sr_nest_vector_group *g = &r->code->groups[i];
		int32_t at = head_bytes(g);
		g->memory = r->code->memory;
		for (int k = 0; k < g->n_operands; k++) {
			struct sr_nest_vector_operand *o = &r->code->operands[g->first_operand + k];
			o->scalar = at;
			o->is_constant = r->slots[o->value].is_constant;
			if (sr_nest_is_input(o->kind))
				at += o->kind == SR_NEST_VECTOR_NARROW ? block : r->vectors->vector_bytes;
		}
		r->code->memory += (at + 63) / 64 * 64;
	}
}

void sr_nest_begin_vector_code(const struct sr_nest_prepared *r, char *scratch)
{
	for (int i = 0; i < r->code->n_groups; i++)
		*memory_of(r, &r->code->groups[i], scratch).has_ops = false;
}

static void make_ops(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, const struct sr_vector_arg *places,
		     struct sr_vector_op *ops)
{
	for (int i = 0; i < g->n_steps; i++) {
		const struct sr_nest_vector_step *s = &r->code->steps[g->first_step + i];
		struct sr_vector_op *op = &ops[i];
		op->call = s->call >= 0 ? &r->code->calls[s->call] : NULL;
		for (int k = 0; k < SR_VECTOR_ARGS; k++)
			if (s->args[k] >= 0)
				op->args[k] = places[s->args[k]];
		op->fn = s->stores && r->is_streamed ? r->vectors->stream : s->fn_one && !op->args[s->one].step ? s->fn_one : s->fn;
		op->out = s->out >= 0 ? places[s->out] : (struct sr_vector_arg){0};
	}
}

/* Make the ops of a group for operands of the given kinds, and note their addresses. */
static void make_group(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, const struct memory *m,
		       const struct sr_nest_operand *operands)
{
	const struct sr_nest_vector_operand *o = &r->code->operands[g->first_operand];
	for (int is_rest = 1; is_rest >= 0; is_rest--) {
		for (int k = 0; k < g->n_operands; k++) {
			m->places[k] = (struct sr_vector_arg){m->blocks + k * m->block, r->vectors->vector_bytes, 0};
			if (!is_array(o[k].kind))
				continue;
			m->operands[k] = operands[k];
			if (operands[k].scalar)
				m->places[k] = (struct sr_vector_arg){m->scalars + o[k].scalar, 0, 0};
			else if (!is_rest)
				m->places[k] = (struct sr_vector_arg){operands[k].at, r->vectors->vector_bytes, -1};
		}
		make_ops(r, g, m->places, is_rest ? m->rest : m->ops);
	}
}

/* Fill `size` bytes, a multiple of 8, with an element of `bytes` bytes, at most 8. */
static void fill_vector(const char *element, int bytes, char *to, int64_t size)
{
	uint64_t word = 0;
	memcpy(&word, element, (size_t)bytes);
	for (int n = 8 * bytes; n < 64; n *= 2)
		word |= word << n;
	for (int64_t i = 0; i < size; i += 8)
		memcpy(to + i, &word, 8);
}

/* Let the group's ops have an operand that is a single element. */
static void fill_operand(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, const struct memory *m,
			 const struct sr_nest_vector_operand *o, const char *element)
{
	int64_t size = o->kind == SR_NEST_VECTOR_NARROW ? m->block / g->bytes * o->bytes : r->vectors->vector_bytes;
	fill_vector(element, o->bytes, m->scalars + o->scalar, size);
}

/* Let the group's ops have the address of operand number k, an array. */
static void set_address(const struct sr_nest_prepared *r, const struct memory *m, const struct sr_nest_vector_operand *o, int k,
			char *at)
{
	m->operands[k].at = at;
	for (const int32_t *use = r->code->uses + o->first_use, *end = use + o->n_uses; use < end; use++)
		((struct sr_vector_arg *)(void *)((char *)m->ops + *use))->at = at;
}

/* Let the group's ops have these operands. Usually only addresses change from tile to tile. */
static void set_operands(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, const struct memory *m,
			 const struct sr_nest_operand *operands)
{
	const struct sr_nest_vector_operand *o = &r->code->operands[g->first_operand];
	bool is_new = !*m->has_ops;
	for (int k = 0; k < g->n_operands && !is_new; k++)
		is_new = is_array(o[k].kind) && m->operands[k].scalar != operands[k].scalar;
	if (is_new)
		make_group(r, g, m, operands);
	*m->has_ops = true;
	for (int k = 0; k < g->n_operands; k++) {
		if (!is_array(o[k].kind))
			continue;
		if (operands[k].scalar && (is_new || !o[k].is_constant))
			fill_operand(r, g, m, &o[k], operands[k].at);
		if (!operands[k].scalar && m->operands[k].at != operands[k].at)
			set_address(r, m, &o[k], k, operands[k].at);
	}
}

/* Execute the last elements, fewer than a block: arrays are copied to blocks and back. */
static void run_rest(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, const struct memory *m,
		     const struct sr_nest_operand *operands, int64_t done, int64_t n)
{
	const struct sr_nest_vector_operand *o = &r->code->operands[g->first_operand];
	for (int k = 0; k < g->n_operands; k++)
		if (sr_nest_is_input(o[k].kind) && !operands[k].scalar)
			memcpy(m->blocks + k * m->block, operands[k].at + done * o[k].bytes, (size_t)(n * o[k].bytes));
	r->vectors->run(m->rest, 1, NULL, 0);
	for (int k = 0; k < g->n_operands; k++)
		if (o[k].kind == SR_NEST_VECTOR_RESULT || o[k].kind == SR_NEST_VECTOR_NARROW_RESULT)
			memcpy(operands[k].at + done * o[k].bytes, m->blocks + k * m->block, (size_t)(n * o[k].bytes));
}

/* List the addresses behind the n elements of the arrays that the group reads in place, where the next tile usually is, if the nest
 * reads much memory. Returns their number. scratch: an address in the memory of tiles' values. */
static int next_elements(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, const char *scratch,
			 const struct sr_nest_operand *operands, int64_t n, const char **next)
{
	/* arrays whose distance is less than these bytes, such as the neighbors of a stencil, are prefetched once */
	enum { NEAR = 128 };
	int n_next = 0;
	for (int k = 0; r->is_large && k < g->n_operands && n_next < SR_VECTOR_NEXT; k++) {
		const struct sr_nest_operand *o = &operands[k];
		bool is_outside = (uintptr_t)o->at - (uintptr_t)scratch + r->scratch >= 2 * r->scratch;
		if (r->code->operands[g->first_operand + k].kind != SR_NEST_VECTOR_ARRAY || o->scalar || !is_outside)
			continue;
		const char *at = o->at + n * g->bytes;
		int before = 0;
		while (before < n_next && (uintptr_t)(at - next[before]) + NEAR >= 2 * NEAR)
			before++;
		next[before] = at;
		n_next += before == n_next;
	}
	return n_next;
}

void sr_nest_run_vector_code(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, char *scratch,
			     const struct sr_nest_operand *operands, int64_t n)
{
	struct memory m = memory_of(r, g, scratch);
	int64_t per_block = m.block / g->bytes;
	const char *next[SR_VECTOR_NEXT];
	set_operands(r, g, &m, operands);
	if (n >= per_block)
		r->vectors->run(m.ops, n / per_block, next, next_elements(r, g, scratch, operands, n, next));
	if (n % per_block)
		run_rest(r, g, &m, operands, n - n % per_block, n % per_block);
}

void sr_nest_repeat_vector_code(const struct sr_nest_prepared *r, const struct sr_nest_vector_repeat *c)
{
	const struct sr_nest_vector_group *g = c->group;
	struct memory m = memory_of(r, g, c->scratch);
	int64_t per_block = m.block / g->bytes;
	const char *next[SR_VECTOR_NEXT];
	for (int i = 0; i < c->n_changes; i++) {
		const struct sr_nest_vector_change *h = &c->changes[i];
		const struct sr_nest_vector_operand *o = &r->code->operands[g->first_operand + h->operand];
		if (h->is_scalar)
			fill_operand(r, g, &m, o, h->from->at);
		else
			set_address(r, &m, o, h->operand, h->from->at);
	}
	if (c->n >= per_block)
		r->vectors->run(m.ops, c->n / per_block, next, next_elements(r, g, c->scratch, m.operands, c->n, next));
	if (c->n % per_block)
		run_rest(r, g, &m, m.operands, c->n - c->n % per_block, c->n % per_block);
}

int64_t sr_nest_vector_block_elements(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g)
{
	return SR_VECTOR_COUNT * r->vectors->vector_bytes / g->bytes;
}

char *sr_nest_vector_block(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, char *scratch, int k)
{
	struct memory m = memory_of(r, g, scratch);
	return m.blocks + k * m.block;
}

void sr_nest_run_vector_block(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, char *scratch)
{
	r->vectors->run(memory_of(r, g, scratch).rest, 1, NULL, 0);
}

/* ---- translation of a loop nest ---- */

bool sr_nest_make_vector_code(struct sr_nest_prepared *r)
{
	const struct sr_nest *nest = r->nest;
	struct builder b = {.r = r, .code = new_code(nest)};
	size_t n = (size_t)nest->n_values + 1;
	int32_t *lists = calloc(3 * n + (n + 3) / 4, sizeof *lists), read[SR_NEST_MAX_OPERANDS];
	r->code = b.code;
	b.uses = lists, b.defining_instr = lists + n, b.operand = lists + 2 * n;
	b.is_combined = (bool *)(lists + 3 * n);
	if (!lists || !b.code) {
		free(lists);
		return false;
	}
	for (int i = 0; i < nest->n_instrs; i++) {
		for (int k = sr_nest_operands(r, &sr_nest_instrs(nest)[i], read); k > 0; k--)
			b.uses[read[k - 1]]++;
		for (int k = 0; sr_nest_instrs(nest)[i].op == SR_NEST_FOLD && k < sr_nest_instrs(nest)[i].n_folds; k++)
			b.uses[sr_nest_instrs(nest)[i].body_results[k]]++;
		if (sr_nest_instrs(nest)[i].result >= 0)
			b.defining_instr[sr_nest_instrs(nest)[i].result] = i;
	}
	for (int s = 0; s < nest->n_stages; s++) {
		const struct sr_nest_stage *stage = &sr_nest_stages(nest)[s];
		for (int i = stage->first; i < stage->first + stage->n && (stage->over_inner || nest->n_stages == 1); i++)
			visit(&b, i);
		close_group(&b);
	}
	for (int i = 0; i < nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(nest)[i];
		for (int k = 0; in->op == SR_NEST_FOLD && k < in->n_body; k++)
			visit(&b, in->body + k);
		close_group(&b);
	}
	free(lists);
	lay_out_groups(r);
	return true;
}
