/* What a call of the library returns, and the exit status of the tools: the same numbers.
 *
 * A function that can fail returns enum sr_status; the words are in the context's diagnostics (support/diag.h), reported there
 * once, where the mistake was found. A caller passes a status on and adds nothing. */
#ifndef SHARDRUN_STATUS_H
#define SHARDRUN_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

enum sr_status {
	SR_OK = 0,
	SR_DIFFERS = 1,     /* results differ from the expected ones, or a check op failed */
	SR_USAGE = 2,       /* wrong flags, launch, inputs */
	SR_INVALID = 3,     /* the module does not parse or verify */
	SR_UNSUPPORTED = 4, /* a good module that this version cannot run */
	SR_NO_MEMORY = 5,   /* does not fit */
	SR_NEXT = 64,       /* internal: this row of a table does not apply, try the next; never an exit status */
	SR_INTERRUPTED = 75, /* by SIGUSR1, with a checkpoint to go on from; of shardrun alone */
	SR_TIMEOUT = 124,
	SR_INTERNAL = 125   /* a bug of ours */
};

/* A short name ("ok", "usage", ...); static storage, never NULL. */
const char *sr_status_name(enum sr_status status);

#ifdef __cplusplus
}
#endif
#endif
