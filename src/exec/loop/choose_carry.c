/* What is carried from step to step. Values are named as in the source, or by number. */
#include "exec/loop/choose_carry.h"
#include "run/execution.h"
#include "support/knobs/suggest.h"
#include "support/suffix.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *sr_result_name(const struct sr_program *p, int i, struct sr_arena *arena)
{
	const char *name = sr_program_string(p, sr_program_values(p)[p->n_arguments + i].name);
	return *name ? name : sr_printf(arena, "result%d", i);
}

/* Among n values from `first` on. */
static enum sr_status find(const struct sr_program *p, int first, int n, const char *kind, const char *flag, const char *text,
			   int *i, struct sr_diags *diags)
{
	struct sr_suggest s = sr_suggest_for(text, strlen(text));
	char *end;
	long number = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : -1;
	for (*i = 0; *i < n; ++*i) {
		const char *name = sr_program_string(p, sr_program_values(p)[first + *i].name);
		if (*name && !strcmp(name, text))
			return SR_OK;
		if (*name)
			sr_suggest_offer(&s, name);
	}
	if (number >= 0 && !*end && number < n) {
		*i = (int)number;
		return SR_OK;
	}
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = flag},
			"'%s' is no %s of the program, which has %d, by name or number from 0 on%s", text, kind, n,
			sr_suggest_message(diags->arena, s.nearest));
}

enum sr_status sr_result_find(const struct sr_program *p, const char *flag, const char *text, int *i, struct sr_diags *diags)
{
	return find(p, p->n_arguments, p->n_results, "result", flag, text, i, diags);
}

struct chooser {
	const struct sr_executable *e;
	const struct sr_program *p;
	const struct sr_array_type *types; /* of arguments, then results */
	struct sr_carried *pairs;
	int n;
	bool *filled, *used; /* [arguments], [results]: carried */
	struct sr_arena *arena;
	struct sr_diags *diags;
};

static const char *type_of(const struct chooser *c, int value)
{
	return sr_program_string(c->p, sr_program_values(c->p)[value].type);
}

static void take(struct chooser *c, int result, int argument)
{
	c->pairs[c->n++] = (struct sr_carried){result, argument};
	c->filled[argument] = c->used[result] = true;
}

/* Element type and shape are one, and so is what each device holds. */
static enum sr_status check(const struct chooser *c, const char *flag, int result, int argument)
{
	int value = c->p->n_arguments + result;
	const char *from = sr_program_result_label(c->p, result, c->arena),
		   *to = sr_program_argument_label(c->p, argument, c->arena);
	struct sr_src_loc place = {.file = flag};
	if (strcmp(type_of(c, value), type_of(c, argument)) != 0)
		return sr_error(c->diags, SR_USAGE, place, "%s has type %s, but %s, which it is carried to, has type %s", from,
				type_of(c, value), to, type_of(c, argument));
	if (c->types[value].layout == c->types[argument].layout)
		return SR_OK;
	const char *module = sr_program_string(c->p, c->p->model);
	const char *else_compile = !strcmp(module, c->e->model)
					   ? "" /* with --loop, which leaves free results as propagation has them */
					   : sr_printf(c->arena, ", or compile %s with --loop, too", module);
	return sr_error(c->diags, SR_USAGE, place,
			"%s and %s, which it is carried to, have type %s, but the devices do not hold the same parts of them: give "
			"them one sharding%s",
			from, to, type_of(c, argument), else_compile);
}

/* ---- as it is said ---- */

/* "RESULT:ARGUMENT", changed. */
static enum sr_status add_pair(struct chooser *c, const char *flag, char *item)
{
	char *colon = strchr(item, ':');
	int result, argument;
	if (!colon)
		return sr_error(c->diags, SR_USAGE, (struct sr_src_loc){.file = flag},
				"RESULT:ARGUMENT,... is expected, but '%s' has no colon", item);
	*colon = 0;
	enum sr_status status = sr_result_find(c->p, flag, item, &result, c->diags);
	if (!status)
		status = find(c->p, 0, c->p->n_arguments, "argument", flag, colon + 1, &argument, c->diags);
	if (!status)
		status = check(c, flag, result, argument);
	if (!status && c->filled[argument])
		return sr_error(c->diags, SR_USAGE, (struct sr_src_loc){.file = flag}, "%s is carried to twice",
				sr_program_argument_label(c->p, argument, c->arena));
	if (!status)
		take(c, result, argument);
	return status;
}

