/* Loading of third-party libraries when a run begins, not when the process starts: so the environment variables that they read can
 * still be set, and a process that does not need the libraries does not load them. */
#ifndef SR_KERNELS_FAST_LIBRARY_H
#define SR_KERNELS_FAST_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct sr_library_row {
	const char *name;
	size_t offset; /* byte offset of the function pointer in the table */
	bool optional; /* the pointer is NULL if the library does not have the function */
};

/* Load a library and fill the table with its functions. Returns NULL on success, otherwise the error message in a thread-local
 * buffer; then the table must not be used. The library stays loaded until the process ends. */
const char *sr_library_open(const char *soname, const struct sr_library_row *rows, size_t n, void *table);

#endif
