/* Arenas that end with another one: memory of work that may be unwound. */
#ifndef SR_SUPPORT_ARENA_CHILD_H
#define SR_SUPPORT_ARENA_CHILD_H

#include "support/arena.h"

/* Create an arena that is freed with `owner` unless sr_arena_free is called before, and whose failing allocations unwind as the owner's
 * do. */
struct sr_arena *sr_arena_new_child(struct sr_arena *owner);

#endif
