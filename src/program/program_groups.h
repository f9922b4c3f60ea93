/* Checks of replica groups and permute pairs in an untrusted blob. Internal to program. */
#ifndef SR_PROGRAM_PROGRAM_GROUPS_H
#define SR_PROGRAM_PROGRAM_GROUPS_H

#include "program/program.h"
#include "support/checked.h"

/* Return true if all ids are in range and each device is in at most one group. `seen` has a bit for each device; all are zero
 * before and after the call. */
bool sr_program_group_is_valid(const struct sr_program *p, const struct sr_group_list *g, uint8_t *seen);
/* Return true if all ids are in range and each device sends and receives at most once. `seen` is as in
 * sr_program_group_is_valid. */
bool sr_program_pairs_are_valid(const struct sr_program *p, const struct sr_collective_instr *permute, uint8_t *seen);

#endif
