/* Add to lists of diagnostics, and print them. */
#include "support/diag.h"
#include "support/format_text.h"
#include <errno.h>
#include <stdbool.h>
#include <string.h>

void sr_diags_init(struct sr_diags *diags, struct sr_arena *arena)
{
	*diags = (struct sr_diags){.arena = arena};
	diags->last = &diags->first;
}

void sr_diags_add_source(struct sr_diags *diags, const char *file, const char *text, size_t n)
{
	struct sr_source *source = SR_NEW(diags->arena, struct sr_source);
	*source = (struct sr_source){.file = file, .text = text, .n = n, .next = diags->sources};
	diags->sources = source;
}

void sr_diags_splice(struct sr_diags *diags, struct sr_diags *source)
{
	struct sr_source **end = &diags->sources;
	while (*end)
		end = &(*end)->next;
	*end = source->sources;
	if (source->first) {
		*diags->last = source->first;
		diags->last = source->last;
	}
	diags->n_errors += source->n_errors;
	sr_diags_init(source, source->arena);
}

void sr_vreport(struct sr_diags *diags, enum sr_severity severity, struct sr_src_loc place, const char *format, va_list args)
{
	if (!diags)
		return;
	struct sr_diag *diag = SR_NEW(diags->arena, struct sr_diag);
	diag->severity = severity;
	diag->place = place;
	diag->message = sr_printable(diags->arena, sr_vprintf(diags->arena, format, args));
	*diags->last = diag;
	diags->last = &diag->next;
	diags->n_errors += severity == SR_ERROR;
}

void sr_report(struct sr_diags *diags, enum sr_severity severity, struct sr_src_loc place, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	sr_vreport(diags, severity, place, format, args);
	va_end(args);
}

enum sr_status sr_error(struct sr_diags *diags, enum sr_status status, struct sr_src_loc place, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	sr_vreport(diags, SR_ERROR, place, format, args);
	va_end(args);
	return status;
}

/* Return line place->line of the registered source, without its line end, and its length in *n; NULL if the text is not
 * registered. */
static const char *find_line(const struct sr_diags *diags, const struct sr_src_loc *place, size_t *n)
{
	const struct sr_source *source = diags->sources;
	while (source && strcmp(source->file, place->file))
		source = source->next;
	if (!source || place->line < 1)
		return NULL;
	const char *p = source->text, *end = p + source->n;
	for (int line = 1; line < place->line; line++) {
		const char *eol = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
		if (!eol)
			return NULL;
		p = eol + 1;
	}
	const char *eol = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
	*n = (size_t)((eol ? eol : end) - p);
	if (*n && p[*n - 1] == '\r')
		--*n;
	return p;
}

/* Return true if byte i belongs to a control character other than a tab. Each such byte is printed as one space, since columns
 * count bytes. */
static bool is_control_byte(const char *line, size_t i, size_t n)
{
	const unsigned char *s = (const unsigned char *)line;
	bool begins = s[i] == 0xc2 && i + 1 < n && s[i + 1] >= 0x80 && s[i + 1] < 0xa0,
	     ends = i && s[i - 1] == 0xc2 && s[i] >= 0x80 && s[i] < 0xa0;
	return (s[i] < 0x20 && s[i] != '\t') || s[i] == 0x7f || begins || ends;
}

/* Print the source line and a caret under its column. If a line is longer than 500 bytes (hex constants), only the text around
 * the column is printed. */
static void print_line(const struct sr_diags *diags, const struct sr_src_loc *place, FILE *out)
{
	enum { MAX_LINE_BYTES = 500, BYTES_BEFORE_COLUMN = 100 };
	size_t n = 0;
	const char *line = find_line(diags, place, &n);
	if (!line)
		return;
	size_t at = place->col > 0 ? (size_t)place->col - 1 : 0;
	if (at > n)
		at = n;
	if (n > MAX_LINE_BYTES) {
		size_t cut = at > BYTES_BEFORE_COLUMN ? at - BYTES_BEFORE_COLUMN : 0;
		line += cut, n -= cut, at -= cut;
		if (n > MAX_LINE_BYTES)
			n = MAX_LINE_BYTES;
	}
	for (size_t i = 0; i < n; i++)
		fputc(is_control_byte(line, i, n) ? ' ' : line[i], out);
	fputc('\n', out);
	if (place->col < 1)
		return;
	for (size_t i = 0; i < at; i++)
		fputc(line[i] == '\t' ? '\t' : ' ', out);
	fputs("^\n", out);
}

static void diag_print(const struct sr_diags *diags, const struct sr_diag *diag, FILE *out)
{
	static const char *const severity_names[] = {
	    [SR_NOTE] = "note", [SR_REMARK] = "remark", [SR_WARNING] = "warning", [SR_ERROR] = "error"};
	const struct sr_src_loc *place = &diag->place;
	if (place->file) {
		fputs(sr_printable(diags->arena, place->file), out);
		if (place->line > 0)
			fprintf(out, ":%d", place->line);
		if (place->line > 0 && place->col > 0)
			fprintf(out, ":%d", place->col);
		fputs(": ", out);
	}
	fprintf(out, "%s: %s\n", severity_names[diag->severity], diag->message);
	if (place->file)
		print_line(diags, place, out);
}

void sr_diags_print(const struct sr_diags *diags, FILE *out)
{
	for (const struct sr_diag *diag = diags->first; diag; diag = diag->next)
		diag_print(diags, diag, out);
}

void sr_diags_clear(struct sr_diags *diags)
{
	diags->first = NULL;
	diags->last = &diags->first;
	diags->n_errors = 0;
}

enum sr_status sr_flush_stream(struct sr_diags *diags, FILE *out, const char *name)
{
	bool has_failed = ferror(out); /* The errno of an earlier failure is lost, unless fflush fails again. */
	errno = 0;
	if (!fflush(out) && !has_failed)
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = name}, "cannot be written: %s",
			errno ? strerror(errno) : "an earlier write failed");
}
