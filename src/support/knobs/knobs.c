/* Parse the command line and the environment into an options struct, by a table of knobs. */
#include "support/knobs/knobs.h"
#include "support/knobs/knobs_value.h"
#include "support/knobs/response.h"
#include "support/knobs/suggest.h"
#include "support/thread.h"
#include <stdlib.h>
#include <string.h>

const char *sr_env(const char *name)
{
	sr_environment_lock();
	const char *value = getenv(name);
	sr_environment_unlock();
	return value;
}

enum { MAX_RESPONSE_DEPTH = 8 /* maximum nesting of response files */ };

/* State while a command line is parsed. */
struct parse_state {
	const struct sr_knobs *knobs;
	void *options;
	struct sr_arena *arena;
	struct sr_diags *diags;
	bool *is_on_command_line; /* for each knob: true if it is on the command line */
	sr_strings_list *positional_words;
	bool (*unknown_flag)(void *data, const char *name, const char *value, struct sr_suggest *s);
	void *data;
	bool has_ended_flags; /* true if "--" was seen */
};

static const struct sr_src_loc no_location;

/* Return true if `name` (n bytes) equals the name of the row; _ in `name` matches -. */
static bool names_match(const char *row, const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (row[i] != name[i] && !(row[i] == '-' && name[i] == '_'))
			return false;
	return row[n] == '\0';
}

static void set_field(const struct sr_knob *knob, void *options, union sr_knob_value value, struct sr_arena *arena)
{
	void *field = (char *)options + knob->offset;
	switch (knob->type) {
	case SR_KNOB_BOOL:
		*(bool *)field = value.b;
		break;
	case SR_KNOB_INT:
	case SR_KNOB_SIZE:
		*(int64_t *)field = value.i;
		break;
	case SR_KNOB_DOUBLE:
		*(double *)field = value.d;
		break;
	case SR_KNOB_STRING:
		*(const char **)field = value.s;
		break;
	case SR_KNOB_CHOICE:
		*(int *)field = value.choice;
		break;
	case SR_KNOB_LIST:
		sr_push(arena, (sr_strings_list *)field, value.s);
		break;
	}
}

enum sr_status sr_knobs_set(const struct sr_knob *knob, void *options, const char *source, const char *text, struct sr_arena *arena,
			    struct sr_diags *diags)
{
	static const char *const expected_by_type[] = {[SR_KNOB_BOOL] = "true or false",
						       [SR_KNOB_INT] = "an integer",
						       [SR_KNOB_DOUBLE] = "a number",
						       [SR_KNOB_SIZE] = "a size (a number, perhaps with K, M, G or T)"};
	union sr_knob_value value;
	if (sr_knob_read(knob, text, &value)) {
		set_field(knob, options, value, arena);
		return SR_OK;
	}
	const char *expected = knob->type == SR_KNOB_CHOICE   ? sr_printf(arena, "one of %s", knob->value)
			       : knob->type == SR_KNOB_STRING ? sr_printf(arena, "a name (%s)", knob->value)
							      : expected_by_type[knob->type];
	return sr_error(diags, SR_USAGE, no_location, "%s: expected %s, got '%s'", source, expected, text);
}

static enum sr_status set_defaults(const struct sr_knobs *knobs, void *options, struct sr_arena *arena, struct sr_diags *diags)
{
	for (int i = 0; i < knobs->n; i++) {
		const struct sr_knob *knob = &knobs->rows[i];
		if (knob->type == SR_KNOB_LIST)
			*(sr_strings_list *)((char *)options + knob->offset) = (sr_strings_list){0};
		enum sr_status status = SR_OK;
		if (knob->type != SR_KNOB_LIST || knob->initial)
			status = sr_knobs_set(knob, options, knob->name, knob->initial, arena, diags);
		if (status)
			return status;
	}
	return SR_OK;
}

enum sr_status sr_knobs_begin(const struct sr_knobs *knobs, void *options, struct sr_arena *arena, struct sr_diags *diags)
{
	enum sr_status status = set_defaults(knobs, options, arena, diags);
	for (int i = 0; i < knobs->n && !status; i++) {
		const struct sr_knob *knob = &knobs->rows[i];
		const char *text = knob->env ? sr_env(knob->env) : NULL;
		if (text && *text)
			status = sr_knobs_set(knob, options, knob->env, text, arena, diags);
	}
	return status;
}

const struct sr_knob *sr_knobs_find(const struct sr_knobs *knobs, const char *name, const char **nearest)
{
	size_t n = strlen(name);
	for (int i = 0; i < knobs->n; i++)
		if (names_match(knobs->rows[i].name, name, n))
			return &knobs->rows[i];
	struct sr_suggest s = sr_suggest_for(name, n);
	for (int i = 0; i < knobs->n; i++)
		sr_suggest_offer(&s, knobs->rows[i].name);
	*nearest = s.nearest;
	return NULL;
}

