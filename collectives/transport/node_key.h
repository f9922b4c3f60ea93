/* Find out which processes are on one node: those with the same host name and boot id. */
#ifndef SR_COLLECTIVES_TRANSPORT_NODE_KEY_H
#define SR_COLLECTIVES_TRANSPORT_NODE_KEY_H

#include <stdint.h>

/* Return a number that is equal for the processes of a node, and for no others. */
uint64_t sr_node_key(void);

#endif
