/* Parse pass options; the notation is described in pass.h. */
#include "ir/pass_options.h"
#include "support/vec.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct declared_option {
	const char *name, *type, *default_value; /* default_value is NULL if there is none */
};

struct options_reader {
	struct sr_context *ctx;
	const struct sr_pass *pass;
	const struct sr_pass_options *owner;
	SR_VEC(struct declared_option) declared;
	struct sr_pass_options *out;
};

static const struct sr_named_text *find_option(const struct sr_pass_options *o, const char *name)
{
	for (int i = 0; o && i < o->n; i++)
		if (strcmp(o->options[i].name, name) == 0)
			return &o->options[i];
	return NULL;
}

const char *sr_option_string(const struct sr_pass_options *o, const char *name)
{
	const struct sr_named_text *found = find_option(o, name);
	return found && found->value ? found->value : "";
}

bool sr_option_bool(const struct sr_pass_options *o, const char *name)
{
	const char *value = sr_option_string(o, name);
	return strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
}

int64_t sr_option_int(const struct sr_pass_options *o, const char *name)
{
	return strtoll(sr_option_string(o, name), NULL, 10);
}

/* ---------------------------------------------------------------- the row's declarations */

static char *copy_trimmed(struct sr_arena *arena, const char *begin, const char *end)
{
	while (begin < end && isspace((unsigned char)*begin))
		begin++;
	while (begin < end && isspace((unsigned char)end[-1]))
		end--;
	return sr_strndup(arena, begin, (size_t)(end - begin));
}

static void read_declarations(struct options_reader *r)
{
	for (const char *at = r->pass->options ? r->pass->options : ""; *at;) {
		const char *end = strchrnul(at, ',');
		char *name = copy_trimmed(r->ctx->arena, at, end), *type = strchr(name, ':');
		struct declared_option d = {.name = name, .type = "str"};
		if (type) {
			*type++ = '\0';
			char *default_value = strchr(type, '=');
			if (default_value)
				*default_value++ = '\0';
			d.type = type;
			d.default_value = default_value;
		}
		if (*name)
			sr_push(r->ctx->arena, &r->declared, d);
		at = *end ? end + 1 : end;
	}
}

/* ---------------------------------------------------------------- values */

/* Return the end of a value: the first space outside quotes and braces. */
static const char *value_end(const char *at, const char *end)
{
	char quote = 0;
	int depth = 0;
	for (; at < end; at++) {
		if (quote)
			quote = *at == quote ? 0 : quote;
		else if (*at == '"' || *at == '\'')
			quote = *at;
		else if (*at == '{')
			depth++;
		else if (*at == '}')
			depth--;
		else if (depth == 0 && isspace((unsigned char)*at))
			break;
	}
	return at;
}

static char *copy_unquoted(struct sr_arena *arena, const char *at, const char *end)
{
	bool is_quoted = end - at >= 2 && ((*at == end[-1] && (*at == '"' || *at == '\'')) || (*at == '{' && end[-1] == '}'));
	return sr_strndup(arena, is_quoted ? at + 1 : at, (size_t)(end - at) - (is_quoted ? 2 : 0));
}

/* Replace each $name by the value of the owner's option `name`. */
static const char *substitute_owner_options(struct options_reader *r, const char *value)
{
	if (!r->owner || !strchr(value, '$'))
		return value;
	struct sr_buf out;
	sr_buf_init(&out, r->ctx->arena);
	while (*value) {
		if (*value != '$') {
			sr_buf_putc(&out, *value++);
			continue;
		}
		size_t n = 1;
		while (isalnum((unsigned char)value[n]) || value[n] == '-' || value[n] == '_')
			n++;
		sr_buf_puts(&out, sr_option_string(r->owner, sr_strndup(r->ctx->arena, value + 1, n - 1)));
		value += n;
	}
	return sr_strdup(r->ctx->arena, sr_buf_string(&out));
}

static bool value_fits(const char *type, const char *value)
{
	if (strcmp(type, "bool") == 0)
		return strcmp(value, "true") == 0 || strcmp(value, "false") == 0 || strcmp(value, "1") == 0 ||
		       strcmp(value, "0") == 0;
	if (strcmp(type, "int") == 0) {
		char *end;
		errno = 0;
		strtoll(value, &end, 10);
		return end != value && *end == '\0' && errno == 0;
	}
	return true;
}

static enum sr_status set_option(struct options_reader *r, const char *name, const char *value)
{
	struct sr_diags *diags = &r->ctx->diags;
	size_t i = 0;
	while (i < r->declared.n && strcmp(r->declared.data[i].name, name) != 0)
		i++;
	if (i == r->declared.n)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "no such option '%s' of pass '%s'%s%s", name, r->pass->name,
				r->declared.n ? "; it has " : "", r->declared.n ? r->pass->options : "");
	const char *type = r->declared.data[i].type;
	if (!value)
		value = strcmp(type, "bool") == 0 ? "true" : "";
	value = substitute_owner_options(r, value);
	if (!value_fits(type, value))
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "option '%s' of pass '%s' is a %s, not '%s'", name,
				r->pass->name,
				type, value);
	r->out->options[i].value = value;
	return SR_OK;
}

static enum sr_status read_given_options(struct options_reader *r, const char *at, const char *end)
{
	for (;;) {
		while (at < end && isspace((unsigned char)*at))
			at++;
		if (at == end)
			return SR_OK;
		const char *name = at;
		while (at < end && *at != '=' && !isspace((unsigned char)*at))
			at++;
		const char *name_end = at, *value = NULL;
		if (at < end && *at == '=') {
			const char *begin = at + 1;
			at = value_end(begin, end);
			value = copy_unquoted(r->ctx->arena, begin, at);
		}
		enum sr_status status = set_option(r, sr_strndup(r->ctx->arena, name, (size_t)(name_end - name)), value);
		if (status != SR_OK)
			return status;
	}
}

enum sr_status sr_pass_options_read(struct sr_context *ctx, const struct sr_pass *pass, const char *given, size_t n,
				    const struct sr_pass_options *owner, struct sr_pass_options *out)
{
	struct options_reader r = {.ctx = ctx, .pass = pass, .owner = owner, .out = out};
	read_declarations(&r);
	out->n = (int)r.declared.n;
	out->options = SR_NEW_ARRAY(ctx->arena, struct sr_named_text, out->n);
	for (int i = 0; i < out->n; i++)
		out->options[i] = (struct sr_named_text){r.declared.data[i].name, r.declared.data[i].default_value};
	return given ? read_given_options(&r, given, given + n) : SR_OK;
}
