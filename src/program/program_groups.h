/* Whether groups and pairs of a blob can be followed. Internal to program. */
#ifndef SR_PROGRAM_PROGRAM_GROUPS_H
#define SR_PROGRAM_PROGRAM_GROUPS_H

#include "program/program.h"
#include "support/checked.h"

/* Each device is in one group at most; each sends and gets once at most. seen: a bit for each device, zeros before
 * and after. */
bool sr_program_group_is_valid(const struct sr_program *p, const struct sr_group_list *g, uint8_t *seen);
bool sr_program_pairs_are_valid(const struct sr_program *p, const struct sr_collective_instr *permute, uint8_t *seen);

#endif
