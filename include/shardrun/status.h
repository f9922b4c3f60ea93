/* Status codes: the return values of the library and the exit statuses of the command-line tools, which are the same numbers.
 *
 * Inside the library, the message of an error is reported to the context's diagnostics (support/diag.h) once, where the error is
 * detected. Callers return the status unchanged and report nothing. */
#ifndef SHARDRUN_STATUS_H
#define SHARDRUN_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

enum sr_status {
	SR_OK = 0,
	SR_DIFFERS = 1,     /* results differ from the expected ones, or a check op failed */
	SR_USAGE = 2,       /* invalid flags, options, input files, or launch */
	SR_INVALID = 3,     /* the module does not parse or verify */
	SR_UNSUPPORTED = 4, /* a valid module that this version cannot compile or run */
	SR_NO_MEMORY = 5,   /* out of memory, or the program does not fit in a device's memory */
	SR_NEXT = 64,       /* internal: this table entry does not apply, try the next one; never an exit status */
	SR_INTERRUPTED = 75, /* stopped by SIGUSR1 after writing a checkpoint; returned by the shardrun command only */
	SR_TIMEOUT = 124,
	SR_INTERNAL = 125   /* internal error: a bug in shardrun */
};

/* Return a short name ("ok", "usage", ...) in static storage; never NULL. */
const char *sr_status_name(enum sr_status status);

#ifdef __cplusplus
}
#endif
#endif
