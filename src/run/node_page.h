/* A page of memory shared by a client's processes on one node: it contains the abort word, and flags of the ranks that have closed
 * the client. Each process watches the next one by a pidfd, so that all processes are told at once when one ends. */
#ifndef SR_RUN_NODE_PAGE_H
#define SR_RUN_NODE_PAGE_H

#include "run/launch.h"

struct sr_node_page {
	struct node_page_memory *memory; /* the shared memory; NULL: not shared */
	uint64_t bytes;
	int fd;             /* file descriptor of the memory file, in the node's first process; -1: none */
	int index, n;       /* index of this rank among the ranks of the node, and their number */
	int next_process_fd; /* pidfd of the next process, which this one watches; -1: none */
	int watched_rank;
};

/* Open the page and set launch->abort.shared. Collective on all ranks. Allocates in `arena`. If the page cannot be created, no
 * memory is shared and no process is watched. */
void sr_node_page_open(struct sr_node_page *page, struct sr_launch *launch, struct sr_arena *arena);
/* Return true if the watched process has ended without closing the client. To be called when page->next_process_fd is readable. */
bool sr_node_page_has_lost(const struct sr_node_page *page);
void sr_node_page_close(struct sr_node_page *page, struct sr_launch *launch);

#endif
