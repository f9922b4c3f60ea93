/* Generate --help, the manual page and --show-knobs from a table of knobs. */
#include "support/knobs/knobs_value.h"
#include <string.h>

enum { COLUMN = 30, WIDTH = 100, ROFF_WIDTH = 64 };

/* Return the next row, from row `at` on, in the section of row `head`; -1: none. Rows are grouped by section, in the order of
 * each section's first row. */
static int next_in_section(const struct sr_knobs *knobs, int head, int at)
{
	for (int i = at; i < knobs->n; i++)
		if (strcmp(knobs->rows[i].section, knobs->rows[head].section) == 0)
			return i;
	return -1;
}

static bool starts_section(const struct sr_knobs *knobs, int i)
{
	return next_in_section(knobs, i, 0) == i;
}

static const char *placeholder(const struct sr_knob *knob)
{
	static const char *const words[] = {[SR_KNOB_INT] = "N", [SR_KNOB_DOUBLE] = "X", [SR_KNOB_SIZE] = "SIZE", [SR_KNOB_STRING] = "TEXT",
					    [SR_KNOB_CHOICE] = "WORD", [SR_KNOB_LIST] = "TEXT"};
	return knob->type == SR_KNOB_BOOL ? NULL : knob->value ? knob->value : words[knob->type];
}

/* Write text word-wrapped; the first line starts at column `at`, later lines at `column`. */
static void put_wrapped(const char *text, int at, int column, FILE *out)
{
	bool is_first = true;
	while (*text) {
		int n = (int)strcspn(text, " ");
		if (!is_first && at + 1 + n > WIDTH) {
			fprintf(out, "\n%*s", column, "");
			at = column;
		} else if (!is_first) {
			fputc(' ', out);
			at++;
		}
		fwrite(text, 1, (size_t)n, out);
		at += n;
		is_first = false;
		text += n;
		text += strspn(text, " ");
	}
}

static void put_row(const struct sr_knob *knob, FILE *out)
{
	const char *value = placeholder(knob);
	int at = knob->letter ? fprintf(out, "  -%c, ", knob->letter) : fprintf(out, "      ");
	at += fprintf(out, "--%s", knob->name);
	if (value)
		at += fprintf(out, knob->implicit_value ? "[=%s]" : "=%s", value);
	if (at + 2 > COLUMN) {
		fputc('\n', out);
		at = 0;
	}
	fprintf(out, "%*s", COLUMN - at, "");
	put_wrapped(knob->help, COLUMN, COLUMN, out);
	if (knob->initial || knob->env) {
		fprintf(out, "\n%*s(", COLUMN, "");
		if (knob->initial)
			fprintf(out, "default: %s%s", knob->initial, knob->env ? "; " : "");
		if (knob->env)
			fprintf(out, "variable: %s", knob->env);
		fputc(')', out);
	}
	fputc('\n', out);
}

void sr_knobs_help(const struct sr_knobs *knobs, FILE *out)
{
	fprintf(out, "Usage: %s\n\n", knobs->synopsis);
	put_wrapped(knobs->summary, 0, 0, out);
	fputc('\n', out);
	for (int head = 0; head < knobs->n; head++) {
		if (!starts_section(knobs, head))
			continue;
		fprintf(out, "\n%s:\n", knobs->rows[head].section);
		for (int i = head; i >= 0; i = next_in_section(knobs, head, i + 1))
			put_row(&knobs->rows[i], out);
	}
	fputs("\nIn long names - and _ are interchangeable; a value follows = or is the next word.\n", out);
}

/* Write text with roff's special characters escaped, broken into lines of about `width` characters unless width is 0. A line
 * may be broken after a bar in a choice a|b. */
static void put_roff(const char *text, int width, FILE *out)
{
	int at = 0;
	for (; *text; text++) {
		const char *escape = *text == '\\' ? "\\e" : *text == '-' ? "\\-" : *text == '|' ? "|\\:" : NULL;
		bool is_break = width && *text == ' ' && at + 1 + (int)strcspn(text + 1, " \n") > width;
		if (at == 0 && (*text == '.' || *text == '\''))
			fputs("\\&", out);
		if (escape)
			fputs(escape, out);
		else
			fputc(is_break ? '\n' : *text, out);
		at = is_break || *text == '\n' ? 0 : at + 1;
	}
}

