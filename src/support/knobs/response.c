/* Split response files into words. */
#include "support/knobs/response.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_BYTES = 64 << 20 /* maximum bytes of a response file */ };

struct splitter {
	const char *at, *end;
	int line;
	struct sr_buf argument;
};

static char next_char(struct splitter *s)
{
	s->line += *s->at == '\n';
	return *s->at++;
}

/* Append text up to the closing quote. Return false if there is none. */
static bool read_quoted(struct splitter *s, char quote)
{
	while (s->at < s->end) {
		char c = next_char(s);
		if (c == quote)
			return true;
		bool escapes = quote == '"' && c == '\\' && s->at < s->end && strchr("\"\\$`\n", *s->at);
		if (escapes)
			c = next_char(s);
		if (!escapes || c != '\n')
			sr_buf_putc(&s->argument, c);
	}
	return false;
}

/* Read the word that begins at the cursor. */
static bool read_word(struct splitter *s)
{
	s->argument.n = 0;
	while (s->at < s->end && !strchr(" \t\r\n", *s->at)) {
		char c = next_char(s);
		if (c == '\'' || c == '"') {
			if (!read_quoted(s, c))
				return false;
			continue;
		}
		if (c == '\\') {
			if (s->at == s->end)
				return false;
			c = next_char(s);
			if (c == '\n')
				continue;
		}
		sr_buf_putc(&s->argument, c);
	}
	return true;
}

enum sr_status sr_response_split(struct sr_arena *arena, struct sr_diags *diags, const char *file, const char *text, size_t n,
				 sr_strings_list *words)
{
	struct splitter s = {text, text + n, 1, {0}};
	sr_buf_init(&s.argument, arena);
	if (memchr(text, '\0', n))
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){file}, "not a response file: contains a NUL byte");
	while (s.at < s.end) {
		int line = s.line;
		if (strchr(" \t\r\n", *s.at)) {
			next_char(&s);
		} else if (*s.at == '#') {
			const char *stop = memchr(s.at, '\n', (size_t)(s.end - s.at));
			s.at = stop ? stop : s.end;
		} else if (s.end - s.at > 1 && s.at[0] == '\\' && s.at[1] == '\n') { /* a backslash continues the line */
			s.at += 2;
			s.line++;
		} else {
			if (!read_word(&s))
				return sr_error(diags, SR_USAGE, (struct sr_src_loc){file, line, 0}, "unterminated quote or escape");
			sr_push(arena, words, sr_strndup(arena, s.argument.data, s.argument.n));
		}
	}
	return SR_OK;
}

enum sr_status sr_response_read(struct sr_arena *arena, struct sr_diags *diags, const char *file, sr_strings_list *words)
{
	struct sr_buf text;
	char chunk[4096];
	size_t n;
	FILE *in = fopen(file, "re");
	if (!in)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){file}, "cannot open response file: %s", strerror(errno));
	sr_buf_init(&text, arena);
	while ((n = fread(chunk, 1, sizeof chunk, in)) > 0 && text.n < MAX_BYTES)
		sr_buf_put(&text, chunk, n);
	int error = ferror(in) ? errno : text.n >= MAX_BYTES ? EFBIG : 0;
	fclose(in);
	if (error)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){file}, "cannot read response file: %s", strerror(error));
	return sr_response_split(arena, diags, file, text.n ? text.data : "", text.n, words);
}
