/* Pairing of results with the arguments that they are carried to, by name, number or donation. */
#include "exec/loop/choose_carry.h"
#include "run/execution.h"
#include "support/knobs/suggest.h"
#include "support/characters.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *sr_result_name(const struct sr_program *p, int i, struct sr_arena *arena)
{
	const char *name = sr_program_string(p, sr_program_result(p, i)->name);
	return *name ? name : sr_printf(arena, "result%d", i);
}

/* Find one of the n program values starting at index `first`, by its name or number. */
static enum sr_status find_by_name(const struct sr_program *p, int first, int n, const char *kind, const char *flag,
				   const char *text,
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
			"'%s' names no %s of the program, which has %d; expected a name or a number from 0 on%s", text, kind, n,
			sr_suggest_message(diags->arena, s.nearest));
}

enum sr_status sr_result_find(const struct sr_program *p, const char *flag, const char *text, int *i, struct sr_diags *diags)
{
	return find_by_name(p, p->n_arguments, p->n_results, "result", flag, text, i, diags);
}

struct chooser {
	const struct sr_executable *e;
	const struct sr_program *p;
	struct sr_carried *pairs;
	int n;
	/* true for each argument that already has a value; true for each result that is carried; lengths: numbers of arguments
	 * and results */
	bool *is_carried_argument, *is_carried_result;
	struct sr_arena *arena;
	struct sr_diags *diags;
};

static const char *type_of(const struct chooser *c, int value)
{
	return sr_program_string(c->p, sr_program_values(c->p)[value].type);
}

static uint64_t layout_hash(const struct chooser *c, int value)
{
	return sr_layout_hash(c->p, sr_program_values(c->p) + value);
}

static void add_carried(struct chooser *c, int result, int argument)
{
	c->pairs[c->n++] = (struct sr_carried){result, argument};
	c->is_carried_argument[argument] = c->is_carried_result[result] = true;
}

/* Check that the result and the argument have equal types and equal slices on every device. */
static enum sr_status check_pair(const struct chooser *c, const char *flag, int result, int argument)
{
	int value = c->p->n_arguments + result;
	const char *result_name = sr_program_result_label(c->p, result, c->arena),
		   *argument_name = sr_program_argument_label(c->p, argument, c->arena);
	struct sr_src_loc location = {.file = flag};
	if (strcmp(type_of(c, value), type_of(c, argument)) != 0)
		return sr_error(c->diags, SR_USAGE, location, "%s has type %s and cannot be carried to %s of type %s", result_name,
				type_of(c, value), argument_name, type_of(c, argument));
	if (layout_hash(c, value) == layout_hash(c, argument))
		return SR_OK;
	const char *module = sr_program_string(c->p, c->p->model);
	const char *else_compile = !strcmp(module, c->e->model)
					   /* a program compiled with --loop keeps the shardings that propagation gives to
					    * unconstrained results */
					   ? ""
					   : sr_printf(c->arena, ", or compile %s with --loop, too", module);
	return sr_error(c->diags, SR_USAGE, location,
			"%s cannot be carried to %s: both have type %s, but their shardings differ; give "
			"them the same sharding%s",
			result_name, argument_name, type_of(c, argument), else_compile);
}

/* ---- by --carry ---- */

/* Add the pair that `item`, "RESULT:ARGUMENT", names; modifies the text. */
static enum sr_status add_pair(struct chooser *c, const char *flag, char *item)
{
	char *colon = strchr(item, ':');
	int result, argument;
	if (!colon)
		return sr_error(c->diags, SR_USAGE, (struct sr_src_loc){.file = flag},
				"expected RESULT:ARGUMENT,..., but '%s' has no colon", item);
	*colon = 0;
	enum sr_status status = sr_result_find(c->p, flag, item, &result, c->diags);
	if (!status)
		status = find_by_name(c->p, 0, c->p->n_arguments, "argument", flag, colon + 1, &argument, c->diags);
	if (!status)
		status = check_pair(c, flag, result, argument);
	if (!status && c->is_carried_argument[argument])
		return sr_error(c->diags, SR_USAGE, (struct sr_src_loc){.file = flag}, "two results are carried to %s",
				sr_program_argument_label(c->p, argument, c->arena));
	if (!status)
		add_carried(c, result, argument);
	return status;
}

