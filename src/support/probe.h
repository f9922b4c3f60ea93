/* Flags of a check.probe op: what the partitioner knows about the probed value. The partitioner sets them
 * (partition/insert_probes.h), the program carries them (program/program.h). */
#ifndef SR_SUPPORT_PROBE_H
#define SR_SUPPORT_PROBE_H

enum sr_probe_flag {
	SR_PROBE_NAN = 1,     /* an operand is a constant that contains NaN */
	SR_PROBE_INF = 2,     /* an operand is a constant that contains infinities */
	SR_PROBE_FORWARDS_VALUE = 4,  /* the op (loop, branch, barrier) forwards a value; `sources` lists all values that it may be */
	SR_PROBE_LOOSE_BOUND = 8,   /* no rule gives the length of the op's sums: the rounding error's bound is loose */
	SR_PROBE_MANUAL = 16,  /* the value is inside a manual computation and has no counterpart on one device */
	SR_PROBE_RESULT = 32, /* the value is a result of the program */
};

#define SR_PROBE_SHARDING "shardrun.probe_sharding" /* a local check.probe's attribute: the operand's sharding */

#endif
