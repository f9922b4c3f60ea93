/* The route with the fewest bytes on the wire. */
#include "partition/route.h"
void sr_route_cheaply(struct sr_route *route, int64_t element_bytes)
{
	sr_route_as_upstream(route);
}
