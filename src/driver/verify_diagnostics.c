/* -verify-diagnostics: compare messages with expectations in comments, as mlir-opt does.
 *
 *	// expected-error @+1 {{text that the message contains}}        also -warning, -note, -remark
 *	// expected-error-re@-2 {{text with {{regular}} expressions}}   @above, @below, @unknown
 *
 * A message without an expectation, or an expectation without a message, is a failure. */
#include "driver/driver.h"
#include "support/vec.h"
#include <regex.h>
#include <string.h>

struct expectation {
	enum sr_severity severity;
	int line;     /* line of the expected message; 0: the message has no location */
	bool is_regular_expression;
	const char *text; /* expected text or regular expression, between {{ and }} in the comment */
	bool is_met;
	int comment_line;  /* line of the comment with the expectation */
};

typedef SR_VEC(struct expectation) expectations;

static const char *const severity_names[] = {[SR_NOTE] = "note", [SR_REMARK] = "remark", [SR_WARNING] = "warning", [SR_ERROR] = "error"};

static bool skip_word(const char **p, const char *end, const char *word)
{
	size_t n = strlen(word);
	if ((size_t)(end - *p) < n || memcmp(*p, word, n))
		return false;
	*p += n;
	return true;
}

static bool holds_expectation(const char *line, const char *end)
{
	const char *newline = memchr(line, '\n', (size_t)(end - line));
	return memmem(line, (size_t)((newline ? newline : end) - line), "expected-", strlen("expected-")) != NULL;
}

/* Return the first line after this one that contains no expectation. */
static int next_plain_line(const char *p, const char *end, int line)
{
	do {
		p = memchr(p, '\n', (size_t)(end - p));
		line++;
	} while (p && holds_expectation(++p, end));
	return line;
}

/* Parse a target line such as "@+1" or "@below" and return its line number, 0 for "@unknown". last_line is the last line without an
 * expectation. */
static int parse_target_line(const char **p, const char *end, int line, int last_line)
{
	enum { MAX_DISTANCE = 100000000 };
	int sign, n = 0;
	while (*p < end && **p == ' ')
		(*p)++;
	if (!skip_word(p, end, "@"))
		return line;
	if (skip_word(p, end, "below"))
		return next_plain_line(*p, end, line);
	if (skip_word(p, end, "above"))
		return last_line;
	if (skip_word(p, end, "unknown"))
		return 0;
	sign = *p < end && **p == '-' ? -1 : 1;
	if (*p < end && (**p == '+' || **p == '-'))
		(*p)++;
	for (; *p < end && **p >= '0' && **p <= '9'; (*p)++)
		n = n < MAX_DISTANCE ? n * 10 + (**p - '0') : MAX_DISTANCE;
	return line + sign * n;
}

/* Parse the text between {{ and }}; inner {{ }} pairs of regular expressions nest. */
static const char *parse_braces(struct sr_arena *arena, const char **p, const char *end, bool regular)
{
	while (*p < end && **p == ' ')
		(*p)++;
	if (!skip_word(p, end, "{{"))
		return NULL;
	const char *start = *p, *text_end = NULL;
	int depth = 0;
	for (const char *q = start; q + 1 < end && *q != '\n'; q++) {
		if (regular && q[0] == '{' && q[1] == '{') {
			depth++, q++;
		} else if (q[0] == '}' && q[1] == '}') {
			if (depth--) {
				q++;
				continue;
			}
			text_end = q;
			while (text_end + 2 < end && text_end[2] == '}') /* the last two braces of "}}}" end the text */
				text_end++;
			break;
		}
	}
	if (!text_end)
		return NULL;
	*p = text_end + 2;
	return sr_strndup(arena, start, (size_t)(text_end - start));
}

static void collect_expectations(struct sr_arena *arena, const char *text, size_t n, int line_offset, expectations *out)
{
	const char *p = text, *end = text + n, *start = text;
	int line = 1 + line_offset, last_line = line_offset;
	while (p < end) {
		if (*p == '\n' && !holds_expectation(start, end))
			last_line = line;
		if (*p == '\n') {
			line++;
			start = p + 1;
		}
		if (!skip_word(&p, end, "expected-")) {
			p++;
			continue;
		}
		for (int k = SR_NOTE; k <= SR_ERROR; k++) {
			struct expectation e = {.severity = (enum sr_severity)k, .comment_line = line};
			if (!skip_word(&p, end, severity_names[k]))
				continue;
			e.is_regular_expression = skip_word(&p, end, "-re");
			e.line = parse_target_line(&p, end, line, last_line);
			e.text = parse_braces(arena, &p, end, e.is_regular_expression);
			if (e.text)
				sr_push(arena, out, e);
			break;
		}
	}
}

/* Turn "text with {{re}}" into one POSIX extended expression. */
static const char *to_posix_regex(struct sr_arena *arena, const char *text)
{
	struct sr_buf b;
	bool in_regex = false;
	sr_buf_init(&b, arena);
	for (const char *p = text; *p; p++) {
		if (!in_regex && p[0] == '{' && p[1] == '{') {
			in_regex = true, p++;
			sr_buf_putc(&b, '(');
		} else if (in_regex && p[0] == '}' && p[1] == '}') {
			in_regex = false, p++;
			sr_buf_putc(&b, ')');
		} else {
			if (!in_regex && strchr(".[]{}()*+?^$|\\", *p))
				sr_buf_putc(&b, '\\');
			sr_buf_putc(&b, *p);
		}
	}
	return sr_buf_string(&b);
}

static bool message_matches(struct sr_arena *arena, const struct expectation *e, const char *message)
{
	regex_t re;
	bool is_match;
	if (!e->is_regular_expression)
		return strstr(message, e->text) != NULL;
	if (regcomp(&re, to_posix_regex(arena, e->text), REG_EXTENDED | REG_NOSUB))
		return false;
	is_match = !regexec(&re, message, 0, NULL, 0);
	regfree(&re);
	return is_match;
}

bool sr_expectations_met(struct sr_arena *arena, const struct sr_diags *diags, const char *file, const char *text, size_t n,
			 int line_offset, FILE *out)
{
	expectations list = {0};
	bool are_met = true;
	collect_expectations(arena, text, n, line_offset, &list);
	for (const struct sr_diag *d = diags->first; d; d = d->next) {
		size_t i;
		for (i = 0; i < list.n; i++) {
			struct expectation *e = &list.data[i];
			if (e->severity == d->severity && (e->line == d->place.line || (!e->line && !d->place.file)) && message_matches(arena, e, d->message))
				break;
		}
		if (i < list.n) {
			list.data[i].is_met = true;
			continue;
		}
		are_met = false;
		fprintf(out, "%s:%d:%d: error: unexpected %s: %s\n", d->place.file ? d->place.file : file, d->place.line, d->place.col, severity_names[d->severity],
			d->message);
	}
	for (size_t i = 0; i < list.n; i++)
		if (!list.data[i].is_met) {
			are_met = false;
			fprintf(out, "%s:%d: error: expected %s \"%s\" was not produced\n", file, list.data[i].comment_line,
				severity_names[list.data[i].severity], list.data[i].text);
		}
	return are_met;
}
