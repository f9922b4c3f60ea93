/* Reading JSON into a tree in an arena: for reports that were written before. */
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
	const char *string;                /* \u escapes as UTF-8; what lies behind a NUL is lost */
	const struct sr_json_value *items; /* [n] of an array or an object */
	size_t n;
};

/* NULL: malformed, or nested more than 64 deep; *line is where. Numbers are read as doubles. */
const struct sr_json_value *sr_json_read(struct sr_arena *arena, const char *text, size_t n, int *line);
const struct sr_json_value *sr_json_get(const struct sr_json_value *object, const char *key); /* NULL: it has none, or is none */

#endif
