/* Names and scratch sizes of LAPACK routines, independent of the LAPACK library. The kernels are in kernels/fast. */
#include "kernels/element.h"
#include <string.h>

static const struct {
	const char *name;
	int operands, results, complex_results;
} routines[SR_LAPACK_COUNT] = {
#define LAPACK(id, name, operands, results, complex_results) [SR_LAPACK_##id] = {#name, operands, results, complex_results},
#include "kernels/lapack.def"
};

/* Pairs of names: a complex LAPACK routine whose name differs from the real one's, and that real routine. */
static const char *const complex_names[][2] = {{"ungqr", "orgqr"}, {"unmqr", "ormqr"}, {"heevd", "syevd"}, {"hetrd", "sytrd"}};

/* Custom call targets of XLA (used by PyTorch/XLA) with the operands and results of a LAPACK routine. */
static const struct {
	const char *target;
	enum sr_lapack routine;
} xla_targets[] = {{"Qr", SR_LAPACK_GEQRF}, {"ProductOfElementaryHouseholderReflectors", SR_LAPACK_ORGQR}};

int sr_lapack_find(const char *target)
{
	for (size_t i = 0; i < sizeof xla_targets / sizeof *xla_targets; i++)
		if (!strcmp(target, xla_targets[i].target))
			return xla_targets[i].routine;
	static const char prefix[] = "lapack_", suffix[] = "_ffi", types[] = "sdcz";
	size_t n = strlen(target), first = sizeof prefix - 1;
	char name[16];
	if (n <= first + sizeof suffix || strncmp(target, prefix, first) || strcmp(target + n - (sizeof suffix - 1), suffix) ||
	    !strchr(types, target[first]))
		return -1;
	n -= first + 1 + sizeof suffix - 1;
	if (n >= sizeof name)
		return -1;
	memcpy(name, target + first + 1, n);
	name[n] = 0;
	for (size_t i = 0; i < sizeof complex_names / sizeof *complex_names; i++)
		if (!strcmp(name, complex_names[i][0]))
			memcpy(name, complex_names[i][1], strlen(complex_names[i][1]) + 1);
	for (int i = 0; i < SR_LAPACK_COUNT; i++)
		if (!strcmp(name, routines[i].name))
			return i;
	return -1;
}

int sr_lapack_operand_count(int routine)
{
	return routines[routine].operands;
}

int sr_lapack_result_count(int routine, enum sr_dtype type)
{
	return sr_dtype_is_complex(type) ? routines[routine].complex_results : routines[routine].results;
}

int64_t sr_lapack_work_elements(const struct sr_lapack_params *p)
{
	enum { UNBLOCKED = 32, MIN_BLOCK = 8, BLOCK = 64 };
	int64_t larger_dim = p->m > p->n ? p->m : p->n;
	return (larger_dim > 1 ? larger_dim : 1) * (larger_dim <= UNBLOCKED ? MIN_BLOCK : BLOCK);
}

/* Workspace of a routine in elements, reals and integers, in the order in which struct call of kernels/fast/lapack.c allocates it;
 * each part is rounded up to 64 bytes. */
struct workspace {
	int64_t matrix, second_matrix, third_matrix, work, reals, integers;
};

static void eigenvalue_workspace(struct workspace *t, int64_t n, bool is_complex)
{
	t->matrix = n * n;
	t->work = is_complex ? 2 * n + n * n : 1 + 6 * n + 2 * n * n;
	t->reals = is_complex ? 1 + 5 * n + 2 * n * n : 0;
	t->integers = 3 + 5 * n;
}

static void singular_value_workspace(struct workspace *t, const struct sr_lapack_params *p, bool is_complex)
{
	int64_t min_mn = p->m < p->n ? p->m : p->n, max_mn = p->m < p->n ? p->n : p->m, square = min_mn * min_mn;
	t->matrix = p->m * p->n;
	t->second_matrix = p->m * (p->mode == 'A' ? p->m : min_mn);
	t->third_matrix = p->n * (p->mode == 'A' ? p->n : min_mn);
	t->work = is_complex ? 2 * square + 2 * min_mn + 2 * max_mn : 4 * square + 10 * min_mn + 3 * max_mn;
	t->reals = is_complex ? 7 * square + 6 * min_mn + 2 * max_mn * min_mn : 0;
	t->integers = 8 * min_mn;
}

static struct workspace workspace_of(const struct sr_lapack_params *p, bool is_complex)
{
	int64_t m = p->m, n = p->n, work = sr_lapack_work_elements(p);
	struct workspace t = {.matrix = m * n};
	switch ((enum sr_lapack)p->routine) {
	case SR_LAPACK_GEQRF:
	case SR_LAPACK_ORGQR:
		t.work = work;
		break;
	case SR_LAPACK_GEQP3:
		t.work = work + 3 * n + 1;
		t.reals = 2 * n;
		break;
	case SR_LAPACK_ORMQR:
		t.second_matrix = (p->side == 'L' ? m : n) * p->k;
		t.work = work;
		break;
	case SR_LAPACK_POTRF:
	case SR_LAPACK_TRSM:
		t.matrix = 0;
		break;
	case SR_LAPACK_GEHRD:
	case SR_LAPACK_SYTRD:
		t.matrix = n * n;
		t.work = work;
		break;
	case SR_LAPACK_SYEVD:
		eigenvalue_workspace(&t, n, is_complex);
		break;
	case SR_LAPACK_GESDD:
	case SR_LAPACK_GESVD:
		singular_value_workspace(&t, p, is_complex);
		break;
	case SR_LAPACK_GEEV:
		t = (struct workspace){n * n, n * n, n * n, work, 2 * n, 0};
		break;
	case SR_LAPACK_GEES:
		t = (struct workspace){n * n, n * n, 0, work, n, n};
		break;
	case SR_LAPACK_GETRF:
	case SR_LAPACK_GTSV:
	case SR_LAPACK_COUNT:
		break;
	}
	return t;
}

int64_t sr_lapack_scratch(enum sr_dtype type, const struct sr_lapack_params *p)
{
	bool is_complex = sr_dtype_is_complex(type);
	int64_t element = sr_dtype_bytes(type), bytes = 0;
	struct workspace t = workspace_of(p, is_complex);
	const int64_t buffer_bytes[] = {t.matrix * element, t.second_matrix * element, t.third_matrix * element, t.work * element,
			t.reals * (is_complex ? element / 2 : element),
				  t.integers * (int64_t)sizeof(int)};
	for (size_t i = 0; i < sizeof buffer_bytes / sizeof *buffer_bytes; i++)
		bytes += (buffer_bytes[i] + 63) / 64 * 64;
	return bytes;
}
