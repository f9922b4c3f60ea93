/* Find the nearest of several candidate names to a misspelled one.
 *
 *	struct sr_suggest s = sr_suggest_for("mian", 4);
 *	sr_suggest_offer(&s, "main"); ...
 *	if (s.nearest) "did you mean ..."
 */
#ifndef SR_SUPPORT_SUGGEST_H
#define SR_SUPPORT_SUGGEST_H

#include "support/arena.h"

struct sr_suggest {
	const char *name; /* the misspelled name, n bytes */
	size_t n;
	const char *nearest; /* nearest candidate, among equally near ones the first alphabetically; NULL: no candidate is near */
	int distance;        /* edit distance of `nearest` */
};

struct sr_suggest sr_suggest_for(const char *name, size_t n);
/* Consider one more candidate, whose text is borrowed. An edit inserts, deletes or changes a letter or swaps two neighbours;
 * case and - versus _ do not count. A candidate is near if at most a third of the letters plus one are edited, or if it is the
 * name followed by a dot (model, model.mlir). */
void sr_suggest_offer(struct sr_suggest *s, const char *candidate);
/* Return the path of the file in the same folder whose name is nearest to that of the missing `path`; NULL if none is near. */
const char *sr_suggest_file(struct sr_arena *arena, const char *path);
/* Return "; did you mean 'NAME'?", or "" if `nearest` is NULL. */
const char *sr_suggest_message(struct sr_arena *arena, const char *nearest);

#endif
