/* What was probably meant: the nearest of some names to one that is not among them.
 *
 *	struct sr_suggest s = sr_suggest_for("mian");
 *	sr_suggest_offer(&s, "main"); ...
 *	if (s.nearest) "did you mean ..." */
#ifndef SR_SUPPORT_SUGGEST_H
#define SR_SUPPORT_SUGGEST_H

#include "support/arena.h"

struct sr_suggest {
	const char *name; /* what was written, n bytes */
	size_t n;
	const char *nearest; /* of those offered, of equals the first by its letters; NULL: none is near */
	int distance;        /* of it: edits */
};

struct sr_suggest sr_suggest_for(const char *name, size_t n);
/* Edits are letters put in, left out or changed and two neighbours exchanged; - and _ are alike, so are capitals. Near is what a
 * third of the letters and one more lead to; a name that goes on behind a dot (model, model.mlir) is near too. */
void sr_suggest_offer(struct sr_suggest *s, const char *candidate);
/* Of a path that is not there: that of the nearest file in the same folder; NULL: none. */
const char *sr_suggest_file(struct sr_arena *arena, const char *path);
/* "; did you mean 'NAME'?", or "" for NULL. */
const char *sr_suggest_message(struct sr_arena *arena, const char *nearest);

#endif
