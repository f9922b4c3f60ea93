/* Options whose value is a comma-separated list of names. */
#ifndef SR_OPTIMIZE_NAME_LIST_H
#define SR_OPTIMIZE_NAME_LIST_H

#include <stdbool.h>

bool sr_name_is_listed(const char *list, const char *name); /* list NULL: empty; the empty name is never listed */

#endif
