/* Compiler options by name: those of shardrun (shardrun_report), which are options of the shardrun command and environment
 * variables too, and XLA's: xla_cpu_ftz, which both have, and those that have no effect except that their names and values are checked. */
#ifndef SR_PJRT_SETTINGS_H
#define SR_PJRT_SETTINGS_H

#include "pjrt/options.h"
#include "run/executable.h"

struct sr_pjrt_settings {
	/* values of enum sr_partition_mode, sr_overlap, sr_combine_collectives, sr_strip_mine, sr_decompose_matmul and
	 * sr_winograd */
	int partition, overlap, combine, strip_mine, decompose_matmul, winograd;
	int64_t memory_per_device; /* memory limit of a device in bytes; 0: no limit */
	const char *machine;       /* path of a machine file; NULL: the default machine */
	const char *report, *html; /* paths of files to write; NULL: none */
	bool auto_shard, verify_each, verbose, flush_denormals;
	struct sr_codegen_options codegen;
};

/* Read the environment, then the options. Return SR_USAGE, after reporting it, if an option is unknown or has a malformed
 * value. Strings are in the arena, in `options` or in the environment. */
enum sr_status sr_pjrt_read_settings(const struct sr_pjrt_options *options, struct sr_arena *arena, struct sr_diags *diags,
				     struct sr_pjrt_settings *out);

/* Append the settings that influence the program, as input of its fingerprint. */
void sr_pjrt_put_settings(const struct sr_pjrt_settings *settings, struct sr_buf *out);
struct sr_codegen_options sr_pjrt_codegen_copy(const struct sr_codegen_options *source, struct sr_arena *arena);

/* ---- xla_options.c ---- */
/* Check an option of XLA. Return SR_USAGE, after reporting it, if XLA has no such option, or the value is not of its type. */
enum sr_status sr_pjrt_check_xla_option(const struct sr_pjrt_option *option, struct sr_diags *diags);

/* ---- compile_outputs.c ---- */
struct sr_compiled;
/* Write the outputs that the settings ask for: the report, the page, and a summary on standard error. Return SR_USAGE, after
 * reporting it, if a file cannot be written. */
enum sr_status sr_pjrt_write_outputs(const struct sr_pjrt_settings *settings, const struct sr_compiled *compiled, const char *name,
				     const struct sr_buf *page, struct sr_arena *arena, struct sr_diags *diags);

#endif
