/* shardrun: run sharded StableHLO programs on MPI ranks, from C.
 *
 * Five nouns, a header each, used in this order:
 *
 *	module       a program as text: load it, look at its mesh               <shardrun/module.h>, <shardrun/mesh.h>
 *	plan         what one device will do: memory, collectives, arguments    <shardrun/plan.h>
 *	run          the plan on the ranks of a communicator                    <shardrun/run.h>
 *	client       several runs on the same ranks, and values between them    <shardrun/client.h>
 *	collectives  algorithms, and what they send, without running anything   <shardrun/collectives.h>
 *
 * Example (every rank of an MPI job calls this; errors are left out, examples/api/run.c has them):
 *
 *	struct shardrun_module *module;
 *	struct shardrun_plan *plan;
 *	struct shardrun_run *run;
 *	shardrun_module_load("model.mlir", &module);
 *	shardrun_plan_make(module, NULL, &plan);
 *	shardrun_run_open(plan, NULL, &run);
 *	shardrun_run_fill(run, 0, "@x.npy");
 *	shardrun_run_step(run);
 *	shardrun_run_write(run, (const char *[]){"y.npy"}, 1);
 *	shardrun_run_close(run);
 *	shardrun_plan_free(plan);
 *	shardrun_module_free(module);
 *
 * Conventions of all headers:
 * - A function that can fail returns enum sr_status (<shardrun/status.h>), SR_OK where it did not. The words are kept in the handle
 *   (shardrun_*_message), as "file:line:col: error: ..." with the line of the program; nothing is printed, nothing exits.
 * - A function that makes a handle sets it even where it fails, so that the message can be read; it is NULL only with SR_NO_MEMORY.
 *   Free it in either case.
 * - Text and structs returned by pointer belong to the handle and live as long as it does.
 * - A struct that the caller fills begins with its size: SHARDRUN_..._INIT sets it, and what is not set has its default. A program
 *   built with an older header runs with a newer library.
 * - A function is *collective* where it says so: every rank of the communicator calls it, in the same order. The others are local.
 * - A handle is used by one thread at a time. A module and its plans count as one handle, a client and its runs as another: others
 *   may be used by other threads at the same time. Arrays are handles of their own: while a thread executes, others may use or
 *   free arrays of the same client that the execution does not have.
 * - Handles are freed in any order where a header does not say otherwise: a run keeps its plan and a plan its module, whose memory
 *   is given back with the last of them.
 * - Names begin with shardrun_; enum sr_status, its values SR_... and sr_status_name are the only others. */
#ifndef SHARDRUN_H
#define SHARDRUN_H

#include <shardrun/client.h>
#include <shardrun/collectives.h>
#include <shardrun/mesh.h>
#include <shardrun/module.h>
#include <shardrun/plan.h>
#include <shardrun/run.h>
#include <shardrun/status.h>

#endif