static enum sr_status choose_said(struct chooser *c, const char *text)
{
	const char *flag = sr_printf(c->arena, "--carry=%s", text);
	char *rest = sr_strdup(c->arena, text), *item;
	enum sr_status status = SR_OK;
	while (!status && (item = strsep(&rest, ",")))
		status = add_pair(c, flag, item);
	return status;
}

/* ---- by donation ---- */

/* What of an argument's name its result may share: "['w']" of params['w'], whose result is result[1]['w']. */
static const char *tail_of(const char *name)
{
	return name + strcspn(name, "[.");
}

/* Of the results left that fit, the one with the shortest name that ends as the argument's does, or the first; -1: none. */
static int find_result(const struct chooser *c, int argument)
{
	const char *tail = tail_of(sr_program_string(c->p, sr_program_values(c->p)[argument].name));
	int first = -1, best = -1;
	size_t shortest = 0;
	for (int r = 0; r < c->p->n_results; r++) {
		int value = c->p->n_arguments + r;
		const char *name = sr_program_string(c->p, sr_program_values(c->p)[value].name);
		if (c->used[r] || c->types[value].layout != c->types[argument].layout ||
		    strcmp(type_of(c, value), type_of(c, argument)) != 0)
			continue;
		first = first < 0 ? r : first;
		if (*tail && sr_ends_with(name, tail) && (best < 0 || strlen(name) < shortest)) {
			best = r;
			shortest = strlen(name);
		}
	}
	return best >= 0 ? best : first;
}

static enum sr_status choose_donated(struct chooser *c, const bool *given)
{
	const struct sr_io *values = sr_program_values(c->p);
	enum sr_status status = SR_OK;
	for (int r = 0; !status && r < c->p->n_results; r++) {
		int argument = values[c->p->n_arguments + r].donor - 1;
		if (argument < 0 || c->filled[argument] || given[argument])
			continue;
		status = check(c, "--loop", r, argument);
		if (!status)
			take(c, r, argument);
	}
	for (int a = 0; !status && a < c->p->n_arguments; a++) {
		if (!values[a].donated || c->filled[a] || given[a])
			continue;
		int r = find_result(c, a);
		if (r < 0)
			return sr_error(c->diags, SR_USAGE, (struct sr_src_loc){.file = "--loop"},
					"%s is donated, but no result is left of its type %s and its sharding to be carried to "
					"it; say which results are "
					"carried by --carry=RESULT:ARGUMENT,...",
					sr_program_argument_label(c->p, a, c->arena), type_of(c, a));
		take(c, r, a);
	}
	return status;
}

enum sr_status sr_carry_choose(const struct sr_executable *e, const char *text, const bool *given, struct sr_carried **pairs,
			       int *n, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = e->program;
	struct chooser c = {.e = e, .p = p, .types = sr_execution_types(e, 0, arena), .arena = arena, .diags = diags};
	c.pairs = SR_NEWS(arena, struct sr_carried, p->n_arguments);
	c.filled = SR_NEWS(arena, bool, p->n_arguments);
	c.used = SR_NEWS(arena, bool, p->n_results);
	enum sr_status status = text ? choose_said(&c, text) : choose_donated(&c, given);
	for (int a = 0; !status && a < p->n_arguments; a++)
		if (c.filled[a] && given[a])
			return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = "--carry"},
					"%s is carried to, but also has another file for each step",
					sr_program_argument_label(p, a, arena));
	*pairs = c.pairs;
	*n = c.n;
	return status;
}
