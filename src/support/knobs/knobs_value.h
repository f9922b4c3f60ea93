/* One knob's value, apart from where it came from: read from text, put into a field, written as text. Private to knobs*.c. */
#ifndef SR_SUPPORT_KNOBS_VALUE_H
#define SR_SUPPORT_KNOBS_VALUE_H

#include "support/knobs/knobs.h"

union sr_knob_value {
	bool b;
	int64_t i; /* INT, SIZE */
	double d;
	const char *s;
	int choice;
};

/* Read `text` (NULL: the zero value) as this knob's type; false where it is malformed. LIST reads one element as a string. */
bool sr_knob_read(const struct sr_knob *knob, const char *text, union sr_knob_value *value);
/* The value as text; static, in `room` or in the value. A STRING that is NULL gives "". */
const char *sr_knob_write(const struct sr_knob *knob, const union sr_knob_value *value, char room[64]);
/* The value in the options struct; not for LIST. */
union sr_knob_value sr_knob_field(const struct sr_knob *knob, const void *options);

#endif
