/* Values of knobs: parse text, format as text, read from the options struct. Private to knobs*.c. */
#ifndef SR_SUPPORT_KNOBS_VALUE_H
#define SR_SUPPORT_KNOBS_VALUE_H

#include "support/knobs/knobs.h"

/* The first member is as large as the union, since = {0} sets all bytes of the first member only (clang, GCC 15). */
union sr_knob_value {
	int64_t i; /* value of a knob of type INT or SIZE */
	bool b;
	double d;
	const char *s;
	int choice;
};

/* Parse `text` (NULL: the zero value) as the knob's type. Return false if it is malformed. For LIST, one element as a string. */
bool sr_knob_read(const struct sr_knob *knob, const char *text, union sr_knob_value *value);
/* Return the value as text: a static string, `buffer`, or the value itself. "" for a NULL string. */
const char *sr_knob_write(const struct sr_knob *knob, const union sr_knob_value *value, char buffer[64]);
/* Return the knob's value in the options struct. Not for LIST. */
union sr_knob_value sr_knob_field(const struct sr_knob *knob, const void *options);

#endif
