/* Loading of a shared library, and lookup of its functions by name. */
#include "kernels/fast/library.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const char *sr_library_open(const char *soname, const struct sr_library_row *rows, size_t n, void *table)
{
	static _Thread_local char message[256];
	void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		const char *why = dlerror();
		snprintf(message, sizeof message, "%s", why ? why : "it cannot be loaded");
		return message;
	}
	for (size_t i = 0; i < n; i++) {
		void *function = dlsym(library, rows[i].name);
		if (!function && !rows[i].optional) {
			snprintf(message, sizeof message, "%s has no function %s", soname, rows[i].name);
			return message;
		}
		memcpy((char *)table + rows[i].offset, &function, sizeof function);
	}
	return NULL;
}
