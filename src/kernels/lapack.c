/* What is known of LAPACK's routines without LAPACK: names and memory. The kernels themselves are in kernels/fast. */
#include "kernels/element.h"
#include <string.h>

static const struct {
	const char *name;
	int operands, results, complex_results;
} routines[SR_LAPACK_COUNT] = {
#define LAPACK(id, name, operands, results, complex_results) [SR_LAPACK_##id] = {#name, operands, results, complex_results},
#include "kernels/lapack.def"
};

/* Complex routines by the name of the real ones. */
static const char *const others[][2] = {{"ungqr", "orgqr"}, {"unmqr", "ormqr"}, {"heevd", "syevd"}, {"hetrd", "sytrd"}};

/* What XLA's own library calls for PyTorch; operands and results are those of the routine. */
static const struct {
	const char *target;
	enum sr_lapack routine;
} of_xla[] = {{"Qr", SR_LAPACK_GEQRF}, {"ProductOfElementaryHouseholderReflectors", SR_LAPACK_ORGQR}};

int sr_lapack_find(const char *target)
{
	for (size_t i = 0; i < sizeof of_xla / sizeof *of_xla; i++)
		if (!strcmp(target, of_xla[i].target))
			return of_xla[i].routine;
	static const char head[] = "lapack_", tail[] = "_ffi", letters[] = "sdcz";
	size_t n = strlen(target), first = sizeof head - 1;
	char name[16];
	if (n <= first + sizeof tail || strncmp(target, head, first) || strcmp(target + n - (sizeof tail - 1), tail) ||
	    !strchr(letters, target[first]))
		return -1;
	n -= first + 1 + sizeof tail - 1;
	if (n >= sizeof name)
		return -1;
	memcpy(name, target + first + 1, n);
	name[n] = 0;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcmp(name, others[i][0]))
			memcpy(name, others[i][1], strlen(others[i][1]) + 1);
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

int64_t sr_lapack_work(const struct sr_lapack_params *p)
{
	enum { UNBLOCKED = 32, LEAST = 8, BLOCK = 64 };
	int64_t larger = p->m > p->n ? p->m : p->n;
	return (larger > 1 ? larger : 1) * (larger <= UNBLOCKED ? LEAST : BLOCK);
}

/* What a routine takes, in elements, reals and integers (struct call in kernels/fast/lapack.c takes it in this way); each piece is
 * rounded up to 64 bytes. */
struct takes {
	int64_t matrix, second, third, work, reals, integers;
};

static void take_eigenvalues(struct takes *t, int64_t n, bool is_complex)
{
	t->matrix = n * n;
	t->work = is_complex ? 2 * n + n * n : 1 + 6 * n + 2 * n * n;
	t->reals = is_complex ? 1 + 5 * n + 2 * n * n : 0;
	t->integers = 3 + 5 * n;
}

static void take_singular_values(struct takes *t, const struct sr_lapack_params *p, bool is_complex)
{
	int64_t least = p->m < p->n ? p->m : p->n, most = p->m < p->n ? p->n : p->m, square = least * least;
	t->matrix = p->m * p->n;
	t->second = p->m * (p->mode == 'A' ? p->m : least);
	t->third = p->n * (p->mode == 'A' ? p->n : least);
	t->work = is_complex ? 2 * square + 2 * least + 2 * most : 4 * square + 10 * least + 3 * most;
	t->reals = is_complex ? 7 * square + 6 * least + 2 * most * least : 0;
	t->integers = 8 * least;
}

static struct takes takes_of(const struct sr_lapack_params *p, bool is_complex)
{
	int64_t m = p->m, n = p->n, work = sr_lapack_work(p);
	struct takes t = {.matrix = m * n};
	switch ((enum sr_lapack)p->routine) {
	case SR_LAPACK_POTRF:
		t.matrix = n * n;
		break;
	case SR_LAPACK_GEQRF:
	case SR_LAPACK_ORGQR:
		t.work = work;
		break;
	case SR_LAPACK_GEQP3:
		t.work = work + 3 * n + 1;
		t.reals = 2 * n;
		break;
	case SR_LAPACK_ORMQR:
		t.second = (p->side == 'L' ? m : n) * p->k;
		t.work = work;
		break;
	case SR_LAPACK_TRSM:
		t.matrix = 0;
		break;
	case SR_LAPACK_GEHRD:
	case SR_LAPACK_SYTRD:
		t.matrix = n * n;
		t.work = work;
		break;
	case SR_LAPACK_SYEVD:
		take_eigenvalues(&t, n, is_complex);
		break;
	case SR_LAPACK_GESDD:
	case SR_LAPACK_GESVD:
		take_singular_values(&t, p, is_complex);
		break;
	case SR_LAPACK_GEEV:
		t = (struct takes){n * n, n * n, n * n, work, 2 * n, 0};
		break;
	case SR_LAPACK_GEES:
		t = (struct takes){n * n, n * n, 0, work, n, n};
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
	struct takes t = takes_of(p, is_complex);
	const int64_t pieces[] = {t.matrix * element, t.second * element, t.third * element, t.work * element, t.reals * (is_complex ? element / 2 : element),
				  t.integers * (int64_t)sizeof(int)};
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
		bytes += (pieces[i] + 63) / 64 * 64;
	return bytes;
}
