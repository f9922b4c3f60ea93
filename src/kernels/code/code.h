/* Threaded code (Bell 1973): a sequence of ops, each a function and the addresses that it reads and writes. A small loop is
 * translated to it once, when its program is loaded, and then runs without looking anything up (run/loop_code.c).
 *
 * Before a run, the addresses of ops are computed from a template, since buffers are at other addresses in each execution. Every op
 * computes the bits that the kernel of the same name does.
 *
 * An op on single elements stores its result, and also passes it to the next op in a register: integers and truth values as
 * `integer`, f32 as `single`, f64 as `real`. An op that reads that element takes it from there, until another op sets the register.
 * An op that a branch leads to must follow a branch, and does not read registers, unless it is the first one of a loop: it reads
 * what the registers hold at the end of an iteration. Adjacent ops of common kinds, such as a product and a sum, or a loop's
 * counter, its comparison and the branch, are executed by one function (sr_code_pair, sr_code_count). */
#ifndef SR_KERNELS_CODE_CODE_H
#define SR_KERNELS_CODE_CODE_H

#include "kernels/element.h"
#include "kernels/nest/nest.h"
#include "support/arena.h"
#include "support/vec.h"

enum { SR_CODE_ADDRESSES = 5 };
struct sr_code_op;
/* Execute an op, and those that follow it up to a branch. Returns the op to execute next; NULL after the last op, and after a
 * failure. */
#define SR_CODE_PARAMETERS struct sr_code_op *op, const void *data, uint64_t integer, float single, double real
typedef struct sr_code_op *sr_code_fn(SR_CODE_PARAMETERS);
struct sr_code_op {
	sr_code_fn *fn;
	void *at[SR_CODE_ADDRESSES]; /* addresses, inputs first */
	int64_t n;                   /* number of elements or bytes, or distance to the target of a branch, in ops */
	const void *params;
};

enum { SR_CODE_TARGET = 1 }; /* the address of a branch that is its target */
/* Return what the next op returns, by a tail call. */
#define SR_CODE_NEXT op[1].fn(op + 1, data, integer, single, real)
/* Return what the op that a branch leads to returns. Where the compiler is known to make a tail call of it, it is executed, and
 * gets the registers; otherwise a loop would fill the stack. */
#if defined(__OPTIMIZE__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#pragma GCC optimize("optimize-sibling-calls") /* not among the flags of -O1 */
enum { SR_CODE_BRANCHES_PASS_ON = true };
#define SR_CODE_JUMP(target) (target)->fn(target, data, integer, single, real)
#else
enum { SR_CODE_BRANCHES_PASS_ON = false };
#define SR_CODE_JUMP(target) (target)
#endif

/* An address in a template: an offset from the beginning of what `base` says. */
struct sr_code_address {
	enum sr_code_base {
		SR_CODE_NONE,
		SR_CODE_POINTER, /* `pointer` */
		SR_CODE_OPERAND, /* operand `number` of the program */
		SR_CODE_BUFFER,  /* buffer `number` of the program */
		SR_CODE_SCRATCH  /* the scratch memory of the code */
	} base;
	int64_t number, offset;
	const void *pointer;
};
/* Which argument of an op is in a register. The others are in memory. */
enum sr_code_form { SR_CODE_MEMORY, SR_CODE_FIRST, SR_CODE_SECOND, SR_CODE_FORMS };
enum sr_code_register { SR_CODE_INTEGER, SR_CODE_SINGLE, SR_CODE_REAL, SR_CODE_REGISTERS };
/* What an op does, for those that a common function may execute together with the next one. */
enum sr_code_kind { SR_CODE_OTHER, SR_CODE_ADD, SR_CODE_SUBTRACT, SR_CODE_MULTIPLY, SR_CODE_SELECT, SR_CODE_COPY, SR_CODE_LOAD,
		    SR_CODE_STORE, SR_CODE_COMPARE, SR_CODE_JUMP_IF_TRUE, SR_CODE_JUMP_IF_FALSE, SR_CODE_LOOP };
enum { SR_CODE_PAIRED = 13 }; /* number of kinds that form pairs with each other, with their forms */
struct sr_code_template {
	struct sr_code_op op; /* its addresses are not set */
	struct sr_code_address at[SR_CODE_ADDRESSES];
	int n_addresses;
	/* for an op on single elements: its functions by enum sr_code_form, NULL: there is none; else NULL */
	sr_code_fn *const *forms;
	int result;    /* the address of the result, behind those of the inputs; 0: results may be anywhere */
	int64_t bytes; /* of the memory there that is written */
	unsigned sets; /* the registers in which the result is passed on, a bit for each */
	enum sr_dtype in, out; /* types of the arguments and of the result */
	enum sr_code_kind kind;
	int variant; /* enum sr_compare of a comparison */
};
struct sr_code {
	SR_VEC(struct sr_code_template) ops;
	int64_t scratch; /* number of bytes of scratch memory that a run needs, 64-byte aligned */
};

