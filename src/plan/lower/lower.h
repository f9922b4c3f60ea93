/* The lowering functions that the LOWER column names, and their helpers, by the file that defines them. Internal to plan. */
#ifndef SR_PLAN_LOWER_H
#define SR_PLAN_LOWER_H

#include "plan/program_builder.h"
#include "work/emit/emit.h"
#include "work/work.h"

sr_lower_fn sr_lower_none, sr_lower_nothing, sr_lower_identity; /* lowering functions of lower.c */
sr_lower_fn sr_lower_map, sr_lower_convert, sr_lower_bitcast, sr_lower_constant; /* lowering functions of lower_map.c */
sr_lower_fn sr_lower_one_element, sr_lower_iota, sr_lower_concatenate, sr_lower_pad,
	sr_lower_dynamic_update_slice; /* lowering functions of lower_shape.c */
/* lowering functions of lower_reduce.c and lower_gather.c */
sr_lower_fn sr_lower_reduce, sr_lower_window, sr_lower_sort, sr_lower_scatter, sr_lower_gather;
/* Read the window attributes of the op; each element of a value of type `out` has one window over operand 0. The caller sets
 * the monoid. */
void sr_lower_window_params(struct sr_plan_builder *b, struct sr_op *op, const struct sr_type *out, struct sr_reduce_window_params *p);
/* Let an operand of the last instruction start where the view starts in its source's buffer. Defined in lower_shape.c. */
void sr_lower_view_offset(struct sr_plan_builder *b, const struct sr_strided_view *v, int operand);
/* Append a move with the strides in m, from the start of the view (NULL: from the start of the buffer). */
void sr_lower_move(struct sr_plan_builder *b, int src, int dst, struct sr_move_params *m, const struct sr_strided_view *v);
/* Append an instruction that runs a region of the op on these buffers, inputs first (struct sr_body_instr). */
enum sr_status sr_lower_body_instr(struct sr_plan_builder *b, struct sr_op *op, int region, const int *values, int n_values,
				   int64_t lanes, struct sr_body_instr *instr);
/* Copy a body's result, which has one element per lane or a single element, into a buffer of `lanes` elements. */
void sr_lower_broadcast_to_lanes(struct sr_plan_builder *b, int scalar, int target, int64_t lanes);
/* Append an instruction that runs a region of the op on the buffers of the op's operands, then of its results. */
enum sr_status sr_lower_op_body_instr(struct sr_plan_builder *b, struct sr_op *op, int64_t lanes, struct sr_body_instr *instr);
enum sr_status sr_lower_scatter_body(struct sr_plan_builder *b, struct sr_op *op, const struct sr_scatter_params *p);
sr_lower_fn sr_lower_product, sr_lower_convolution, sr_lower_fft, sr_lower_cholesky, sr_lower_triangular_solve, sr_lower_rng,
	sr_lower_rng_bit_generator; /* lowering functions of lower_product.c */
sr_lower_fn sr_lower_while, sr_lower_case, sr_lower_call; /* lowering functions of lower_control.c */
sr_lower_fn sr_lower_all_gather, sr_lower_all_reduce, sr_lower_all_to_all, sr_lower_collective_broadcast, sr_lower_collective_permute,
	/* lowering functions of lower_collective.c */
	sr_lower_collective_reduce, sr_lower_reduce_scatter, sr_lower_partition_id, sr_lower_replica_id;
/* Reduce the rows of a buffer in order by the op's body into another buffer. Defined in lower_collective_body.c. */
enum sr_status sr_lower_reduced_rows(struct sr_plan_builder *b, struct sr_op *op, int rows, int64_t n_rows, int to);
sr_lower_fn sr_lower_composite;
/* Append the instructions of a function's body, with these buffers as arguments; *out: the buffers of the returned values. */
enum sr_status sr_lower_body(struct sr_plan_builder *b, struct sr_op *func, const int *arguments, int **out, int *n);
/* Append the instructions of the callee of `op`, with the op's operands as arguments. func NULL: report that the callee is
 * missing. */
enum sr_status sr_lower_inlined(struct sr_plan_builder *b, struct sr_op *op, struct sr_op *func, int **out, int *n);
sr_lower_fn sr_lower_map_body, sr_lower_select_and_scatter, sr_lower_tuple_element, sr_lower_async_start,
	sr_lower_async_done; /* lowering functions of lower_map_tuple_async.c */
sr_lower_fn sr_lower_check; /* lowering function of lower_check.c */
bool sr_is_check_target(const char *target);
enum sr_status sr_lower_check_call(struct sr_plan_builder *b, struct sr_op *op, const char *target);
sr_lower_fn sr_lower_parallel, sr_lower_send, sr_lower_recv, sr_lower_infeed, sr_lower_outfeed; /* lowering functions of lower_parallel.c */
sr_lower_fn sr_lower_nest; /* lowering function of lower_nest.c */
sr_lower_fn sr_lower_custom; /* lowering function of lower_custom.c */
/* Custom calls that an FFI handler executes; defined in lower_ffi_call.c. */
bool sr_is_ffi_target(const struct sr_plan_builder *b, const char *target);
enum sr_status sr_lower_ffi_call(struct sr_plan_builder *b, struct sr_op *op, const char *target);

#endif
