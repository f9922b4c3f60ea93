/* The abort word: why a client cannot go on. It is 0 while all ranks work. Every wait for another rank reads it, so that no rank
 * waits for one that has ended, hangs or failed.
 *
 * Each process has a word of its own, and one in a page that the processes of a node share once the client has opened it. A word is
 * set once; between nodes run/heartbeat.c carries it.
 *
 * Abandoned requests. A wait that sees the word returns before its MPI request is complete. MPI cannot cancel a collective or a message
 * that is under way: it reads and writes the memory of the request as long as the process calls MPI. Therefore
 *   - MPI is given only memory of the client: of its struct sr_launch, its arena, its device sets and arrays; never a stack, and never
 *     memory that is released or reused while the client is open;
 *   - a wait that is given up and an MPI call that fails set has_pending;
 *   - who frees a client, or what it runs, reads has_pending first, and if it is set keeps all that memory until the process ends. */
#ifndef SR_COLLECTIVES_TRANSPORT_ABORT_WORD_H
#define SR_COLLECTIVES_TRANSPORT_ABORT_WORD_H

#include <shardrun/status.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sr_abort_reason {
	SR_ABORT_NONE,
	SR_ABORT_FAILED,  /* a rank got an error while others wait for it */
	SR_ABORT_ENDED,   /* the process of a rank has ended */
	SR_ABORT_STALLED, /* a rank is silent, or, with rank -1, all ranks wait for each other */
};

struct sr_abort_word {
	_Atomic uint64_t own;
	_Atomic uint64_t *_Atomic shared; /* word in the page that the processes of a node share; NULL until the page is opened */
	_Atomic int wake;                 /* eventfd that is written when this process sets the word; 0: none */
	_Atomic bool has_pending;         /* true if requests were abandoned: MPI may still access their memory */
	int rank;                         /* rank of this process */
};

/* Return the abort word; 0 if it is not set. */
static inline uint64_t sr_abort_read(const struct sr_abort_word *a)
{
	uint64_t own = a ? atomic_load_explicit(&a->own, memory_order_relaxed) : 0;
	_Atomic uint64_t *shared = a && !own ? atomic_load_explicit(&a->shared, memory_order_acquire) : NULL;
	return shared ? atomic_load_explicit(shared, memory_order_relaxed) : own;
}

uint64_t sr_abort_make(enum sr_abort_reason reason, int rank);
/* Set the abort word unless it is set already. NULL is allowed. */
void sr_abort_set(struct sr_abort_word *a, uint64_t word);
/* Set the abort word to say that this rank failed while others may wait for it. */
void sr_abort_failed(struct sr_abort_word *a);
/* Return the status of a function that waits or begins after the abort: SR_TIMEOUT if a rank stalled, else SR_INTERNAL. */
enum sr_status sr_abort_status(uint64_t word);
/* Describe the abort word in `out`: "rank 3 has ended". */
void sr_abort_text(uint64_t word, char *out, size_t n);

#endif
