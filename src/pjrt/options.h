/* Options of a compilation: XLA's CompileOptionsProto, as frameworks send it. */
#ifndef SR_PJRT_OPTIONS_H
#define SR_PJRT_OPTIONS_H

#include "ir/ir.h"
#include "pjrt/pjrt.h"
#include "support/integers.h"
#include "support/vec.h"

enum sr_pjrt_option_type { SR_PJRT_OPTION_STRING = 1, SR_PJRT_OPTION_BOOL, SR_PJRT_OPTION_INT, SR_PJRT_OPTION_DOUBLE };
struct sr_pjrt_option { /* a compiler option that the framework sets by name */
	const char *name, *value; /* the value as text, whatever its type */
	enum sr_pjrt_option_type type;
};

struct sr_pjrt_options {
	int64_t n_replicas, n_partitions; /* number of replicas and of partitions, each at least 1 */
	int64_t device;                   /* device of a program that is for one device and has no assignment; -1: any device */
	/* device ids: those of replica 0's partitions, then of replica 1's, and so on; NULL: the default; length n_assigned */
	const int64_t *assignment;
	int64_t n_assigned;
	/* whether propagation may shard parameters and results that have no sharding: one entry for all, or one for each;
	 * empty: it may not */
	sr_integers allow_parameters, allow_results;
	SR_VEC(struct sr_pjrt_option) options;
};

/* Read serialized options. Return a PJRT_INVALID_ARGUMENT error if they are malformed. */
PJRT_Error *sr_pjrt_read_options(const void *bytes, size_t n, struct sr_arena *arena, struct sr_pjrt_options *out);
/* Replace tokens among main's arguments and results by arrays of no elements (tokens.c). Set *tokens to an array that says for each result
 * whether it was a token, or to NULL if none was. */
enum sr_status sr_pjrt_replace_tokens(struct sr_context *ctx, struct sr_op *module, const uint8_t **tokens);
/* Read the kinds of memory of main's arguments and results (memory_kinds.c). Set *kinds to an enum sr_pjrt_memory_kind for each argument
 * and result, or to NULL if all are in device memory; allocated in ctx->arena. */
enum sr_status sr_pjrt_read_memory_kinds(struct sr_context *ctx, struct sr_op *module, const uint8_t **kinds);
/* Replace the layouts that main's arguments and results ask for by transposes (layout_modes.c). *orders: for each argument and
 * result the order of its dimensions, NULL: row-major; allocated in ctx->arena. */
enum sr_status sr_pjrt_apply_layouts(struct sr_context *ctx, struct sr_op *module, const int64_t *const **orders);
/* Append a serialized DeviceAssignmentProto. */
void sr_pjrt_put_assignment(const int *devices, int n_replicas, int n_partitions, struct sr_buf *out);

#endif
