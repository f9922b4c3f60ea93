/* Constants of loaded programs. A block holds all constants of a program, in the program's order, and is shared by its devices and
 * by all programs of the client that have equal constants. Any thread may call the functions. */
#ifndef SR_RUN_SHARED_CONSTANTS_H
#define SR_RUN_SHARED_CONSTANTS_H

#include "program/program.h"
#include "support/thread.h"

struct sr_constants_block {
	struct sr_constants_block *next;
	uint64_t hash;
	int64_t bytes, references;
	char *data; /* constants, with the alignment of arrays */
};

struct sr_constants_list { /* blocks of constants of a client */
	pthread_mutex_t lock;
	struct sr_constants_block *first;
};

void sr_constants_list_open(struct sr_constants_list *list);
void sr_constants_list_close(struct sr_constants_list *list); /* Free the list; all blocks must have been released. */
/* Return a reference to a block with the program's constants, or NULL if memory runs out. */
struct sr_constants_block *sr_constants_get(struct sr_constants_list *list, const struct sr_program *program);
void sr_constants_release(struct sr_constants_list *list, struct sr_constants_block *block);

#endif
