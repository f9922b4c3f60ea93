/* Setting and reading the abort word, whose high half is the reason and low half the rank. */
#include "collectives/transport/abort_word.h"
#include <stdio.h>
#include <unistd.h>

uint64_t sr_abort_make(enum sr_abort_reason reason, int rank)
{
	return (uint64_t)reason << 32 | (uint32_t)rank;
}

static void set_if_unset(_Atomic uint64_t *at, uint64_t word)
{
	uint64_t no_word = 0;
	atomic_compare_exchange_strong(at, &no_word, word);
}

void sr_abort_set(struct sr_abort_word *a, uint64_t word)
{
	uint64_t one = 1;
	if (!a)
		return;
	_Atomic uint64_t *shared = atomic_load_explicit(&a->shared, memory_order_acquire);
	if (shared) { /* The first word set in the page wins, so that all processes of the node report the same reason. */
		set_if_unset(shared, word);
		word = atomic_load(shared);
	}
	set_if_unset(&a->own, word);
	int wake_fd = atomic_load(&a->wake);
	if (wake_fd > 0 && write(wake_fd, &one, sizeof one) != sizeof one)
		return; /* If the write fails, the heartbeat thread sees the abort word in its next period. */
}

void sr_abort_failed(struct sr_abort_word *a)
{
	if (a)
		sr_abort_set(a, sr_abort_make(SR_ABORT_FAILED, a->rank));
}

enum sr_status sr_abort_status(uint64_t word)
{
	enum sr_abort_reason reason = (enum sr_abort_reason)(word >> 32);
	return reason == SR_ABORT_NONE ? SR_OK : reason == SR_ABORT_STALLED ? SR_TIMEOUT : SR_INTERNAL;
}

void sr_abort_text(uint64_t word, char *out, size_t n)
{
	int rank = (int)(int32_t)(uint32_t)word;
	switch ((enum sr_abort_reason)(word >> 32)) {
	case SR_ABORT_FAILED:
		snprintf(out, n, "rank %d failed while others waited for it", rank);
		break;
	case SR_ABORT_ENDED:
		snprintf(out, n, "the process of rank %d has ended", rank);
		break;
	case SR_ABORT_STALLED:
		if (rank >= 0)
			snprintf(out, n, "no progress: rank %d is silent", rank);
		else
			snprintf(out, n, "no progress: the ranks wait for each other");
		break;
	default:
		snprintf(out, n, "not aborted");
	}
}
