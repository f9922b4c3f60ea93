/* XLA's compiler options. Their values are checked as XLA checks them, so that a script with a mistake fails here, too. */
#include "pjrt/settings.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum option_type { BOOL, INT32, INT64, FLOAT, STRING, ENUM, MESSAGE };
static const char *const type_names[] = {"bool", "int32", "int64", "float", "string", "enum", "message"};

static const struct {
	const char *name;
	enum option_type type;
} xla_options[] = {
#define XLA_OPTION(name, type) {#name, type},
#include "pjrt/xla_options.def"
#undef XLA_OPTION
};

static bool is_integer(const char *text, enum option_type type)
{
	char *end;
	errno = 0;
	long long value = strtoll(text, &end, 10);
	return end != text && !*end && !errno && (type == INT64 || (value >= INT32_MIN && value <= INT32_MAX));
}

static bool is_number(const char *text)
{
	char *end;
	(void)strtod(text, &end);
	return end != text && !*end;
}

/* Check a value against an option's type. The enumerators of an ENUM are not checked. */
static bool is_valid_value(const struct sr_pjrt_option *o, enum option_type type)
{
	bool is_text = o->type == SR_PJRT_OPTION_STRING;
	switch (type) {
	case BOOL: return o->type == SR_PJRT_OPTION_BOOL || (is_text && (!strcmp(o->value, "True") || !strcmp(o->value, "False")));
	case INT32:
	case INT64: return (o->type == SR_PJRT_OPTION_INT || is_text) && is_integer(o->value, type);
	case FLOAT: return o->type == SR_PJRT_OPTION_DOUBLE || (is_text && is_number(o->value));
	case STRING: return is_text;
	case ENUM: return is_text || o->type == SR_PJRT_OPTION_INT;
	case MESSAGE: break;
	}
	return false;
}

enum sr_status sr_pjrt_check_xla_option(const struct sr_pjrt_option *o, struct sr_diags *diags)
{
	size_t i = 0, n = sizeof xla_options / sizeof *xla_options;
	while (i < n && strcmp(xla_options[i].name, o->name) != 0)
		i++;
	if (i == n)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "No such compile option: '%s'", o->name);
	if (!is_valid_value(o, xla_options[i].type))
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "While setting option %s, '%s' is not a valid %s value.", o->name, o->value,
				type_names[xla_options[i].type]);
	return SR_OK;
}
