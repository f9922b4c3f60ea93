/* C text of a loop nest's instructions: index expressions, values, loads and stores. nest_c.c writes the loops around them.
 *
 * All functions append to g->out or `out`, or return text in g->arena. The state of `g` (stage, lanes, indentation, flat or in a
 * block of streamed stores) selects how a value is named and where it is stored. */
#ifndef SR_CODEGEN_NEST_INSTR_C_H
#define SR_CODEGEN_NEST_INSTR_C_H

#include "codegen/nest_form.h"

/* Which of the bounds of loads and the masks that limit the range of the vector loop the C code of instructions tests, a set: those
 * that depend on the loop's index (COLUMN), and those that are equal for all its iterations (ROW). Code that leaves out a test is
 * executed only where it is passed. */
enum sr_nest_tests { SR_NEST_TEST_NONE, SR_NEST_TEST_COLUMN, SR_NEST_TEST_ROW, SR_NEST_TEST_ALL };

/* Append offset + sum of coef[l] * il without loop `excluded_loop` (-1: with all terms). */
void sr_nest_c_affine(const struct sr_nest_form *g, struct sr_buf *out, int64_t offset, const int64_t *coef, int excluded_loop);
/* Append a dimension's dynamic index, clamped. */
void sr_nest_c_clamped_index(struct sr_nest_form *g, const struct sr_nest_dim *d, struct sr_buf *out);
/* Append a dimension's coordinate, including its dynamic index, without the term of loop `excluded_loop` (-1: with all terms). */
void sr_nest_c_coordinate(struct sr_nest_form *g, const struct sr_nest_dim *d, int excluded_loop, struct sr_buf *out);
/* Append the element of a buffer that an indexing map selects, an lvalue. */
void sr_nest_c_element(struct sr_nest_form *g, const struct sr_nest_access *a, struct sr_buf *out);
/* Write the clamps of dynamic indices of loads, and of operands of comparisons, before the vector loop if they do not change in
 * it. GCC does not move them there. It then gathers the elements of a contiguous row one by one, and does not vectorize short
 * loops. Leave a block open and return true if there are any; at its end has_clamped_index and has_limited_operand are reset. */
bool sr_nest_c_clamp_indices(struct sr_nest_form *g, const struct sr_stage_loops *n);
/* Return true if a dimension's bound can be kept by limiting the range of the vector loop. */
bool sr_nest_c_is_range(const struct sr_nest_form *g, const struct sr_nest_dim *d);
/* Set [*begin, *end) to the indices of the vector loop at which such a bound is kept. Return false if they are not known when the
 * code is written, or not the same for all rows. */
bool sr_nest_c_known_range(const struct sr_nest_form *g, const struct sr_nest_dim *d, int64_t *begin, int64_t *end);

/* Return a value's C expression in the current stage. */
const char *sr_nest_c_value(struct sr_nest_form *g, int v);
/* Return the C type of a value in registers, and in memory. */
const char *sr_nest_c_type(const struct sr_nest_form *g, int v);
const char *sr_nest_c_memory_type(const struct sr_nest_form *g, int v);

/* Write the indentation of a line, and a line. */
void sr_nest_c_indent(struct sr_nest_form *g);
void sr_nest_c_line(struct sr_nest_form *g, const char *text);
/* Declare a local array of n elements, named by a letter and a number, at the beginning of a cache line. Arrays of a large power of
 * two get another cache line: otherwise elements of equal index of many arrays would be in the same set of the L1 cache. */
void sr_nest_c_array(struct sr_nest_form *g, const char *type, char letter, int number, int64_t n);
/* Return the C type of the elements of the local array of a copied value, and the value that is copied to it. */
const char *sr_nest_c_copied_type(const struct sr_nest_form *g, int v);
const char *sr_nest_c_copied_value(struct sr_nest_form *g, int v);
/* Write a loop that copies the current row, which load v reads, to the local array of v. */
void sr_nest_c_row_copy(struct sr_nest_form *g, int v);
/* Write C variables with the addresses of the rows that loads read, before a vector loop with ROW tests over [g->row_begin,
 * g->row_end). */
void sr_nest_c_row_pointers(struct sr_nest_form *g, const struct sr_stage_loops *n);
/* Write the instructions of the loops' stages that are inside exactly `level` of these loops. Return false if a type or function has
 * no C text. */
bool sr_nest_c_instructions(struct sr_nest_form *g, const struct sr_stage_loops *n, int level, enum sr_nest_tests tests);

#endif
