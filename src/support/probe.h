/* What is known of a value that is looked at while a program runs (partition/insert_probes.h notes it, program/program.h carries it). */
#ifndef SR_SUPPORT_PROBE_H
#define SR_SUPPORT_PROBE_H

enum sr_probe_flag {
	SR_PROBE_NAN = 1,     /* an operand is a constant with NaN, */
	SR_PROBE_INF = 2,     /* with infinities */
	SR_PROBE_FORWARDS = 4,  /* a loop, a branch or a barrier gives what it gets: sources are all that it may come from */
	SR_PROBE_LOOSE_BOUND = 8,   /* how far rounding may go does not follow from the length of a sum */
	SR_PROBE_MANUAL = 16,  /* of a manual computation: means nothing on one device */
	SR_PROBE_RESULT = 32, /* a result of the program */
};

#define SR_PROBE_SHARDING "shardrun.probe_sharding" /* an attribute of taps in a local module: how the operand is sharded */

#endif
