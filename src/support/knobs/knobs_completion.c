/* Generate shell completion scripts from a table of knobs.
 *
 * Values are proposed from the flag's placeholder: lower-case alternatives of "auto|order|AXIS,..." are proposed literally;
 * other text values are completed as file names. */
#include "support/knobs/knobs.h"
#include <string.h>

/* Return the placeholder of the flag's value, which is "false|true" for a bool whose default is true; NULL: the flag takes no
 * value. */
static const char *value_placeholder(const struct sr_knob *knob)
{
	if (knob->type == SR_KNOB_BOOL)
		return knob->initial ? "false|true" : NULL;
	return knob->value ? knob->value : "";
}

static bool may_be_file(const struct sr_knob *knob)
{
	return knob->type == SR_KNOB_STRING || knob->type == SR_KNOB_LIST;
}

/* Write the literal words among the alternatives of a|b,...|C, separated by blanks, to `out` (NULL: write nothing). Return
 * false if no alternative is literal. */
static bool put_words(const char *value, FILE *out)
{
	bool has_literal = false;
	for (const char *next; value; value = next) {
		size_t word_length = strcspn(value, "|"), n = strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789_-");
		next = value[word_length] ? value + word_length + 1 : NULL;
		if (n == 0 || (n != word_length && strncmp(value + n, ",...", word_length - n) != 0))
			continue;
		if (out)
			fprintf(out, "%s%.*s", has_literal ? " " : "", (int)n, value);
		has_literal = true;
	}
	return has_literal;
}

/* ---------------------------------------------------------------- bash */

static void put_bash_flags(const struct sr_knobs *knobs, FILE *out)
{
	for (int i = 0; i < knobs->n; i++) {
		const struct sr_knob *knob = &knobs->rows[i];
		if (knob->letter)
			fprintf(out, " -%c", knob->letter);
		if (!value_placeholder(knob) || knob->implicit_value)
			fprintf(out, " --%s", knob->name);
		if (value_placeholder(knob))
			fprintf(out, " --%s=", knob->name);
	}
}

static void put_bash_name(const struct sr_knob *knob, FILE *out)
{
	fprintf(out, "--%s", knob->name);
	if (knob->letter)
		fprintf(out, "|-%c", knob->letter);
}

/* Write a case branch for a flag, with the values the flag may have. */
static void put_bash_values(const struct sr_knob *knob, FILE *out)
{
	fputc('\t', out);
	put_bash_name(knob, out);
	fputs(") words=\"", out);
	put_words(value_placeholder(knob), out);
	fprintf(out, "\" files=%s ;;\n", may_be_file(knob) ? "yes" : "");
}

/* Write a case pattern that matches the flags whose value may be the next word. */
static void put_bash_next(const struct sr_knobs *knobs, FILE *out)
{
	const char *bar = "";
	for (int i = 0; i < knobs->n; i++) {
		const struct sr_knob *knob = &knobs->rows[i];
		if (knob->type == SR_KNOB_BOOL || knob->implicit_value)
			continue;
		fputs(bar, out);
		put_bash_name(knob, out);
		bar = "|";
	}
}

/* Bash also splits command-line words at = : and @: --input=@x becomes "--input" "=@" "x". */
static void put_bash(const struct sr_knobs *knobs, const sr_strings_list *words, FILE *out)
{
	fprintf(out, "# bash completion of %s\n_%s() {\n", knobs->tool, knobs->tool);
	fputs("\tlocal word=${COMP_WORDS[COMP_CWORD]} flag= words= files= at=$COMP_CWORD\n"
	      "\tlocal all=\"",
	      out);
	for (size_t i = 0; i < words->n; i++)
		fprintf(out, "%s ", words->data[i]);
	put_bash_flags(knobs, out);
	fputs("\"\n"
	      "\tCOMPREPLY=()\n"
	      "\tif [[ $word == =* || ${COMP_WORDS[at-1]} == =* ]]; then\n"
	      "\t\twhile ((at > 0)) && [[ ${COMP_WORDS[at]} != -* ]]; do ((at--)); done\n"
	      "\t\tflag=${COMP_WORDS[at]}\n"
	      "\telse\n"
	      "\t\tcase ${COMP_WORDS[at-1]} in\n\t\t",
	      out);
	put_bash_next(knobs, out);
	fputs(") flag=${COMP_WORDS[at-1]} ;;\n"
	      "\t\tesac\n"
	      "\tfi\n"
	      "\t[[ $word == =* ]] && word=\n"
	      "\tcase ${flag//_/-} in\n"
	      "\t\"\") words=$all; [[ $word == -* ]] || files=yes ;;\n",
	      out);
	for (int i = 0; i < knobs->n; i++)
		if (may_be_file(&knobs->rows[i]) || put_words(value_placeholder(&knobs->rows[i]), NULL))
			put_bash_values(&knobs->rows[i], out);
	fputs("\tesac\n"
	      "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\"; [[ $files ]] && compgen -f -- \"$word\")\n"
	      "\t[[ $files ]] && compopt -o filenames\n"
	      "\t[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
	      "}\n",
	      out);
	fprintf(out, "complete -F _%s %s\n", knobs->tool, knobs->tool);
}

