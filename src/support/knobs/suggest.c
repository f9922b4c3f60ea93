/* Distances of names: Levenshtein's, with exchanged neighbours as one edit. */
#include "support/knobs/suggest.h"
#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 255, MOST_FILES = 100000 };

static bool alike(char a, char b)
{
	a = a == '_' ? '-' : (char)tolower((unsigned char)a);
	b = b == '_' ? '-' : (char)tolower((unsigned char)b);
	return a == b;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Names that are too long are far from everything. */
static int distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
	int rows[3][LONGEST + 1]; /* of the letters of a: this one, the one before, the one before that */
	if (n_a > LONGEST || n_b > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= n_b; j++)
		rows[0][j] = (int)j;
	for (size_t i = 1; i <= n_a; i++) {
		int *row = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
		row[0] = (int)i;
		for (size_t j = 1; j <= n_b; j++) {
			row[j] = least(last[j - 1] + !alike(a[i - 1], b[j - 1]), least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && alike(a[i - 1], b[j - 2]) && alike(a[i - 2], b[j - 1]))
				row[j] = least(row[j], before[j - 2] + 1);
		}
	}
	return rows[n_a % 3][n_b];
}

struct sr_suggest sr_suggest_for(const char *name, size_t n)
{
	return (struct sr_suggest){.name = name, .n = n, .distance = (int)(n < LONGEST ? n : LONGEST) / 3 + 2};
}

void sr_suggest_offer(struct sr_suggest *s, const char *candidate)
{
	size_t n = strlen(candidate);
	bool longer = n > s->n && candidate[s->n] == '.' && !memcmp(candidate, s->name, s->n);
	if (!s->n)
		return;
	int d = longer ? 1 : distance(s->name, s->n, candidate, n);
	if (d >= (int)s->n) /* nothing of it is left */
		return;
	if (d < s->distance || (s->nearest && d == s->distance && strcmp(candidate, s->nearest) < 0)) {
		s->distance = d;
		s->nearest = candidate;
	}
}

/* The letters behind the dot are alike for most files: what is near is decided by those in front. */
const char *sr_suggest_file(struct sr_arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *folder = slash ? sr_strndup(arena, path, (size_t)(slash - path) + 1) : "";
	size_t stem = strcspn(name, ".");
	struct sr_suggest s = sr_suggest_for(name, strlen(name));
	DIR *dir = opendir(*folder ? folder : ".");
	int n = 0;
	s.distance = stem < 2 ? 2 : sr_suggest_for(name, stem).distance;
	for (const struct dirent *e; dir && n < MOST_FILES && (e = readdir(dir)); n++) {
		const char *before = s.nearest;
		if (e->d_name[0] != '.')
			sr_suggest_offer(&s, e->d_name);
		if (s.nearest != before)
			s.nearest = sr_strdup(arena, s.nearest);
	}
	if (dir)
		closedir(dir);
	return s.nearest ? sr_printf(arena, "%s%s", folder, s.nearest) : NULL;
}

const char *sr_suggest_message(struct sr_arena *arena, const char *nearest)
{
	return nearest ? sr_printf(arena, "; did you mean '%s'?", nearest) : "";
}
