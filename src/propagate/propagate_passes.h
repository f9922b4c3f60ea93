/* The run functions of this folder's passes. */
#ifndef SR_PROPAGATE_PROPAGATE_PASSES_H
#define SR_PROPAGATE_PROPAGATE_PASSES_H

#include "propagate/propagate.h"

sr_pass_fn sr_pass_basic_propagate, sr_pass_aggressive_propagate, sr_pass_op_priority_propagate, sr_pass_user_priority_propagate,
	sr_pass_populate_op_sharding_rules, sr_pass_library_rules;

#endif
