/* Checks, prints and probes while a program runs: what they know of the run. Internal to exec. */
#ifndef SR_EXEC_VALUES_CHECK_OPS_H
#define SR_EXEC_VALUES_CHECK_OPS_H

#include "exec/probes/probes.h"
#include "ir/ir.h"
#include <pthread.h>

struct sr_checks {
	struct sr_context *ctx;   /* messages, and memory for printing */
	const char *file;         /* the model */
	const char *probe_dir;    /* NULL: probes write nothing */
	bool dense;               /* print values as constants */
	int n_probes;             /* files written, over all pieces of the file */
	int failed;               /* checks that did not hold */
	sr_probe_fn *probe;           /* what is done at taps; NULL: nothing */
	void *probe_data;
	pthread_mutex_t lock;     /* of all this but taps, while a device looks */
};

/* The devices of the executable look from now on, until it is closed. */
void sr_checks_begin(struct sr_checks *checks, struct sr_executable *e);

/* "tensor<2xi32> {\n  [1, 2]\n}", or "dense<[1, 2]> : tensor<2xi32>"; no newline at the end. print_value.c */
void sr_print_tensor(struct sr_context *ctx, const char *type, const void *data, bool dense, struct sr_buf *out);

#endif
