/* A program on the ranks of a job, ready to step: what shardrun's run and the C API's have in common. */
#ifndef SR_EXEC_SESSION_H
#define SR_EXEC_SESSION_H

#include "run/device.h"
#include "exec/launch.h"
#include "ir/ir.h"
#include "kernels/fast/fast.h"

struct sr_session {
	struct sr_context *ctx;
	const char *model;                /* its name for messages */
	struct sr_launch launch;
	const struct sr_program *program; /* given on rank 0, on all ranks after opening */
	enum sr_isa isa;                  /* the least of all ranks' */
	struct sr_unit *unit;             /* owned; NULL: tiles are interpreted */
	struct sr_device device;          /* all zeros on a spare rank */
};

enum sr_codegen_mode { SR_CODEGEN_OFF, SR_CODEGEN_AUTO, SR_CODEGEN_ON };
struct sr_codegen_options {
	int mode;              /* enum sr_codegen_mode */
	const char *compiler;  /* NULL: cc */
	const char *emit;      /* folder that gets the C; NULL: none */
};

struct sr_session_options {
	struct sr_codegen_options codegen;
	const char *selection; /* --collectives */
	int threads;           /* of BLAS; 0: by the machine */
	const char *root;      /* where this machine's /proc and /sys are; NULL: "" */
	struct sr_buf *node;   /* gets lines about the machine and the tiles; NULL: not wanted */
};

/* Collective on all ranks of s->launch: check that the ranks are enough, bring the program to all, see that it fits, choose
 * the number of threads, load it. All ranks return the same status; messages come from one. */
enum sr_status sr_session_open(struct sr_session *s, const struct sr_session_options *options);
/* Collective: the transport and the memory, and with close the launch. Zeroes are fine. */
void sr_session_unload(struct sr_session *s);
void sr_session_close(struct sr_session *s);
/* Collective, units.c: the program's tiles compiled on rank 0 and loaded by every device, or none of them; said in o->node. */
enum sr_status sr_session_load_units(struct sr_session *s, const struct sr_session_options *o);
void sr_session_release_units(struct sr_session *s);
/* "x=4, y=2"; "none" without a mesh. */
void sr_session_mesh(const struct sr_program *program, struct sr_buf *out);
/* After a step that failed: which op on which device, reported with `status`, which is returned. */
enum sr_status sr_session_step_failed(struct sr_session *s, enum sr_status status);

#endif
