/* Compute the optimal string alignment distance: Levenshtein's distance plus swaps of neighbours. */
#include "support/knobs/suggest.h"
#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_NAME = 255, MAX_FILES = 100000 };

static bool equal_chars(char a, char b)
{
	a = a == '_' ? '-' : (char)tolower((unsigned char)a);
	b = b == '_' ? '-' : (char)tolower((unsigned char)b);
	return a == b;
}

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

/* Return the edit distance of a and b, or MAX_NAME if one of them is longer than MAX_NAME. */
static int edit_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
	int rows[3][MAX_NAME + 1]; /* the current row of the distance matrix and the two rows before it, used cyclically */
	if (n_a > MAX_NAME || n_b > MAX_NAME)
		return MAX_NAME;
	for (size_t j = 0; j <= n_b; j++)
		rows[0][j] = (int)j;
	for (size_t i = 1; i <= n_a; i++) {
		int *row = rows[i % 3], *previous_row = rows[(i + 2) % 3], *row_before_previous = rows[(i + 1) % 3];
		row[0] = (int)i;
		for (size_t j = 1; j <= n_b; j++) {
			row[j] = min_int(previous_row[j - 1] + !equal_chars(a[i - 1], b[j - 1]),
					 min_int(previous_row[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && equal_chars(a[i - 1], b[j - 2]) && equal_chars(a[i - 2], b[j - 1]))
				row[j] = min_int(row[j], row_before_previous[j - 2] + 1);
		}
	}
	return rows[n_a % 3][n_b];
}

struct sr_suggest sr_suggest_for(const char *name, size_t n)
{
	return (struct sr_suggest){.name = name, .n = n, .distance = (int)(n < MAX_NAME ? n : MAX_NAME) / 3 + 2};
}

void sr_suggest_offer(struct sr_suggest *s, const char *candidate)
{
	size_t n = strlen(candidate);
	bool is_extension = n > s->n && candidate[s->n] == '.' && !memcmp(candidate, s->name, s->n);
	if (!s->n)
		return;
	int d = is_extension ? 1 : edit_distance(s->name, s->n, candidate, n);
	if (d >= (int)s->n) /* as many edits as letters: the candidate may have no letter in common with the name */
		return;
	if (d < s->distance || (s->nearest && d == s->distance && strcmp(candidate, s->nearest) < 0)) {
		s->distance = d;
		s->nearest = candidate;
	}
}

/* The limit of the distance follows from the name without its extension, since most files share their extension. */
const char *sr_suggest_file(struct sr_arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *folder = slash ? sr_strndup(arena, path, (size_t)(slash - path) + 1) : "";
	size_t stem = strcspn(name, ".");
	struct sr_suggest s = sr_suggest_for(name, strlen(name));
	DIR *dir = opendir(*folder ? folder : ".");
	int n = 0;
	s.distance = stem < 2 ? 2 : sr_suggest_for(name, stem).distance;
	for (const struct dirent *e; dir && n < MAX_FILES && (e = readdir(dir)); n++) {
		const char *previous_nearest = s.nearest;
		if (e->d_name[0] != '.')
			sr_suggest_offer(&s, e->d_name);
		if (s.nearest != previous_nearest)
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
