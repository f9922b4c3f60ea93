/* Replica groups and permute pairs as tables of the program. Internal to plan. */
#ifndef SR_PLAN_PLAN_GROUPS_H
#define SR_PLAN_PLAN_GROUPS_H

#include "plan/program_builder.h"

enum sr_grouping { SR_CROSS_REPLICA, SR_CROSS_PARTITION, SR_CROSS_BOTH, SR_FLATTENED };

/* Add the op's replica_groups as a group list. as_list: list the devices even if the groups follow from mesh axes; is_partial:
 * devices may be in no group. */
enum sr_status sr_plan_groups_of(struct sr_plan_builder *b, struct sr_op *op, enum sr_grouping how, bool as_list, bool is_partial,
				 int *group);
bool sr_plan_group_is_uneven(const struct sr_plan_builder *b, int group); /* Return true if the groups of a list differ in size. */
/* Set the instruction's source_target_pairs. across_partitions: the ids are partitions, in each replica; otherwise replicas, in
 * each partition. */
enum sr_status sr_plan_pairs_of(struct sr_plan_builder *b, struct sr_op *op, bool across_partitions,
				struct sr_collective_instr *instr);
/* Return the group of all devices of a run_parallel grid that is smaller than the program's mesh; -1: all devices. */
int sr_plan_grid_group(struct sr_plan_builder *b);

#endif
