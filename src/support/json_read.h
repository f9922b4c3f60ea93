/* JSON parser that builds a tree in an arena. Used for reports of earlier runs, headers and index files of safetensors, and
 * checkpoint manifests. */
#ifndef SR_SUPPORT_JSON_READ_H
#define SR_SUPPORT_JSON_READ_H

#include "support/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sr_json_kind { SR_JSON_NULL, SR_JSON_BOOL, SR_JSON_NUMBER, SR_JSON_STRING, SR_JSON_ARRAY, SR_JSON_OBJECT };

struct sr_json_value {
	enum sr_json_kind kind;
	const char *key;                   /* name of the member if the parent is an object; else NULL */
	double number;                     /* the number; for a bool 0 or 1 */
	/* the number as an integer; valid if is_integer: it was written as decimal digits with an optional minus sign, and fits */
	int64_t integer;
	bool is_integer;
	const char *string;                /* the string, with escapes decoded to UTF-8 */
	const struct sr_json_value *items; /* elements of an array or members of an object; length n */
	size_t n;
};

/* Parse a JSON document. Return NULL with the line of the error in *line if it is malformed, nested more than 64 deep, or
 * contains a NUL or an unpaired surrogate in a string. */
const struct sr_json_value *sr_json_read(struct sr_arena *arena, const char *text, size_t n, int *line);
/* Return a member of an object; NULL if it is missing or the value is not an object. */
const struct sr_json_value *sr_json_get(const struct sr_json_value *object, const char *key);
/* Copy an array of at most `max_n` non-negative integers to `out`. Return their number, or -1 if the value is no such array. */
int sr_json_int_list(const struct sr_json_value *array, int64_t *out, int max_n);

#endif
