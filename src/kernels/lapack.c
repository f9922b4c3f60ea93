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

int sr_lapack_find(const char *target)
{
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

int sr_lapack_operands(int routine)
{
	return routines[routine].operands;
}

int sr_lapack_results(int routine, enum sr_dtype type)
{
	return sr_dtype_is_complex(type) ? routines[routine].complex_results : routines[routine].results;
}

/* An upper bound for all routines: the matrices, LAPACK's work with blocks of 64, its real and integer work. */
int64_t sr_lapack_scratch(enum sr_dtype type, const struct sr_lapack_params *p)
{
	int64_t least = p->m < p->n ? p->m : p->n, most = p->m < p->n ? p->n : p->m;
	int64_t matrices = p->m * p->n + most * p->k + (p->m + p->n) * least,
		work = 9 * least * least + 2 * most * least + 100 * most;
	if (p->mode == 'A')
		matrices += p->m * p->m + p->n * p->n;
	return (matrices + work + 64) * sr_dtype_bytes(type) + 8 * (16 * most + 16) + 16 * 64;
}
