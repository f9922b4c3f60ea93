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
	const char *key;                   /* member name if the parent is an object; else NULL */
	double number;                     /* 0 or 1 for a bool */
	/* valid if is_integer: the number was written as decimal digits with an optional minus sign and fits */
	int64_t integer;
	bool is_integer;
	const char *string;                /* escapes decoded to UTF-8 */
	const struct sr_json_value *items; /* [n] elements of an array or members of an object */
	size_t n;
};

/* Parse a JSON document. Return NULL with the line of the error in *line if it is malformed, nested more than 64 deep, or
 * contains a NUL or an unpaired surrogate in a string. */
const struct sr_json_value *sr_json_read(struct sr_arena *arena, const char *text, size_t n, int *line);
const struct sr_json_value *sr_json_get(const struct sr_json_value *object, const char *key); /* NULL if missing or not an object */
/* Copy an array of at most `most` non-negative integers to `out`. Return their number, or -1 if the value is not such an array. */
int sr_json_int_list(const struct sr_json_value *array, int64_t *out, int most);

#endif
