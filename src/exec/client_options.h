/* Client options from the command line. */
#ifndef SR_EXEC_CLIENT_OPTIONS_H
#define SR_EXEC_CLIENT_OPTIONS_H

#include "exec/run.h"

/* Read --kernels, --threads, --devices-per-rank and --device-ranks. SR_USAGE, reported, if malformed. */
enum sr_status sr_client_options_read(const struct sr_run_options *o, struct sr_client_options *out, struct sr_arena *arena,
				      struct sr_diags *diags);
/* Return the instruction set that --kernels allows this process, before it is known whether the option is well-formed. */
enum sr_isa sr_client_options_isa(const struct sr_run_options *o);
/* Read --devices-per-rank: "4", "auto", "all"; NULL: 1. */
enum sr_status sr_devices_per_rank_read(const char *text, int *out, struct sr_diags *diags);

#endif
