/* Checks, prints and probes while a program runs: what they know of the run. Internal to exec. */
#ifndef SR_EXEC_CHECK_H
#define SR_EXEC_CHECK_H

#include "run/device.h"
#include "ir/ir.h"

struct sr_checks {
	struct sr_context *ctx;   /* messages, and memory for printing */
	const char *file;         /* the model */
	const char *probe_dir;    /* NULL: probes write nothing */
	bool dense;               /* print values as constants */
	int n_probes;             /* files written, over all pieces of the file */
	int failed;               /* checks that did not hold */
};

struct sr_hooks sr_check_hooks(struct sr_checks *checks);

/* "tensor<2xi32> {\n  [1, 2]\n}", or "dense<[1, 2]> : tensor<2xi32>"; no newline at the end. print_value.c */
void sr_print_tensor(struct sr_context *ctx, const char *type, const void *data, bool dense, struct sr_buf *out);

#endif
