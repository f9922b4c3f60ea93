/* JIT compilation in the background. A program is interpreted at first. Once its loop nests have taken about as long as compiling
 * them would, a thread of the client has them compiled, one program after another, and each device takes the JIT module before its
 * next execution. Devices and processes need not agree on when, since compiled and interpreted loop nests give the same bits. Of the
 * processes of a node, the first one compiles and the others take the objects from the cache, if there is one.
 *
 *	c->background_jit = sr_background_jit_new();                       one per client; NULL if memory runs out
 *	sr_background_jit_watch(e, &options, target, arena);               when a program is loaded
 *	sr_background_jit_poll(d);                                         before each execution of a device with d->request
 *	sr_background_jit_cancel(e);                                       before it is unloaded
 *	sr_background_jit_free(c->background_jit);
 *
 * No failure is an error: the program stays interpreted, and sr_background_jit_describe says why. */
#ifndef SR_RUN_BACKGROUND_JIT_H
#define SR_RUN_BACKGROUND_JIT_H

#include "codegen/jit.h"
#include "support/buf.h"

struct sr_device;
struct sr_executable;
struct sr_codegen_options;
struct sr_background_jit;
struct sr_jit_request;

struct sr_background_jit *sr_background_jit_new(void);
void sr_background_jit_free(struct sr_background_jit *b); /* no program is watched any more; NULL is allowed */

/* Not collective. Set e->request, in `arena`, which outlives the executable; or e->jit if this process has the module already;
 * or nothing if the program has nothing to compile. */
void sr_background_jit_watch(struct sr_executable *e, const struct sr_codegen_options *o, enum sr_isa target,
			     struct sr_arena *arena);
/* Withdraw the executable's request, kill its compiler, and wait until the thread is done with it. Between two executions. */
void sr_background_jit_cancel(struct sr_executable *e);
/* PENDING: interpreted so far; FAILED: it stays interpreted */
enum sr_jit_progress { SR_JIT_NOT_REQUESTED, SR_JIT_PENDING, SR_JIT_COMPILED, SR_JIT_FAILED };
enum sr_jit_progress sr_background_jit_progress(const struct sr_executable *e);
/* Append a line that says what became of the request; nothing if there is none. */
void sr_background_jit_describe(const struct sr_executable *e, struct sr_buf *out);

/* Count an execution that the device begins, and give it the module once that is compiled. */
void sr_background_jit_poll(struct sr_device *d);

#endif
