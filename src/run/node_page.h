/* The page that a client's processes on one node share: the abort word, and which ranks have closed the client. Each process watches the
 * next one by a pidfd, so that all are told at once when a process ends. */
#ifndef SR_RUN_NODE_PAGE_H
#define SR_RUN_NODE_PAGE_H

#include "run/launch.h"

struct sr_node_page {
	struct node_page_memory *memory; /* NULL: not shared */
	uint64_t bytes;
	int fd;             /* of the node's first process; -1: none */
	int index, n;       /* of this rank among those of the node */
	int watched;        /* pidfd of the next process; -1: none */
	int watched_rank;
};

/* Collective on all ranks: open the page and set launch->abort.shared. Allocates in `arena`. Where that is not possible, nothing is
 * shared and nobody is watched. */
void sr_node_page_open(struct sr_node_page *page, struct sr_launch *launch, struct sr_arena *arena);
/* Return true if the watched process has ended without closing the page; call it when page->watched is readable. */
bool sr_node_page_has_lost(const struct sr_node_page *page);
void sr_node_page_close(struct sr_node_page *page, struct sr_launch *launch);

#endif
