/* shardrun: run sharded StableHLO programs on MPI ranks, from C.
 *
 * Five kinds of object, a header each, in the order of use:
 *
 *	module       a program in StableHLO: load it, query its mesh           <shardrun/module.h>, <shardrun/mesh.h>
 *	plan         the program compiled for one device: memory, collectives  <shardrun/plan.h>
 *	run          a plan loaded on the ranks of an MPI communicator         <shardrun/run.h>
 *	client       several runs on the same ranks, and arrays between them   <shardrun/client.h>
 *	collectives  algorithms and their cost, without running anything       <shardrun/collectives.h>
 *
 * Example (every rank of an MPI job executes this; for error handling see examples/api/run.c):
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
 * - Errors: a function that can fail returns enum sr_status (<shardrun/status.h>), SR_OK on success. The handle keeps the message
 *   (shardrun_*_message), formatted as "file:line:col: error: ..." with the position in the program. The library never prints or
 *   exits.
 * - Creating handles: a function that creates a handle sets it even on failure, so that the message can be read. The handle is
 *   NULL only with SR_NO_MEMORY. The caller frees it in either case.
 * - Ownership: strings and structs returned by pointer belong to the handle and live as long as it does.
 * - Versions: a struct that the caller fills begins with its size, which SHARDRUN_..._INIT sets; fields left at zero have their
 *   defaults. A program built with an older header runs with a newer library.
 * - Collective calls: if a function is documented as *collective*, every rank of the communicator calls it, in the same order.
 *   All other functions are local.
 * - Threads: a handle is used by one thread at a time, unless its header says otherwise; different handles may be used by different
 *   threads at the same time. A module and its plans count as one handle. Runs of one client, and arrays, are handles of their own:
 *   with one rank, several threads may open, execute and close runs of a client at the same time. With several ranks, collective
 *   functions on a client and its runs are called in one order, so by one thread. Any thread may free an array.
 * - Lifetime: handles may be freed in any order unless a header says otherwise. A run copies what it needs of its plan; a plan holds
 *   a reference to its module; the memory is freed with the last reference.
 * - Names begin with shardrun_. The only exceptions are enum sr_status, its values SR_... and sr_status_name. */
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
