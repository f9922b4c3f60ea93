/* Reading JSON into a tree in an arena: reports that were written before, tables and indices of safetensors files, manifests. */
#ifndef SR_SUPPORT_JSON_READ_H
#define SR_SUPPORT_JSON_READ_H

#include "support/arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sr_json_kind { SR_JSON_NULL, SR_JSON_BOOL, SR_JSON_NUMBER, SR_JSON_STRING, SR_JSON_ARRAY, SR_JSON_OBJECT };

struct sr_json_value {
	enum sr_json_kind kind;
	const char *key;                   /* in an object; NULL elsewhere */
	double number;                     /* of a bool 0 or 1 */
	int64_t integer;                   /* exact, where is_integer: digits alone, perhaps behind a minus, that fit */
	bool is_integer;
	const char *string;                /* \u escapes as UTF-8 */
	const struct sr_json_value *items; /* [n] of an array or an object */
	size_t n;
};

/* NULL: malformed, nested more than 64 deep, or a string with a NUL or half a surrogate pair; *line is where. */
const struct sr_json_value *sr_json_read(struct sr_arena *arena, const char *text, size_t n, int *line);
const struct sr_json_value *sr_json_get(const struct sr_json_value *object, const char *key); /* NULL: it has none, or is none */
/* The n integers of an array, none negative, at most `most`; -1 where it is something else. */
int sr_json_int_list(const struct sr_json_value *array, int64_t *out, int most);

#endif