/* ---------------------------------------------------------------- zsh */

/* Write text inside single quotes, escaping the characters of `escaped_chars`, which zsh's _arguments interprets. */
static void put_zsh_text(const char *text, size_t n, const char *escaped_chars, FILE *out)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\'')
			fputs("'\\'", out);
		else if (strchr(escaped_chars, text[i]))
			fputc('\\', out);
		fputc(text[i], out);
	}
}

static size_t first_sentence(const char *text)
{
	const char *end = strstr(text, ". ");
	return end ? (size_t)(end - text) + 1 : strlen(text);
}

/* Write the name of a flag's value, and the values that the flag may have. */
static void put_zsh_action(const struct sr_knob *knob, FILE *out)
{
	const char *value = value_placeholder(knob);
	bool words = put_words(value, NULL);
	fputs(knob->implicit_value ? "::" : ":", out);
	put_zsh_text(value, strlen(value), ":\\", out);
	fputs(words && may_be_file(knob) ? ":{_alternative \"words:word:(" : words ? ":(" : may_be_file(knob) ? ":_files" : ": ", out);
	put_words(value, out);
	fputs(words && may_be_file(knob) ? ")\" files:file:_files}" : words ? ")" : "", out);
}

static void put_zsh_row(const struct sr_knob *knob, FILE *out)
{
	bool has_value = value_placeholder(knob);
	const char *tail = !has_value ? "" : knob->implicit_value || knob->type == SR_KNOB_BOOL ? "=-" : "=";
	fputs("  ", out);
	if (knob->type == SR_KNOB_LIST)
		fputs("'*'", out);
	else if (knob->letter)
		fprintf(out, "'(-%c --%s)'", knob->letter, knob->name);
	if (knob->letter)
		fprintf(out, "{-%c%s,--%s%s}", knob->letter, has_value ? "+" : "", knob->name, tail);
	else
		fprintf(out, "--%s%s", knob->name, tail);
	fputs("'[", out);
	put_zsh_text(knob->help, first_sentence(knob->help), "[]\\", out);
	fputc(']', out);
	if (has_value)
		put_zsh_action(knob, out);
	fputs("' \\\n", out);
}

static void put_zsh(const struct sr_knobs *knobs, const sr_strings_list *words, FILE *out)
{
	fprintf(out, "#compdef %s\n_arguments \\\n", knobs->tool);
	for (int i = 0; i < knobs->n; i++)
		put_zsh_row(&knobs->rows[i], out);
	bool takes_files = false;
	for (size_t i = 0; i < words->n; i++) {
		takes_files |= words->data[i][0] != '-';
		if (words->data[i][0] == '-')
			fprintf(out, "  '*'%s \\\n", words->data[i]);
	}
	fputs("  '*: :{_alternative", out);
	if (takes_files) {
		fputs(" \"words:word:(", out);
		for (size_t i = 0; i < words->n; i++)
			if (words->data[i][0] != '-')
				fprintf(out, " %s", words->data[i]);
		fputs(")\"", out);
	}
	fputs(" files:file:_files}'\n", out);
}

void sr_knobs_completion(const struct sr_knobs *knobs, enum sr_shell shell, const sr_strings_list *words, FILE *out)
{
	if (shell == SR_SHELL_BASH)
		put_bash(knobs, words, out);
	else
		put_zsh(knobs, words, out);
}
