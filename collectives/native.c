/* The MPI library's own collective as an algorithm: its schedule is a single native entry.
 *
 * Requires that the transport has a call for this type, monoid and size (call->native), else SR_NEXT. sent_bytes is the minimum
 * that any algorithm sends; rounds and reduction order are the library's. */
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
