/* Groups and pairs of collectives on their way into the program's tables. Internal to plan. */
#ifndef SR_PLAN_PLAN_GROUPS_H
#define SR_PLAN_PLAN_GROUPS_H

#include "plan/program_builder.h"

enum sr_grouping { SR_CROSS_REPLICA, SR_CROSS_PARTITION, SR_CROSS_BOTH, SR_FLATTENED };

/* The op's replica_groups as a group of the program; listed: device by device even where they follow from axes; some: devices may
 * be in none. */
enum sr_status sr_plan_groups_of(struct sr_plan_builder *b, struct sr_op *op, enum sr_grouping how, bool listed, bool some,
				 int *group);
bool sr_plan_group_is_uneven(const struct sr_plan_builder *b, int group); /* some group is shorter than others */
/* The op's source_target_pairs, set in the step; across: they name partitions, of each replica, else replicas. */
enum sr_status sr_plan_pairs_of(struct sr_plan_builder *b, struct sr_op *op, bool across, struct sr_collective_instr *step);
/* The devices of a grid that is smaller than the program's mesh, as a group; -1: all devices. */
int sr_plan_grid_group(struct sr_plan_builder *b);

#endif
