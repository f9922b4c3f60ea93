/* JIT compilation in the background. A program is interpreted at first. Once its loop nests have taken about as long as compiling
 * them would, a thread of the client compiles them, one program after another, and each execution that begins afterwards uses
 * the JIT module. Devices and processes may change to compiled code at different times, since compiled and interpreted loop nests
 * give the same bits. Of the processes of a node, the first one compiles and the others take the objects from the cache, if there is one.
 *
 *	c->background_jit = sr_background_jit_new();                       one per client; NULL if memory runs out
 *	sr_background_jit_watch(e, &options, target, arena);               when a program is loaded
 *	module = sr_background_jit_poll(request, counts, loaded);          before each execution on a device
 *	sr_background_jit_cancel(e);                                       before it is unloaded
 *	sr_background_jit_free(c->background_jit);
 *
 * No failure is an error: the program stays interpreted, and sr_background_jit_describe says why. */
#ifndef SR_RUN_BACKGROUND_JIT_H
#define SR_RUN_BACKGROUND_JIT_H

#include "codegen/jit.h"
#include "support/buf.h"

struct sr_executable;
struct sr_codegen_options;
struct sr_background_jit;
struct sr_jit_request;

struct sr_background_jit *sr_background_jit_new(void);
/* Stop the thread and free `b`, which may be NULL. No program may be watched any more. */
void sr_background_jit_free(struct sr_background_jit *b);

/* Start to count the executions of a program. Not collective. Sets e->request, allocated in `arena`, which outlives the executable;
 * or e->jit if this process has loaded the module already; or neither if the program has nothing to compile. */
void sr_background_jit_watch(struct sr_executable *e, const struct sr_codegen_options *o, enum sr_isa target,
			     struct sr_arena *arena);
/* Cancel the executable's request: kill its compiler process, and wait until the thread no longer uses the request. Called between
 * two executions. */
void sr_background_jit_cancel(struct sr_executable *e);
/* State of an executable's request. PENDING: the program is interpreted so far; FAILED: it stays interpreted. */
enum sr_jit_progress { SR_JIT_NOT_REQUESTED, SR_JIT_PENDING, SR_JIT_COMPILED, SR_JIT_FAILED };
enum sr_jit_progress sr_background_jit_progress(const struct sr_executable *e);
/* Append a line on the state of the executable's request; nothing if it has none. */
void sr_background_jit_describe(const struct sr_executable *e, struct sr_buf *out);

/* Return the module for an execution that begins on a device: `loaded`, or the compiled one. `counts`: true if the
 * device's executions are counted, as they are for one device of each process. */
const struct sr_jit_module *sr_background_jit_poll(struct sr_jit_request *r, bool counts, const struct sr_jit_module *loaded);
/* Return the module that has been compiled, or NULL. */
const struct sr_jit_module *sr_background_jit_module(const struct sr_jit_request *r);

#endif