/* Find the row of flag `name`: a long name or, after a single dash, a letter that may have a number attached (-b8). */
static const struct sr_knob *find_knob(const struct sr_knobs *knobs, const char *name, size_t n, int dashes,
				       const char **attached_value)
{
	for (int i = 0; i < knobs->n; i++)
		if (names_match(knobs->rows[i].name, name, n))
			return &knobs->rows[i];
	if (dashes != 1 || n == 0)
		return NULL;
	for (int i = 0; i < knobs->n; i++) {
		const struct sr_knob *knob = &knobs->rows[i];
		bool is_number = knob->type == SR_KNOB_INT || knob->type == SR_KNOB_SIZE || knob->type == SR_KNOB_DOUBLE;
		if (knob->letter != name[0])
			continue;
		if (n > 1 && is_number && name[1] >= '0' && name[1] <= '9')
			*attached_value = name + 1;
		if (n == 1 || *attached_value)
			return knob;
	}
	return NULL;
}

/* Offer a flag without a row to `unknown_flag`, or report it with the nearest name. `flag`: the word, with `name` (n bytes) in it. */
static enum sr_status take_unknown(const struct parse_state *p, const char *flag, const char *name, size_t n, const char *value)
{
	struct sr_suggest s = sr_suggest_for(name, n);
	for (int i = 0; i < p->knobs->n; i++)
		sr_suggest_offer(&s, p->knobs->rows[i].name);
	if (p->unknown_flag && p->unknown_flag(p->data, sr_strndup(p->arena, name, n), value, &s))
		return SR_OK;
	int length = (int)(name + n - flag);
	if (s.nearest)
		return sr_error(p->diags, SR_USAGE, no_location, "unknown flag '%.*s'; did you mean '--%s'?", length, flag,
				s.nearest);
	return sr_error(p->diags, SR_USAGE, no_location, "unknown flag '%.*s'; --help lists the flags", length, flag);
}

/* Set a known flag. Its value follows '=', is attached, or (except for a bool) is the next word, which is then consumed. */
static enum sr_status take_flag(const struct parse_state *p, const struct sr_knob *knob, const char *flag, const char *value,
				const char *next, bool *is_consumed)
{
	bool *is_on_command_line = &p->is_on_command_line[knob - p->knobs->rows];
	const char *name = sr_strndup(p->arena, flag, strcspn(flag, "="));
	if (!value && knob->type == SR_KNOB_BOOL)
		value = "true";
	if (!value)
		value = knob->implicit_value;
	if (!value && next) {
		value = next;
		*is_consumed = true;
	}
	if (!value)
		return sr_error(p->diags, SR_USAGE, no_location, "%s: expected a value (%s)", name,
				knob->value ? knob->value : "text");
	if (knob->type == SR_KNOB_LIST &&
	    !*is_on_command_line) /* flags on the command line replace values of the environment and the default */
		*(sr_strings_list *)((char *)p->options + knob->offset) = (sr_strings_list){0};
	*is_on_command_line = true;
	return sr_knobs_set(knob, p->options, name, value, p->arena, p->diags);
}

/* Parse the flag in word i of n. *is_consumed is set if the next word is its value. */
static enum sr_status read_flag(const struct parse_state *p, const char *const *words, size_t i, size_t n, bool *is_consumed)
{
	const char *word = words[i];
	int dashes = word[1] == '-' ? 2 : 1;
	const char *name = word + dashes, *value = strchr(name, '='), *attached_value = NULL;
	size_t length = value ? (size_t)(value - name) : strlen(name);
	value = value ? value + 1 : NULL;
	const struct sr_knob *knob = find_knob(p->knobs, name, length, dashes, &attached_value);
	if (knob)
		return take_flag(p, knob, word, attached_value ? attached_value : value, i + 1 < n ? words[i + 1] : NULL,
				 is_consumed);
	return take_unknown(p, word, name, length, value);
}

static enum sr_status read_words(struct parse_state *p, const char *const *words, size_t n, int depth)
{
	enum sr_status status = SR_OK;
	for (size_t i = 0; i < n && !status; i++) {
		const char *word = words[i];
		bool is_consumed = false;
		sr_strings_list file_words = {0};
		if (p->has_ended_flags || (word[0] != '-' && word[0] != '@') || !word[1]) {
			sr_push(p->arena, p->positional_words, word);
		} else if (word[0] == '@') {
			if (depth == MAX_RESPONSE_DEPTH)
				return sr_error(p->diags, SR_USAGE, no_location,
						"%s: response files nested more than %d deep", word, MAX_RESPONSE_DEPTH);
			status = sr_response_read(p->arena, p->diags, word + 1, &file_words);
			if (!status)
				status = read_words(p, file_words.data, file_words.n, depth + 1);
		} else if (strcmp(word, "--") == 0) {
			p->has_ended_flags = true;
		} else {
			status = read_flag(p, words, i, n, &is_consumed);
		}
		i += is_consumed;
	}
	return status;
}

enum sr_status sr_knobs_parse(const struct sr_knobs *knobs, void *options, int argc, char **argv, struct sr_arena *arena,
			      struct sr_diags *diags, sr_strings_list *positional,
			      bool (*set_other)(void *data, const char *name, const char *value, struct sr_suggest *s),
			      void *data)
{
	struct parse_state p = {knobs,	    options,   arena, diags, SR_NEW_ARRAY(arena, bool, knobs->n),
				positional, set_other, data,  false};
	enum sr_status status = sr_knobs_begin(knobs, options, arena, diags);
	return status || argc < 2 ? status : read_words(&p, (const char *const *)argv + 1, (size_t)argc - 1, 0);
}