static void put_roff_row(const struct sr_knob *knob, FILE *out)
{
	fputs(".TP\n", out);
	if (knob->letter)
		fprintf(out, "\\fB\\-%c\\fR, ", knob->letter);
	fputs("\\fB\\-\\-", out);
	put_roff(knob->name, 0, out);
	fputs("\\fR", out);
	if (placeholder(knob)) {
		fputs(knob->implicit_value ? "[=\\fI" : "=\\fI", out);
		put_roff(placeholder(knob), 0, out);
		fputs(knob->implicit_value ? "\\fR]" : "\\fR", out);
	}
	fputc('\n', out);
	put_roff(knob->help, ROFF_WIDTH, out);
	fputc('\n', out);
	if (knob->initial) {
		fputs("Default: ", out);
		put_roff(knob->initial, 0, out);
		fputs(".\n", out);
	}
	if (knob->env)
		fprintf(out, "Variable: \\fB%s\\fR.\n", knob->env);
}

static void put_roff_options(const struct sr_knobs *knobs, FILE *out)
{
	fputs(".SH OPTIONS\nIn long names \\- and _ are interchangeable, one or two dashes are accepted,\nand a value follows = or is the next word.\n",
	      out);
	for (int head = 0; head < knobs->n; head++) {
		if (!starts_section(knobs, head))
			continue;
		fprintf(out, ".SS %s\n", knobs->rows[head].section);
		for (int i = head; i >= 0; i = next_in_section(knobs, head, i + 1))
			put_roff_row(&knobs->rows[i], out);
	}
}

static void put_roff_examples(const struct sr_knobs *knobs, FILE *out)
{
	fputs(".SH EXAMPLES\n", out);
	for (int i = 0; i < knobs->n_examples; i++) {
		fputs(i ? ".PP\n" : "", out);
		put_roff(knobs->examples[i].help, ROFF_WIDTH, out);
		fputs("\n.PP\n.RS 4\n.nf\n\\fB", out);
		put_roff(knobs->examples[i].command, 0, out);
		fputs("\\fR\n.fi\n.RE\n", out);
	}
}

void sr_knobs_man(const struct sr_knobs *knobs, const char *extra, FILE *out)
{
	static const char *const tools[] = {"shardbench", "shardopt", "shardrun"};
	fputs(".TH ", out);
	for (const char *c = knobs->tool; *c; c++)
		fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, out);
	fprintf(out, " 1 %s \"shardrun %s\" \"User Commands\"\n.ad l\n.nh\n", PACKAGE_DATE, PACKAGE_VERSION);
	fprintf(out, ".SH NAME\n%s \\- ", knobs->tool);
	put_roff(knobs->summary, ROFF_WIDTH, out);
	fputs("\n.SH SYNOPSIS\n\\fB", out);
	put_roff(knobs->synopsis, ROFF_WIDTH, out);
	fputs("\\fR\n", out);
	put_roff_options(knobs, out);
	if (knobs->n_examples)
		put_roff_examples(knobs, out);
	if (extra)
		fputs(extra, out);
	fputs(".SH SEE ALSO\n", out);
	bool is_first = true;
	for (int i = 0; i < 3; i++) {
		if (strcmp(tools[i], knobs->tool) == 0)
			continue;
		fprintf(out, "%s.BR %s (1)", is_first ? "" : ",\n", tools[i]);
		is_first = false;
	}
	fputc('\n', out);
}

/* Infer where a value came from. A value equal to the default counts as the default. */
static const char *value_origin(const struct sr_knob *knob, const char *now, char buffer[64])
{
	union sr_knob_value value;
	if (sr_knob_read(knob, knob->initial, &value) && strcmp(now, sr_knob_write(knob, &value, buffer)) == 0)
		return "default";
	const char *text = knob->env ? sr_env(knob->env) : NULL;
	if (text && sr_knob_read(knob, text, &value) && strcmp(now, sr_knob_write(knob, &value, buffer)) == 0)
		return "environment";
	return "flag";
}

static void show_list(const struct sr_knob *knob, const sr_strings_list *list, FILE *out)
{
	if (list->n == 0)
		fprintf(out, "%-34s %-20s default\n", knob->name, "");
	const char *text = knob->env ? sr_env(knob->env) : NULL;
	for (size_t i = 0; i < list->n; i++)
		fprintf(out, "%-34s %-20s %s\n", knob->name, list->data[i],
			list->n == 1 && text && strcmp(text, list->data[i]) == 0 ? "environment" : "flag");
}

void sr_knobs_show(const struct sr_knobs *knobs, const void *options, FILE *out)
{
	for (int i = 0; i < knobs->n; i++) {
		const struct sr_knob *knob = &knobs->rows[i];
		if (knob->type == SR_KNOB_LIST) {
			show_list(knob, (const sr_strings_list *)((const char *)options + knob->offset), out);
			continue;
		}
		char buffer[64], origin_buffer[64];
		union sr_knob_value value = sr_knob_field(knob, options);
		const char *now = sr_knob_write(knob, &value, buffer);
		fprintf(out, "%-34s %-20s %s\n", knob->name, now, value_origin(knob, now, origin_buffer));
	}
}
