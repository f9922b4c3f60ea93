/* Identify the compiler that makes JIT modules. Internal to codegen. */
#ifndef SR_CODEGEN_JIT_TOOLS_H
#define SR_CODEGEN_JIT_TOOLS_H

#include "codegen/jit.h"

/* Add the identity of the compiler, its flags and the target to a hash. Return the name of the compiler's executable; NULL, with
 * *why, if it is not found. */
const char *sr_jit_add_tools(struct sr_sha256 *h, const struct sr_jit_options *o, struct sr_arena *arena, const char **why);

#endif
