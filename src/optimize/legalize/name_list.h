/* Options whose value is a comma-separated list of names. */
#ifndef SR_OPTIMIZE_NAME_LIST_H
#define SR_OPTIMIZE_NAME_LIST_H

#include <stdbool.h>

/* Return true if the name is in the list. list NULL: an empty list; the empty name is in no list. */
bool sr_name_is_listed(const char *list, const char *name);

#endif
