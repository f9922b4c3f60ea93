/* Options of a client (threads, devices per rank, instruction set) parsed from the command line. */
#ifndef SR_EXEC_CLIENT_OPTIONS_H
#define SR_EXEC_CLIENT_OPTIONS_H

#include "exec/run.h"

/* Read --kernels, --threads, --devices-per-rank and --device-ranks. Returns SR_USAGE, reported, if one of them is malformed. */
enum sr_status sr_client_options_read(const struct sr_run_options *o, struct sr_client_options *out, struct sr_arena *arena,
				      struct sr_diags *diags);
/* Return the highest instruction set that --kernels allows this process. Works before the option is checked: a malformed value
 * allows all. */
enum sr_isa sr_client_options_isa(const struct sr_run_options *o);
/* Parse the value of --devices-per-rank: "4", "auto" or "all"; NULL means 1. */
enum sr_status sr_devices_per_rank_read(const char *text, int *out, struct sr_diags *diags);

#endif
