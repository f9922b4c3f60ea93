/* Whether groups and pairs of a blob can be followed. Internal to program. */
#ifndef SR_PROGRAM_GROUPS_H
#define SR_PROGRAM_GROUPS_H

#include "program/program.h"
#include "support/checked.h"

bool sr_program_group_is_good(const struct sr_program *p, const struct sr_group_list *g);
bool sr_program_pairs_are_good(const struct sr_program *p, const struct sr_collective_step *permute);

#endif
