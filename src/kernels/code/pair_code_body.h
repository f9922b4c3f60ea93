/* Functions of threaded code that execute two or three ops on single elements of TYPE at once. Included by scalar_code.c for the
 * types that have them, after scalar_code_body.h. Each function computes what the functions of its ops do one after the other. */

/* Ops that copy an element, from or to a slice or between buffers. */
static inline S FN(code_COPY_value)(SR_CODE_PARAMETERS)
{
	(void)data, (void)integer, (void)single, (void)real;
	return *(S *)op->at[1] = *(const S *)op->at[0];
}

static inline S FN(code_LOAD_value)(SR_CODE_PARAMETERS)
{
	(void)data, (void)integer, (void)single, (void)real;
	return *(S *)op->at[SR_CODE_SLICE_ELEMENT] = *(const S *)(const void *)sr_code_slice_address(op);
}

static inline S FN(code_STORE_value)(SR_CODE_PARAMETERS)
{
	(void)data, (void)integer, (void)single, (void)real;
	return *(S *)(void *)sr_code_slice_address(op) = *(const S *)op->at[SR_CODE_SLICE_ELEMENT];
}

/* A copied element is passed on as an integer and as a float, since the next op may have another type of the same size. */
#define PASS_BITS(v) memcpy(_Generic(v, float: &single, int32_t: &single, default: &real), &(v), sizeof(v)); \
	integer = 0; \
	memcpy(&integer, &(v), sizeof(v))
#define PASS(v) integer = _Generic(v, float: integer, double: integer, default: (uint64_t)(v)); \
	single = _Generic(v, float: v, default: single); \
	real = _Generic(v, double: v, default: real)
#define PASS_NOTHING(v) (void)(v)

/* The pairs, in the order of enum sr_code_kind and enum sr_code_form. */
#define FORMS_OF(a, pass, b) PAIR(a, pass, b##_memory, PASS) PAIR(a, pass, b##_first, PASS) PAIR(a, pass, b##_second, PASS)
#define PAIRS_OF(a, pass) \
	ROW(FORMS_OF(a, pass, ADD) FORMS_OF(a, pass, SUBTRACT) FORMS_OF(a, pass, MULTIPLY) PAIR(a, pass, SELECT_memory, PASS) \
	    PAIR(a, pass, COPY, PASS_BITS) PAIR(a, pass, LOAD, PASS_BITS) PAIR(a, pass, STORE, PASS_NOTHING))
#define ALL_PAIRS \
	PAIRS_OF(ADD_memory, PASS) PAIRS_OF(ADD_first, PASS) PAIRS_OF(ADD_second, PASS) \
	PAIRS_OF(SUBTRACT_memory, PASS) PAIRS_OF(SUBTRACT_first, PASS) PAIRS_OF(SUBTRACT_second, PASS) \
	PAIRS_OF(MULTIPLY_memory, PASS) PAIRS_OF(MULTIPLY_first, PASS) PAIRS_OF(MULTIPLY_second, PASS) \
	PAIRS_OF(SELECT_memory, PASS) PAIRS_OF(COPY, PASS_BITS) PAIRS_OF(LOAD, PASS_BITS) PAIRS_OF(STORE, PASS_NOTHING)

#define ROW(...) __VA_ARGS__
#define PAIR(a, pass_a, b, pass_b) \
	static struct sr_code_op *FN(pair_##a##_##b)(SR_CODE_PARAMETERS) \
	{ \
		const __auto_type x = FN(code_##a##_value)(op, data, integer, single, real); \
		pass_a(x); \
		const __auto_type y = FN(code_##b##_value)(op + 1, data, integer, single, real); \
		pass_b(y); \
		return op[2].fn(op + 2, data, integer, single, real); \
	}
ALL_PAIRS
#undef ROW
#undef PAIR
#define ROW(...) {__VA_ARGS__},
#define PAIR(a, pass_a, b, pass_b) FN(pair_##a##_##b),
static sr_code_fn *const FN(pairs)[SR_CODE_PAIRED][SR_CODE_PAIRED] = {ALL_PAIRS};
#undef ROW
#undef PAIR

/* Comparisons with the branch that follows them. */
#define BRANCHES(compare) BRANCH(compare, true) BRANCH(compare, false)
#define ALL_BRANCHES(form) \
	ROW(BRANCHES(EQ_##form)) ROW(BRANCHES(NE_##form)) ROW(BRANCHES(LT_##form)) ROW(BRANCHES(LE_##form)) \
	ROW(BRANCHES(GT_##form)) ROW(BRANCHES(GE_##form))
#define ROW(...) __VA_ARGS__
#define BRANCH(compare, wanted) \
	static struct sr_code_op *FN(branch_##compare##_##wanted)(SR_CODE_PARAMETERS) \
	{ \
		const bool is_taken = FN(code_##compare##_value)(op, data, integer, single, real) == wanted; \
		struct sr_code_op *to = is_taken ? op[1].at[SR_CODE_TARGET] : op + 2; \
		return SR_CODE_JUMP(to); \
	}
ALL_BRANCHES(memory) ALL_BRANCHES(first) ALL_BRANCHES(second)
#undef BRANCH
/* The same after an addition, such as that of a loop's counter, whose result is the first argument. */
#define BRANCH(compare, wanted) \
	static struct sr_code_op *FN(count_##compare##_##wanted)(SR_CODE_PARAMETERS) \
	{ \
		const __auto_type x = FN(code_ADD_memory_value)(op, data, integer, single, real); \
		PASS(x); \
		const bool is_taken = FN(code_##compare##_value)(op + 1, data, integer, single, real) == wanted; \
		struct sr_code_op *to = is_taken ? op[2].at[SR_CODE_TARGET] : op + 3; \
		return SR_CODE_JUMP(to); \
	}
ALL_BRANCHES(first)
#undef ROW
#undef BRANCH
#define ROW(...) {__VA_ARGS__},
#define BRANCH(compare, wanted) FN(branch_##compare##_##wanted),
static sr_code_fn *const FN(branches)[SR_CODE_FORMS][6][2] = {
	{ALL_BRANCHES(memory)}, {ALL_BRANCHES(first)}, {ALL_BRANCHES(second)}};
#undef BRANCH
#define BRANCH(compare, wanted) FN(count_##compare##_##wanted),
static sr_code_fn *const FN(counts)[6][2] = {ALL_BRANCHES(first)};
#undef ROW
#undef BRANCH
#undef ALL_BRANCHES
#undef BRANCHES
#undef ALL_PAIRS
#undef PAIRS_OF
#undef FORMS_OF
#undef PASS_BITS
#undef PASS_NOTHING
#undef PASS
