/* Words out of a file. */
#include "support/knobs/response.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 << 20 /* bytes */ };

struct splitter {
	const char *at, *end;
	int line;
	struct sr_buf word;
};

static char next(struct splitter *s)
{
	s->line += *s->at == '\n';
	return *s->at++;
}

/* Up to the closing quote; false where there is none. */
static bool quoted(struct splitter *s, char quote)
{
	while (s->at < s->end) {
		char c = next(s);
		if (c == quote)
			return true;
		bool escapes = quote == '"' && c == '\\' && s->at < s->end && strchr("\"\\$`\n", *s->at);
		if (escapes)
			c = next(s);
		if (!escapes || c != '\n')
			sr_buf_putc(&s->word, c);
	}
	return false;
}

/* A word that begins here. */
static bool take(struct splitter *s)
{
	s->word.n = 0;
	while (s->at < s->end && !strchr(" \t\r\n", *s->at)) {
		char c = next(s);
		if (c == '\'' || c == '"') {
			if (!quoted(s, c))
				return false;
			continue;
		}
		if (c == '\\') {
			if (s->at == s->end)
				return false;
			c = next(s);
			if (c == '\n')
				continue;
		}
		sr_buf_putc(&s->word, c);
	}
	return true;
}

enum sr_status sr_response_split(struct sr_arena *arena, struct sr_diags *diags, const char *file, const char *text, size_t n,
				 sr_strings_list *words)
{
	struct splitter s = {text, text + n, 1, {0}};
	sr_buf_init(&s.word, arena);
	if (memchr(text, '\0', n))
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){file}, "no file of options: it has a NUL byte");
	while (s.at < s.end) {
		int line = s.line;
		if (strchr(" \t\r\n", *s.at)) {
			next(&s);
		} else if (*s.at == '#') {
			const char *stop = memchr(s.at, '\n', (size_t)(s.end - s.at));
			s.at = stop ? stop : s.end;
		} else if (s.end - s.at > 1 && s.at[0] == '\\' && s.at[1] == '\n') { /* a long line goes on */
			s.at += 2;
			s.line++;
		} else {
			if (!take(&s))
				return sr_error(diags, SR_USAGE, (struct sr_src_loc){file, line, 0}, "a word that does not end");
			sr_push(arena, words, sr_strndup(arena, s.word.data, s.word.n));
		}
	}
	return SR_OK;
}

enum sr_status sr_response_read(struct sr_arena *arena, struct sr_diags *diags, const char *file, sr_strings_list *words)
{
	struct sr_buf text;
	char piece[4096];
	size_t n;
	FILE *in = fopen(file, "re");
	if (!in)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){file}, "cannot open this file of options: %s", strerror(errno));
	sr_buf_init(&text, arena);
	while ((n = fread(piece, 1, sizeof piece, in)) > 0 && text.n < MOST)
		sr_buf_put(&text, piece, n);
	int why = ferror(in) ? errno : text.n >= MOST ? EFBIG : 0;
	fclose(in);
	if (why)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){file}, "cannot read this file of options: %s", strerror(why));
	return sr_response_split(arena, diags, file, text.n ? text.data : "", text.n, words);
}
