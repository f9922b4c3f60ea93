/* Libraries of others that are opened when a run begins: what they read from the environment as they are loaded can be said then, and a
 * process that needs none of them does not pay for them. */
#ifndef SR_KERNELS_FAST_LIBRARY_H
#define SR_KERNELS_FAST_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct sr_library_row {
	const char *name;
	size_t offset; /* of the function's pointer in the table */
	bool optional; /* NULL where the library has no such function */
};

/* Fill the table with the library's functions. NULL where all is well, else what is wrong, in a buffer of the thread's; then nothing of
 * the table may be used. The library stays open as long as the process. */
const char *sr_library_open(const char *soname, const struct sr_library_row *rows, size_t n, void *table);

#endif
