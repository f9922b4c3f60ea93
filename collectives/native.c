/* The transport's own collective: one more row, whose schedule is a single call.
 *
 * Requires: the transport says that it has a call for this type, monoid and size (call->native), else SR_NEXT.
 * Bytes are given as the least that any algorithm sends; rounds and order of reduction are the library's. */
#include "collectives/algorithms.h"

enum sr_status sr_native_collective(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	if (!call->native)
		return SR_NEXT;
	sr_build_begin(&b, call, arena);
	sr_build_native(&b);
	return sr_build_end(&b, out);
}
