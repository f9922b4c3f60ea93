/* Search for a name in a comma-separated list. */
#include "optimize/legalize/name_list.h"
#include <string.h>

bool sr_name_is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = list; at && n > 0 && (at = strstr(at, name)); at += n)
		if ((at == list || at[-1] == ',') && (at[n] == ',' || at[n] == '\0'))
			return true;
	return false;
}
