/* Parsing and formatting of the values of knobs: booleans, choices, integers, sizes such as 1G, and text. */
#include "support/knobs/knobs_value.h"
#include "support/checked.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool sr_parse_size(const char *text, int64_t *bytes)
{
	static const char units[] = "KMGT";
	if (*text < '0' || *text > '9')
		return false;
	char *end;
	errno = 0;
	long long n = strtoll(text, &end, 10);
	if (errno)
		return false;
	int64_t size = n;
	const char *unit = *end ? strchr(units, *end >= 'a' && *end <= 'z' ? *end - 'a' + 'A' : *end) : NULL;
	if (unit) {
		if (sr_mul_overflows(size, (int64_t)1 << (10 * (unit - units + 1)), &size))
			return false;
		end++;
		if (*end == 'i')
			end++;
	}
	if (*end == 'B')
		end++;
	if (*end)
		return false;
	*bytes = size;
	return true;
}

static bool read_bool(const char *text, bool *value)
{
	static const char *const words[2][4] = {{"false", "0", "no", "off"}, {"true", "1", "yes", "on"}};
	for (int i = 0; i < 8; i++) {
		*value = i / 4;
		if (strcmp(text, words[i / 4][i % 4]) == 0)
			return true;
	}
	return false;
}

/* Return the index of `text` among the choices "a|b|c", - and _ being interchangeable; -1 if it is none of them. */
static int choice_index(const char *choices, const char *text)
{
	int index = 0;
	for (const char *c = choices;; c++, index++) {
		const char *t = text;
		for (; *c && *c != '|'; c++)
			t = t && (*t == *c || (*t == '-' && *c == '_') || (*t == '_' && *c == '-')) ? t + 1 : NULL;
		if (t && !*t)
			return index;
		if (!*c)
			return -1;
	}
}

/* Return true if the value must be the name of a file, folder or program. With an implicit value, an empty text means no file. */
static bool requires_name(const struct sr_knob *knob)
{
	static const char *const kinds[] = {"FILE", "DIR", "COMMAND", "COMPILER", "PROGRAM"};
	bool is_name = false;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		is_name = is_name || !strncmp(knob->value, kinds[i], strlen(kinds[i]));
	return is_name && knob->type == SR_KNOB_STRING && !knob->implicit_value;
}

/* Parse an integer, decimal or hexadecimal (0x1f), as a whole text. A decimal number may begin with zeros. */
static bool read_integer(const char *text, int64_t *value)
{
	const char *digits = text + (*text == '-' || *text == '+');
	char *end;
	errno = 0;
	*value = strtoll(text, &end, digits[0] == '0' && (digits[1] | 0x20) == 'x' ? 16 : 10);
	return end != text && !*end && !errno;
}

bool sr_knob_read(const struct sr_knob *knob, const char *text, union sr_knob_value *value)
{
	*value = (union sr_knob_value){0};
	if (!text)
		return true;
	char *end = NULL;
	errno = 0;
	switch (knob->type) {
	case SR_KNOB_BOOL:
		return read_bool(text, &value->b);
	case SR_KNOB_INT:
		return read_integer(text, &value->i);
	case SR_KNOB_DOUBLE:
		value->d = strtod(text, &end);
		return end != text && !*end && !errno;
	case SR_KNOB_SIZE:
		return sr_parse_size(text, &value->i);
	case SR_KNOB_CHOICE:
		value->choice = choice_index(knob->value, text);
		return value->choice >= 0;
	case SR_KNOB_STRING:
	case SR_KNOB_LIST:
		value->s = text;
		return *text || !requires_name(knob);
	}
	return false;
}

static void write_size(int64_t size, char buffer[64])
{
	static const char units[] = "\0KMGT";
	int u = 0;
	while (u < 4 && size && size % 1024 == 0)
		size /= 1024, u++;
	snprintf(buffer, 64, "%" PRId64 "%.1s", size, units + u);
}

static void write_choice(const char *choices, int index, char buffer[64])
{
	for (; index > 0 && (choices = strchr(choices, '|')); index--)
		choices++;
	snprintf(buffer, 64, "%.*s", choices ? (int)strcspn(choices, "|") : 0, choices ? choices : "");
}

const char *sr_knob_write(const struct sr_knob *knob, const union sr_knob_value *value, char buffer[64])
{
	switch (knob->type) {
	case SR_KNOB_BOOL:
		return value->b ? "true" : "false";
	case SR_KNOB_INT:
		snprintf(buffer, 64, "%" PRId64, value->i);
		break;
	case SR_KNOB_DOUBLE:
		snprintf(buffer, 64, "%.10g", value->d);
		break;
	case SR_KNOB_SIZE:
		write_size(value->i, buffer);
		break;
	case SR_KNOB_CHOICE:
		write_choice(knob->value, value->choice, buffer);
		break;
	case SR_KNOB_STRING:
	case SR_KNOB_LIST:
		return value->s ? value->s : "";
	}
	return buffer;
}

union sr_knob_value sr_knob_field(const struct sr_knob *knob, const void *options)
{
	const void *field = (const char *)options + knob->offset;
	union sr_knob_value value = {0};
	switch (knob->type) {
	case SR_KNOB_BOOL:
		value.b = *(const bool *)field;
		break;
	case SR_KNOB_INT:
	case SR_KNOB_SIZE:
		value.i = *(const int64_t *)field;
		break;
	case SR_KNOB_DOUBLE:
		value.d = *(const double *)field;
		break;
	case SR_KNOB_STRING:
		value.s = *(const char *const *)field;
		break;
	case SR_KNOB_CHOICE:
		value.choice = *(const int *)field;
		break;
	case SR_KNOB_LIST:
		break;
	}
	return value;
}
