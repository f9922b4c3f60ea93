/* Execution of check, print and probe instructions. Internal to exec. */
#ifndef SR_EXEC_VALUES_CHECK_OPS_H
#define SR_EXEC_VALUES_CHECK_OPS_H

#include "exec/probes/probes.h"
#include "ir/ir.h"
#include <pthread.h>

struct sr_checks {
	struct sr_context *ctx;   /* context whose arena and diagnostics the checks use */
	const char *file;         /* path of the model file, for locations in messages */
	const char *probe_dir;    /* folder for the files of interpreter.probe; NULL: probes write no files */
	bool dense;               /* print values as dense constants ("dense<[1, 2]> : tensor<2xi32>") */
	int n_probes;             /* number of probe files written so far, over all sections of the model file */
	int failed;               /* number of failed checks */
	sr_probe_fn *probe;           /* callback of debugging probes; NULL: none */
	void *probe_data;
	pthread_mutex_t lock;     /* held while a device executes a check instruction, except a debugging probe */
};

/* Handle the check instructions of the executable's devices until the executable is closed. */
void sr_checks_begin(struct sr_checks *checks, struct sr_executable *e);

/* Append a value as text: "tensor<2xi32> {\n  [1, 2]\n}", or if `dense` "dense<[1, 2]> : tensor<2xi32>"; no newline at the end
 * (print_value.c). */
void sr_print_tensor(struct sr_context *ctx, const char *type, const void *data, bool dense, struct sr_buf *out);

#endif
