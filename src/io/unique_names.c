/* Search for equal names among the arrays of a file, by a map of the names seen so far. */
#include "io/unique_names.h"
#include "support/map.h"
#include <string.h>

enum sr_status sr_check_unique_names(struct sr_diags *diags, struct sr_arena *arena, const char *path, const char *kind,
				     const char *const *names, size_t n)
{
	struct sr_strings strings;
	struct sr_map names_so_far;
	sr_strings_init(&strings, arena);
	sr_map_init(&names_so_far, arena);
	for (size_t i = 0; i < n; i++) {
		const char *name = sr_strings_intern(&strings, names[i], strlen(names[i]));
		if (sr_map_has(&names_so_far, name))
			return sr_error(diags, SR_USAGE, (struct sr_src_loc){path}, "two %s are called '%s'", kind, name);
		sr_map_put(&names_so_far, name, arena);
	}
	return SR_OK;
}
