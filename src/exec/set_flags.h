/* Which of several options is given, for messages about what does not go together. */
#ifndef SR_EXEC_SET_FLAGS_H
#define SR_EXEC_SET_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

struct sr_flag_state {
	const char *name; /* "--report" */
	bool given;
};

/* The name of the first that is; NULL: none. */
static inline const char *sr_first_set_flag(const struct sr_flag_state *options, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (options[i].given)
			return options[i].name;
	return NULL;
}

#endif
