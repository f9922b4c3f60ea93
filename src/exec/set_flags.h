/* Finding which of several options is set, for messages about incompatible options. */
#ifndef SR_EXEC_SET_FLAGS_H
#define SR_EXEC_SET_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

struct sr_flag_state {
	const char *name; /* name of the option, such as "--report" */
	bool is_set;
};

/* Return the name of the first option that is set, or NULL. */
static inline const char *sr_first_set_flag(const struct sr_flag_state *options, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (options[i].is_set)
			return options[i].name;
	return NULL;
}

#endif
