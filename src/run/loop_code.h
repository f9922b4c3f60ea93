/* Interpreted loops as threaded code (kernels/code/code.h): a small loop is translated once, when its program is loaded. Loops are
 * those that can be compiled (codegen/loop_c.h). In the code, elementwise kernels on single elements, copies, updates of slices and
 * small loop nests are single ops; any other instruction is an op that executes it. */
#ifndef SR_RUN_LOOP_CODE_H
#define SR_RUN_LOOP_CODE_H

#include "kernels/code/code.h"
#include "run/execution_context.h"

/* Translate all loops of a loaded program that are not compiled. */
void sr_loaded_prepare_loop_code(struct sr_loaded_program *l, struct sr_arena *arena);
/* Execute a loop that has code. */
enum sr_status sr_execute_loop_code(struct sr_execution_context *x, const struct sr_ready_instr *r);

#endif
