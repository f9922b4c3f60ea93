/* Assignment of --input values to arguments, and names of arguments in the source. */
#include "exec/values/input_names.h"
#include "dialect/ops.h"
#include "io/text_value.h"
#include "support/knobs/suggest.h"
#include <ctype.h>
#include <string.h>

const char *const *sr_program_argument_names(const struct sr_program *p, struct sr_arena *arena)
{
	const char **names = SR_NEW_ARRAY(arena, const char *, p->n_arguments + 1);
	for (int32_t i = 0; i < p->n_arguments; i++)
		names[i] = sr_program_string(p, sr_program_values(p)[i].name);
	return names;
}

const char *const *sr_func_argument_names(const struct sr_op *func, struct sr_arena *arena)
{
	int n = sr_func_type(func)->n_inputs;
	const char **names = SR_NEW_ARRAY(arena, const char *, n + 1);
	for (int i = 0; i < n; i++) {
		const char *name = sr_func_arg_name(func, i);
		names[i] = name ? name : "";
	}
	return names;
}

/* ---- --input=NAME=VALUE ---- */

/* Return true if the text begins with NAME= and the text before the first = is not a type. */
static bool is_named(const char *text)
{
	return *text != '@' && !isdigit((unsigned char)*text) && strchr(text, '=') && !sr_text_has_type(text);
}

/* Return the argument with the longest name that is a prefix of the text, since names may contain =; -1: none. */
static int find_longest_name(const char *text, const char *const *names, int n)
{
	size_t longest = 0;
	int result = -1;
	for (int i = 0; i < n; i++) {
		size_t length = strlen(names[i]);
		if (length > longest && !strncmp(text, names[i], length) && text[length] == '=') {
			longest = length;
			result = i;
		}
	}
	return result;
}

static enum sr_status report_unknown(const char *text, const char *const *names, int n, struct sr_arena *arena,
				     struct sr_diags *diags)
{
	size_t length = strcspn(text, "=");
	struct sr_suggest s = sr_suggest_for(text, length);
	struct sr_src_loc location = {.file = sr_printf(arena, "--input=%s", text)};
	bool has_names = false;
	for (int i = 0; i < n; i++) {
		has_names = has_names || *names[i];
		sr_suggest_offer(&s, names[i]);
	}
	return sr_error(diags, SR_USAGE, location, "'%.*s' is neither a type nor the name of an argument%s%s", (int)length, text,
			sr_suggest_message(arena, s.nearest),
			has_names ? "; " SR_KEEP_UNUSED : "; the module contains no names; JAX writes them with as_text(debug_info=True)");
}

static bool is_ambiguous(const char *const *names, int n, int i)
{
	for (int k = i + 1; k < n; k++)
		if (!strcmp(names[i], names[k]))
			return true;
	return false;
}

/* Return the file name in "@FILE" if the file is an archive and no key is given, else NULL. */
static const char *archive_file(const char *text, struct sr_arena *arena)
{
	const char *file, *key;
	return *text == '@' && sr_archive_parse_reference(arena, text + 1, &file, &key) && !key ? file : NULL;
}

/* Assign one input to an argument: to the named one, or to the next in order. */
static enum sr_status assign_one(const char *text, const char *const *names, int n, struct sr_archives *archives, int *next,
				 const char **texts, int *n_extra, struct sr_arena *arena, struct sr_diags *diags)
{
	bool is_named_input = is_named(text);
	int i = is_named_input ? find_longest_name(text, names, n) : (*next)++;
	struct sr_src_loc location = {.file = sr_printf(arena, "--input=%s", text)};
	const struct sr_archive *archive;
	if (is_named_input && i < 0)
		return report_unknown(text, names, n, arena, diags);
	if (is_named_input && is_ambiguous(names, n, i))
		return sr_error(diags, SR_USAGE, location, "several arguments are called '%s'", names[i]);
	if (i >= n) {
		++*n_extra;
		return SR_OK;
	}
	if (texts[i])
		return sr_error(diags, SR_USAGE, location, "argument %d is given twice", i);
	texts[i] = is_named_input ? text + strlen(names[i]) + 1 : text;
	const char *file = archive_file(texts[i], arena);
	enum sr_status status = file ? sr_archives_open(diags, arena, archives, file, &archive) : SR_OK;
	return file && !status ? sr_inputs_find_array(archive, names[i], &texts[i], arena, diags) : status;
}

enum sr_status sr_inputs_assign(const sr_strings_list *inputs, const char *const *names, int n, struct sr_archives *archives,
				const char **texts, int *n_extra, struct sr_arena *arena, struct sr_diags *diags)
{
	int next = 0;
	enum sr_status status = SR_OK;
	bool *is_given = SR_NEW_ARRAY(arena, bool, n + 1);
	*n_extra = 0;
	for (size_t k = 0; !status && k < inputs->n; k++)
		if (!archive_file(inputs->data[k], arena))
			status = assign_one(inputs->data[k], names, n, archives, &next, texts, n_extra, arena, diags);
	for (int i = 0; i < n; i++)
		is_given[i] = texts[i] != NULL;
	for (size_t k = 0; !status && k < inputs->n; k++) {
		const char *file = archive_file(inputs->data[k], arena);
		const struct sr_archive *archive;
		status = file ? sr_archives_open(diags, arena, archives, file, &archive) : SR_OK;
		if (file && !status)
			status = sr_inputs_assign_archive(archive, names, n, is_given, texts, arena, diags);
	}
	return status;
}
