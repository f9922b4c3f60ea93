/* What is known of a value that is looked at while a program runs (partition/tap.h notes it, program/program.h carries it). */
#ifndef SR_SUPPORT_TAP_H
#define SR_SUPPORT_TAP_H

enum sr_tap_flag {
	SR_TAP_NAN = 1,     /* an operand is a constant with NaN, */
	SR_TAP_INF = 2,     /* with infinities */
	SR_TAP_PASSES = 4,  /* a loop, a branch or a barrier gives what it gets: sources are all that it may come from */
	SR_TAP_LOOSE = 8,   /* how far rounding may go does not follow from the length of a sum */
	SR_TAP_GIVEN = 16,  /* of a manual computation: means nothing on one device */
	SR_TAP_RESULT = 32, /* a result of the program */
};

#define SR_TAP_SHARDING "shardrun.tapped" /* an attribute of taps in a local module: how the operand is sharded */

#endif
