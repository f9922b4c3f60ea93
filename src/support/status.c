/* Names of statuses. */
#include <shardrun/status.h>

const char *sr_status_name(enum sr_status status)
{
	switch (status) {
	case SR_OK:
		return "ok";
	case SR_DIFFERS:
		return "differs";
	case SR_USAGE:
		return "usage";
	case SR_INVALID:
		return "invalid";
	case SR_UNSUPPORTED:
		return "unsupported";
	case SR_NO_MEMORY:
		return "no memory";
	case SR_NEXT:
		return "next";
	case SR_INTERRUPTED:
		return "interrupted";
	case SR_TIMEOUT:
		return "timeout";
	case SR_INTERNAL:
		return "internal";
	}
	return "unknown";
}