static enum sr_status choose_listed(struct chooser *c, const char *text)
{
	const char *flag = sr_printf(c->arena, "--carry=%s", text);
	char *unread_text = sr_strdup(c->arena, text), *item;
	enum sr_status status = SR_OK;
	while (!status && (item = strsep(&unread_text, ",")))
		status = add_pair(c, flag, item);
	return status;
}

/* ---- by donation ---- */

/* Return the suffix of an argument's name that the name of its result may have too: "['w']" of params['w'], since the result may be
 * result[1]['w']. */
static const char *name_suffix(const char *name)
{
	return name + strcspn(name, "[.");
}

/* Return a result for the donated argument, or -1: among the uncarried results of its type and sharding, the one with the shortest
 * name that ends like the argument's, else the first. */
static int find_result(const struct chooser *c, int argument)
{
	const char *suffix = name_suffix(sr_program_string(c->p, sr_program_values(c->p)[argument].name));
	int first = -1, best_result = -1;
	size_t shortest_length = 0;
	for (int r = 0; r < c->p->n_results; r++) {
		int value = c->p->n_arguments + r;
		const char *name = sr_program_string(c->p, sr_program_values(c->p)[value].name);
		if (c->is_carried_result[r] || layout_hash(c, value) != layout_hash(c, argument) ||
		    strcmp(type_of(c, value), type_of(c, argument)) != 0)
			continue;
		first = first < 0 ? r : first;
		if (*suffix && sr_ends_with(name, suffix) && (best_result < 0 || strlen(name) < shortest_length)) {
			best_result = r;
			shortest_length = strlen(name);
		}
	}
	return best_result >= 0 ? best_result : first;
}

static enum sr_status choose_donated(struct chooser *c, const bool *is_filled)
{
	const struct sr_io *values = sr_program_values(c->p);
	enum sr_status status = SR_OK;
	for (int r = 0; !status && r < c->p->n_results; r++) {
		int argument = values[c->p->n_arguments + r].donor - 1;
		if (argument < 0 || c->is_carried_argument[argument] || is_filled[argument])
			continue;
		status = check_pair(c, "--loop", r, argument);
		if (!status)
			add_carried(c, r, argument);
	}
	for (int a = 0; !status && a < c->p->n_arguments; a++) {
		if (!values[a].donated || c->is_carried_argument[a] || is_filled[a])
			continue;
		int r = find_result(c, a);
		if (r < 0)
			return sr_error(c->diags, SR_USAGE, (struct sr_src_loc){.file = "--loop"},
					"%s is donated, but no result is left of its type %s and its sharding to be carried to "
					"it; say which results are "
					"carried by --carry=RESULT:ARGUMENT,...",
					sr_program_argument_label(c->p, a, c->arena), type_of(c, a));
		add_carried(c, r, a);
	}
	return status;
}

enum sr_status sr_carry_choose(const struct sr_executable *e, const char *text, const bool *is_filled, struct sr_carried **pairs,
			       int *n, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = e->program;
	struct chooser c = {.e = e, .p = p, .arena = arena, .diags = diags};
	c.pairs = SR_NEW_ARRAY(arena, struct sr_carried, p->n_arguments);
	c.is_carried_argument = SR_NEW_ARRAY(arena, bool, p->n_arguments);
	c.is_carried_result = SR_NEW_ARRAY(arena, bool, p->n_results);
	enum sr_status status = text ? choose_listed(&c, text) : choose_donated(&c, is_filled);
	for (int a = 0; !status && a < p->n_arguments; a++)
		if (c.is_carried_argument[a] && is_filled[a])
			return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = "--carry"},
					"a result is carried to %s, which also has a file for each step",
					sr_program_argument_label(p, a, arena));
	*pairs = c.pairs;
	*n = c.n;
	return status;
}
