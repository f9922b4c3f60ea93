/* Find out which processes are on one node: those with the same host name and boot id. */
#ifndef SR_COLLECTIVES_TRANSPORT_NODE_KEY_H
#define SR_COLLECTIVES_TRANSPORT_NODE_KEY_H

#include <stdint.h>

/* Return a number that identifies this node: two processes get the same number if and only if they are on one node. */
uint64_t sr_node_key(void);

#endif
