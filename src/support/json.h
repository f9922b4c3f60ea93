/* Streaming JSON writer: emits commas, quoting and indentation, and asserts correct nesting.
 *
 *	struct sr_json j; sr_json_init(&j, &buf);
 *	sr_json_open(&j, NULL, '{'); sr_json_int(&j, "devices", 8); sr_json_open(&j, "mesh", '{'); ... sr_json_close(&j); sr_json_close(&j);
 *
 * The key is NULL inside arrays and at the top level. Non-finite numbers are written as null. */
#ifndef SR_SUPPORT_JSON_H
#define SR_SUPPORT_JSON_H

#include "support/buf.h"
#include <stdbool.h>

struct sr_json {
	struct sr_buf *buf;
	int depth;
	char closing_brackets[32];
	bool is_first[32];
};

void sr_json_init(struct sr_json *json, struct sr_buf *buf);
void sr_json_open(struct sr_json *json, const char *key, char bracket); /* Open an object or array; bracket: '{' or '['. */
void sr_json_close(struct sr_json *json);
void sr_json_string(struct sr_json *json, const char *key, const char *value); /* Write a string; NULL is written as null. */
void sr_json_int(struct sr_json *json, const char *key, int64_t value);
void sr_json_double(struct sr_json *json, const char *key, double value);
void sr_json_bool(struct sr_json *json, const char *key, bool value);
/* Append a quoted JSON string, for callers that format the rest themselves. Invalid UTF-8 bytes become U+FFFD. */
void sr_json_quote(struct sr_buf *buf, const char *text);

#endif
