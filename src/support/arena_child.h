/* Arenas that are freed with another arena: for work that may be unwound. */
#ifndef SR_SUPPORT_ARENA_CHILD_H
#define SR_SUPPORT_ARENA_CHILD_H

#include "support/arena.h"

/* Create an arena that is freed with `owner` unless sr_arena_free is called earlier. A failing allocation unwinds to the
 * owner's guard. */
struct sr_arena *sr_arena_new_child(struct sr_arena *owner);

#endif