/* The address of a slice: that of a buffer, plus `stride` bytes times each index, which is clamped to [0, limit]. */
enum { SR_CODE_INDICES = SR_CODE_ADDRESSES - 1, SR_CODE_SLICE_ELEMENT = SR_CODE_INDICES - 1 };
struct sr_code_slice {
	int n;
	struct {
		enum sr_dtype type;
		int64_t limit, stride;
	} index[SR_CODE_INDICES];
	/* addresses of later ops that depend on the slice's address */
	SR_VEC(struct sr_code_user {
		int64_t op; /* distance from the op that computes the slice's address */
		int address;
		int64_t offset; /* from the slice's address, in bytes */
	}) users;
};

/* Append an op. at: the n addresses that it reads and writes, inputs first; n <= SR_CODE_ADDRESSES. */
void sr_code_push(struct sr_code *code, struct sr_arena *arena, struct sr_code_op op, const struct sr_code_address *at, int n);
/* Append a copy of n bytes. */
void sr_code_push_copy(struct sr_code *code, struct sr_arena *arena, struct sr_code_address to, struct sr_code_address from,
		       int64_t n);
/* Append an op that computes the address of a slice and sets the addresses of its users. `slice` may get users later. at: the
 * indices, then at SR_CODE_INDICES the buffer. */
void sr_code_push_slice(struct sr_code *code, struct sr_arena *arena, const struct sr_code_slice *slice,
			const struct sr_code_address *at);
/* Append a copy of n bytes from a slice with at most SR_CODE_SLICE_ELEMENT indices. type: of the elements, which do not overlap the
 * result. at: the indices, then at SR_CODE_SLICE_ELEMENT the result, then the buffer. */
void sr_code_push_slice_load(struct sr_code *code, struct sr_arena *arena, const struct sr_code_slice *slice,
			     const struct sr_code_address *at, enum sr_dtype type, int64_t n);
/* Append a copy of n bytes to such a slice. at: the indices, then at SR_CODE_SLICE_ELEMENT the elements, then the buffer. */
void sr_code_push_slice_store(struct sr_code *code, struct sr_arena *arena, const struct sr_code_slice *slice,
			      const struct sr_code_address *at, int64_t n);
/* Append a branch that is taken if the i1 `predicate` is `wanted`. Its op.n is the distance of the target. */
void sr_code_push_jump_if(struct sr_code *code, struct sr_arena *arena, struct sr_code_address predicate, bool wanted);
/* Append the beginning of a loop's body. Its op.n is the distance of the branch at the end of the body, which leads to the op after
 * it. */
void sr_code_push_loop(struct sr_code *code, struct sr_arena *arena);
/* Append an elementwise kernel; params as in struct sr_map_params, with `n`, `scalar`, `in` and `out` set. `at`: inputs, then the
 * result. */
void sr_code_push_map(struct sr_code *code, struct sr_arena *arena, const struct sr_kernels *kernels, enum sr_kernel kernel,
		      enum sr_dtype type, const struct sr_map_params *params, const struct sr_code_address *at, int n_inputs);
/* Append a loop nest without inner loops and with few iterations. Its buffers are the operands of the program from first_operand
 * on; bit i of shared[k] is set if output k and input i may share memory. Returns false if the nest has another form; nothing is
 * appended then. */
bool sr_code_push_nest(struct sr_code *code, struct sr_arena *arena, const struct sr_nest_prepared *nest, int64_t first_operand,
		       const uint64_t *shared);

/* Return the bytes of memory that a run needs. */
int64_t sr_code_bytes(const struct sr_code *code);
/* Run code. operands and buffers: addresses of the program's operands and buffers. memory: 64-byte aligned. `data` is passed to
 * each op. */
void sr_code_run(const struct sr_code *code, void *const *operands, void *const *buffers, void *memory, const void *data);

/* Return the index at an address; those of the usual types need no call. */
static inline int64_t sr_code_index(enum sr_dtype type, const void *at)
{
	return type == SR_I32 ? *(const int32_t *)at : type == SR_I64 ? *(const int64_t *)at : sr_index_load(type, at, 0);
}

/* ---- internal to kernels/code ---- */
static inline bool sr_code_is_branch(const struct sr_code_template *t)
{
	return t->kind == SR_CODE_JUMP_IF_TRUE || t->kind == SR_CODE_JUMP_IF_FALSE;
}

static inline char *sr_code_slice_address(const struct sr_code_op *op)
{
	const struct sr_code_slice *s = op->params;
	char *at = op->at[SR_CODE_INDICES];
	for (int k = 0; k < s->n; k++) {
		int64_t i = sr_code_index(s->index[k].type, op->at[k]);
		at += (i < 0 ? 0 : i > s->index[k].limit ? s->index[k].limit : i) * s->index[k].stride;
	}
	return at;
}

enum sr_code_kind sr_code_kind_of(enum sr_kernel kernel);
/* Return the function that executes two adjacent ops at once; NULL: there is none. t, forms: of the first one. */
sr_code_fn *sr_code_pair(const struct sr_code_template *t, const enum sr_code_form *forms);
/* The same for three ops: an addition, a comparison of its result, and a branch. */
sr_code_fn *sr_code_count(const struct sr_code_template *t, const enum sr_code_form *forms);
/* Return the functions of an elementwise kernel on single elements by enum sr_code_form; NULL: there are none that are faster than
 * the kernel. */
sr_code_fn *const *sr_code_scalar(enum sr_kernel kernel, enum sr_dtype type, const struct sr_map_params *params);

#endif
