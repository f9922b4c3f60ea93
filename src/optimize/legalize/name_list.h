/* Options that are comma-separated lists of names. */
#ifndef SR_OPTIMIZE_NAME_LIST_H
#define SR_OPTIMIZE_NAME_LIST_H

#include <stdbool.h>

bool sr_name_is_listed(const char *list, const char *name); /* list NULL: empty; no name is the empty one */

#endif
