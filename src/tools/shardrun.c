/* shardrun: run a sharded program, one mesh device per MPI rank. This file is the table of options; the work is in exec/run.c. */
#include "run/launch.h"
#include "exec/progress.h"
#include "exec/run.h"
#include <stdio.h>
#include <string.h>

/* Defaults of options that have an effect only with another option. */
#define DUMP_DIR "values"
#define DUMP_ITERATIONS 8
#define CHECKPOINT_KEEP 2
#define TEXT_OF(number) TEXT(number)
#define TEXT(word) #word

struct options {
	struct sr_run_options run;
	bool help, version, man, show_knobs, list_algorithms;
	int equality, completion;
};

#define RUN(field) offsetof(struct options, run.field)
#define OPTION_OFFSET(field) offsetof(struct options, field)
static const struct sr_knob rows[] = {
	{"function", 0, SR_KNOB_STRING, RUN(function), "NAME", NULL, NULL, "Program", "Run this function. Default: main, or "
	 "the only one."},
	{"mesh", 0, SR_KNOB_LIST, RUN(meshes), "NAME=N,...", NULL, NULL, "Program",
	 "Resize the axes of the program's mesh, like data=4,model=2; with --auto-shard, the mesh of a program without one. If "
	 "repeated, a plan is made for each mesh, a table compares their memory, communication and time, and the fastest that "
	 "fits --memory-per-device is chosen."},
	{"devices", 0, SR_KNOB_INT, RUN(devices), "N", "0", NULL, "Program",
	 "With --auto-shard, for a program without a mesh: try meshes of N devices with up to three axes. 0: as many as "
	 "ranks."},
	{"interpret", 0, SR_KNOB_BOOL, RUN(interpret), NULL, NULL, NULL, "Program",
	 "Run the program as written, unpartitioned and without measurements."},
	{"args", 0, SR_KNOB_STRING, RUN(args), "[dense<...>, ...]", NULL, NULL, "Program", "With --interpret: the arguments as "
	 "constants."},
	{"split-input-file", 0, SR_KNOB_BOOL, RUN(split_input_file), NULL, NULL, NULL, "Program", "With --interpret: the parts "
	 "of the file between lines // ----- are separate programs."},
	{"interpreter-print-dense", 0, SR_KNOB_BOOL, RUN(print_dense), NULL, NULL, NULL, "Program", "With --interpret: print "
	 "values as dense constants."},
	{"probe-output-dir", 0, SR_KNOB_STRING, RUN(probe_dir), "DIR", NULL, NULL, "Program", "With --interpret: "
	 "interpreter.probe writes its values there."},
	{"ffi", 0, SR_KNOB_LIST, RUN(ffi), "NAME=LIBRARY.so:SYMBOL", NULL, NULL, "Program",
	 "Register an XLA FFI handler from a shared library for a custom call target, as jax.ffi does. It is called with "
	 "replicated values on every device unless the call has a sharding rule."},
	{"max-model-bytes", 0, SR_KNOB_SIZE, RUN(max_model_bytes), "SIZE", NULL, NULL, "Program",
	 "Refuse larger models. Default: 16G, or a quarter of the memory if that is less."},
	{"run", 0, SR_KNOB_BOOL, RUN(run), NULL, "true", NULL, "Program", "=false: only compile, plan and report; without MPI, "
	 "for any number of devices."},
	{"program", 0, SR_KNOB_STRING, RUN(program), "FILE", NULL, NULL, "Program",
	 "Write the compiled program to a file, which shardrun accepts instead of a model and runs without compiling."},
	{"target", 0, SR_KNOB_STRING, RUN(target), "avx2|avx512|native,...", NULL, "SHARDRUN_TARGET", "Program",
	 "Compile loop nests for this instruction set (base, avx2, avx512, or native for this machine's), the best of the list "
	 "that all ranks support. With --program, also store the object code in the file, for each set listed, for nodes "
	 "without a compiler. Default: the best set that all ranks support, and no object code in the file."},
	{"cache", 0, SR_KNOB_STRING, RUN(cache), "DIR|off", NULL, "SHARDRUN_CACHE", "Program",
	 "Cache of compiled programs and loop nests on rank 0's node: a folder that only its owner can write, or off. Default: "
	 "XDG_CACHE_HOME/shardrun or HOME/.cache/shardrun.", .may_differ = true},
	{"cache-size", 0, SR_KNOB_SIZE, RUN(cache_bytes), "SIZE", "1G", "SHARDRUN_CACHE_SIZE", "Program",
	 "Largest size of the cache; the least recently used entries are evicted.", .may_differ = true},
	{"input", 0, SR_KNOB_LIST, RUN(inputs), "VALUE", NULL, NULL, "Data",
	 "K-th use, K-th argument: @file.npy, 4xf32=1 2 3 4, 2x2xi32=[[1 2][3 4]], 4xf32 (zeros), 4xf32=@raw.bin, "
	 "@file.npz:KEY, @file.safetensors:KEY. NAME=VALUE sets the argument of that name in the source. @file.npz or "
	 "@file.safetensors without a key: each array is for the argument of its name. Without any --input: random values."},
	{"inputs", 0, SR_KNOB_LIST, RUN(input_bundles), "FILE|DIR", NULL, NULL, "Data",
	 "Arrays for all arguments without an --input, by name or position (arr_0): a .npz or .safetensors file, the index of "
	 "a multi-file model (.safetensors.index.json), or a folder of such files or of .npy files."},
	{"output", 0, SR_KNOB_LIST, RUN(outputs), "WHERE", NULL, NULL, "Data",
	 "K-th use, K-th result: @file.npy, - (text with all digits), @- (.npy on standard output), empty (ignored). Without "
	 "any --output: the first elements of each result are printed."},
	{"outputs", 0, SR_KNOB_STRING, RUN(output_bundle), "FILE|DIR", NULL, NULL, "Data",
	 "All results without an --output, by name or position (arr_0): into a .npz or .safetensors file, or as .npy files "
	 "into a folder."},
	{"expected-output", 0, SR_KNOB_LIST, RUN(expected), "VALUE", NULL, NULL, "Data", "K-th use: expected value of the K-th "
	 "result; (ignored) skips one."},
	{"expected-f16-threshold", 0, SR_KNOB_DOUBLE, RUN(tolerances.f16), "X", "0.001", NULL, "Data", "Largest absolute "
	 "difference of f16 elements."},
	{"expected-bf16-threshold", 0, SR_KNOB_DOUBLE, RUN(tolerances.bf16), "X", "0.01", NULL, "Data", "Largest absolute "
	 "difference of bf16 elements."},
	{"expected-f32-threshold", 0, SR_KNOB_DOUBLE, RUN(tolerances.f32), "X", "0.0001", NULL, "Data", "Largest absolute "
	 "difference of f32 elements."},
	{"expected-f64-threshold", 0, SR_KNOB_DOUBLE, RUN(tolerances.f64), "X", "0.0001", NULL, "Data", "Largest absolute "
	 "difference of f64 elements."},
	{"expected-rtol", 0, SR_KNOB_DOUBLE, RUN(tolerances.rtol), "X", "1e-5", NULL, "Data", "Additional relative difference "
	 "allowed."},
	{"equality-mode", 0, SR_KNOB_CHOICE, OPTION_OFFSET(equality), "approximate|exact", "approximate", NULL, "Data", "Compare with "
	 "thresholds, or exactly."},
	{"output-max-element-count", 0, SR_KNOB_INT, RUN(max_elements), "N", "1024", NULL, "Data", "Print at most N elements "
	 "of an output."},
	{"hlo-argument-mode", 0, SR_KNOB_CHOICE, RUN(argument_mode),
	 "use_random_inputs|use_shared_random_inputs|use_zeros_as_input|use_device_id_as_input|uninitialized",
	 "use_random_inputs", NULL, "Data",
	 "Values of arguments if no --input is given."},
	{"seed", 0, SR_KNOB_INT, RUN(seed), "N", "0", NULL, "Data", "Seed of random arguments; the global values do not depend "
	 "on the mesh."},
	{"num-repeats", 0, SR_KNOB_INT, RUN(repeats), "N", "1", NULL, "Measuring", "Run N times from the same arguments."},
	{"warmup", 'w', SR_KNOB_INT, RUN(warmup), "N", "0", NULL, "Measuring", "Run N times before measuring."},
	{"loop", 0, SR_KNOB_STRING, RUN(loop.steps), "STEPS", NULL, NULL, "Iteration",
	 "Run steps in a loop: carried results become arguments of the next step, in place. Without a number: until the files "
	 "of an --input=@PATTERN_*.npy are exhausted, or until --until. With a number, such files repeat from the first.", ""},
	{"carry", 0, SR_KNOB_STRING, RUN(loop.carry), "RESULT:ARGUMENT,...", NULL, NULL, "Iteration",
	 "Which result becomes which argument of the next step, by name or number. Default: each donated argument takes the "
	 "result declared for it, or the one with its type and sharding."},
	{"until", 0, SR_KNOB_STRING, RUN(loop.until), "RESULT", NULL, NULL, "Iteration",
	 "End the loop after the step in which this scalar result is true or nonzero."},
	{"metrics", 0, SR_KNOB_STRING, RUN(loop.metrics), "FILE.csv|.jsonl", NULL, NULL, "Iteration",
	 "Write a line per step: the scalar results by name, and the step's seconds."},
	{"output-every", 0, SR_KNOB_INT, RUN(loop.output_every), "STEPS", NULL, NULL, "Iteration",
	 "Write each --output=@FILE_*.npy and --outputs=FILE_*.npz every STEPS steps and at the end, with the step number in "
	 "place of *."},
	{"checkpoint", 0, SR_KNOB_STRING, RUN(loop.checkpoint), "DIR", NULL, NULL, "Iteration",
	 "Write the carried values into this folder at the end, on SIGUSR1 (exit status 75), and every --checkpoint-every "
	 "steps, while the next steps run. All ranks must share the folder."},
	{"checkpoint-every", 0, SR_KNOB_INT, RUN(loop.checkpoint_every), "STEPS", "0", NULL, "Iteration",
	 "Write a checkpoint every STEPS steps."},
	{"checkpoint-keep", 0, SR_KNOB_INT, RUN(loop.checkpoint_keep), "N", TEXT_OF(CHECKPOINT_KEEP), NULL, "Iteration",
	 "Keep the newest N checkpoints."},
	{"resume", 0, SR_KNOB_STRING, RUN(loop.resume), "DIR", NULL, NULL, "Iteration",
	 "Resume from the newest complete checkpoint, on this mesh or another. Without DIR: from the folder of --checkpoint, "
	 "or from the first step if it has none.", ""},
	{"profile", 0, SR_KNOB_STRING, RUN(profile), "FILE", NULL, NULL, "Measuring",
	 "Print the most expensive instructions: time, calls, rates, time spent waiting for other ranks, and the time "
	 "estimated from the machine file (--machine) as a share. With FILE also write a trace for chrome://tracing or "
	 "Perfetto.", ""},
	{"json", 0, SR_KNOB_BOOL, RUN(json), NULL, NULL, NULL, "Measuring", "Print the report on standard output."},
	{"plan-diff", 0, SR_KNOB_STRING, RUN(plan_diff), "OLD.json", NULL, NULL, "Measuring",
	 "Compare the plan with that of an earlier report, and print the differences as a table."},
	{"compare", 0, SR_KNOB_STRING, RUN(compare), "OLD.json", NULL, NULL, "Measuring",
	 "Run nothing: compare two reports, the second given in place of the model: environment, plan, run, and with --profile "
	 "the time of each op."},
	{"error-on-full-replication", 0, SR_KNOB_STRING, RUN(limits.full_replication), "SIZE", NULL, NULL, "Measuring",
	 "Exit with status 1 before running if a value larger than SIZE that was sharded is replicated on every device; report "
	 "which, why, and a cure.", "0"},
	{"max-wire-bytes", 0, SR_KNOB_STRING, RUN(limits.wire_bytes), "SIZE", NULL, NULL, "Measuring",
	 "Exit with status 1 if the plan makes a device send more bytes in a step."},
	{"max-collectives", 0, SR_KNOB_STRING, RUN(limits.collectives), "KIND:N,...", NULL, NULL, "Measuring",
	 "Exit with status 1 if the plan has more collectives of a kind: all-gather:3,all-to-all:0."},
	{"ranks", 'n', SR_KNOB_INT, RUN(ranks), "N", NULL, NULL, "Launch",
	 "Run N ranks on this machine without a launcher: one process each, or one thread each of this process if they "
	 "outnumber the cores (--devices-per-rank).", .may_differ = true},
	{"launcher", 0, SR_KNOB_STRING, RUN(launcher), "COMMAND", SR_LAUNCHER, "SHARDRUN_LAUNCHER", "Launch",
	 "Command that -n starts the ranks with: that of the MPI that shardrun was built with.", .may_differ = true},
	{"timeout", 0, SR_KNOB_DOUBLE, RUN(timeout), "SECONDS", NULL, NULL, "Launch", "Exit with status 124 after this time."},
	{"stall-timeout", 0, SR_KNOB_DOUBLE, RUN(stall_timeout), "SECONDS", "300", NULL, "Launch",
	 "Exit with status 124 if a rank waits this long for others and none of them makes progress: one is stopped, its link "
	 "is lost, or devices of one process wait for each other. Reports where, and which rank did not arrive. 0: never."},
	{"allow-singleton", 0, SR_KNOB_BOOL, RUN(allow_singleton), NULL, NULL, NULL, "Launch", "Run as a single rank even if "
	 "the launcher started several processes."},
	{"collectives", 0, SR_KNOB_STRING, RUN(selection), "TEXT", NULL, "SHARDRUN_COLLECTIVES", "Launch",
	 "Choose algorithms by collective, size and group: all_reduce:0-4k:2-8:@recursive_doubling#all_gather:@ring. Takes "
	 "precedence over the defaults."},
	{"shared-segment", 0, SR_KNOB_BOOL, RUN(shared_segment), NULL, "true", "SHARDRUN_SHARED_SEGMENT", "Launch",
	 "Let devices of a node read each other's memory in place; =false: they exchange messages, as devices of different "
	 "nodes do."},
	{"ranks-per-node", 0, SR_KNOB_INT, RUN(ranks_per_node), "N", "0", NULL, "Launch",
	 "Treat every N neighbouring ranks as a node, to emulate several nodes on one; the report counts the traffic between "
	 "them, with --run=false too. 0: the real nodes."},
	{"devices-per-rank", 0, SR_KNOB_STRING, RUN(devices_per_rank), "K|auto|all", NULL, "SHARDRUN_DEVICES_PER_RANK", "Launch",
	 "Mesh devices per rank, one thread each. all: the whole mesh in one process, without mpirun; auto: all without a "
	 "launcher, else devices / ranks if that is an integer. Default: 1; with -n N on fewer than N cores, all N in one "
	 "process."},
	{"kernels", 0, SR_KNOB_STRING, RUN(kernels), "auto|base|avx2|avx512", "auto", "SHARDRUN_KERNELS", "Launch",
	 "Instruction set that kernels may use on this rank; all ranks use the smallest of theirs.", .may_differ = true},
	{"threads", 0, SR_KNOB_INT, RUN(threads), "N", "0", "SHARDRUN_THREADS", "Launch",
	 "Threads per device, which share each instruction's work; results are bit-identical for any number. 0: the rank's "
	 "cores / its devices.", .may_differ = true},
	{"time-blocking", 0, SR_KNOB_CHOICE, RUN(time_blocking), "auto|on|off", "auto", "SHARDRUN_TIME_BLOCKING", "Launch",
	 "Execute several steps of a compiled stencil loop on one block of rows after another, so that the rows stay in cache: if "
	 "its arrays exceed the caches (auto), wherever possible (on), or never (off). Results are bit-identical.",
	 .may_differ = true},
	{"placement", 0, SR_KNOB_STRING, RUN(placement), "order|block|cyclic|auto|AXIS,...", NULL, "SHARDRUN_PLACEMENT", "Launch",
	 "Map devices to ranks: device d on rank d (order); neighbouring devices on one node (block) or on different ones "
	 "(cyclic); in blocks of the given mesh axes, outermost first, for which the plan is made, too; or in the axis order "
	 "with the least internode traffic (auto). Default: auto, or as --device-ranks says."},
	{"device-ranks", 0, SR_KNOB_STRING, RUN(device_ranks), "RANK,...|reversed", NULL, "SHARDRUN_DEVICE_RANKS", "Launch",
	 "Ranks of device 0, 1, ...; reversed: device 0 on the last rank. Default: device d on rank d."},
	{"quiet", 'q', SR_KNOB_BOOL, RUN(quiet), NULL, NULL, NULL, "Launch", "Print results and errors only: no summary, "
	 "notes, warnings or progress.", .may_differ = true},
	{"progress", 0, SR_KNOB_CHOICE, RUN(progress), "auto|line|log|none", "auto", SR_PROGRESS_VARIABLE, "Launch",
	 "How to show progress on standard error: a line that is updated in place, or a log line per minute. auto: line on a "
	 "terminal, else log.", .may_differ = true},
	{"progress-interval", 0, SR_KNOB_DOUBLE, RUN(progress_interval), "SECONDS", NULL, NULL, "Launch",
	 "Progress interval. Default: every second after the first two, or every minute in a log.", .may_differ = true},
	{"verbose", 'v', SR_KNOB_BOOL, RUN(verbose), NULL, NULL, NULL, "Debugging", "Print a longer summary.", .may_differ = true},
	{"mlir-print-ir-after", 0, SR_KNOB_STRING, RUN(print_after), "PASS,...|all", NULL, NULL, "Debugging", "Print the "
	 "module after these passes to standard error."},
	{"explain", 0, SR_KNOB_STRING, RUN(explain), "%NAME|OP|LINE", NULL, NULL, "Debugging",
	 "Explain where the shardings of these values come from. Values are given by name in the module's text, by op name "
	 "(dot_general, or JAX's name), or by source line (41, train.py:41)."},
	{"explain-partition", 0, SR_KNOB_STRING, RUN(explain_partition), "%NAME|OP|LINE", NULL, NULL, "Debugging",
	 "Explain the shardings that the search chose for these values: alternatives with their cost, readers, and resulting "
	 "reshards. Values as for --explain, or by the source's name of an argument or result."},
	{"show-sharding", 0, SR_KNOB_STRING, RUN(show_sharding), "all|%NAME|OP|LINE", NULL, NULL, "Debugging",
	 "Draw which device holds which shard of the arguments and results at run time; or of all values, or of those selected "
	 "as for --explain, after propagation.", ""},
	{"system-root", 0, SR_KNOB_STRING, RUN(root), "DIR", NULL, "SHARDRUN_SYSTEM_ROOT", "Debugging",
	 "Folder with this machine's /proc and /sys, where cgroup limits are read.", .may_differ = true},
	{"check-nan", 0, SR_KNOB_STRING, RUN(check_nan), "trace", NULL, NULL, "Debugging",
	 "Exit with status 1 if an op computes a NaN or infinity from operands without one; report the first such op, element "
	 "and device. trace: also its operands, and how the value spread.", ""},
	{"dump-values", 0, SR_KNOB_STRING, RUN(dump_values), "REGEX", NULL, NULL, "Debugging",
	 "Write the global values whose op, location, source line or name in the module matches as .npy files, with an index "
	 "values.tsv."},
	{"dump-dir", 0, SR_KNOB_STRING, RUN(dump_dir), "DIR", DUMP_DIR, NULL, "Debugging",
	 "Folder of --dump-values; created if missing."},
	{"dump-iterations", 0, SR_KNOB_INT, RUN(dump_iterations), "N", TEXT_OF(DUMP_ITERATIONS), NULL, "Debugging",
	 "Number of iterations of each loop that --dump-values and --verify include."},
	{"verify", 0, SR_KNOB_BOOL, RUN(verify), NULL, NULL, NULL, "Debugging",
	 "Also compute on one device, and compare every result, and every op on the same operands. Exit with status 1 if one "
	 "differs by more than rounding explains; report which, where, and by how much."},
	{"print-plan", 0, SR_KNOB_BOOL, RUN(print_plan), NULL, NULL, NULL, "Debugging", "Print the instructions of the plan."},
	{"list-algorithms", 0, SR_KNOB_BOOL, OPTION_OFFSET(list_algorithms), NULL, NULL, NULL, "Help", "List the collective algorithms."},
	{"show-knobs", 0, SR_KNOB_BOOL, OPTION_OFFSET(show_knobs), NULL, NULL, NULL, "Help", "Print every option's value and where it "
	 "comes from."},
	{"help", 'h', SR_KNOB_BOOL, OPTION_OFFSET(help), NULL, NULL, NULL, "Help", "Print this help."},
	{"help-man", 0, SR_KNOB_BOOL, OPTION_OFFSET(man), NULL, NULL, NULL, "Help", "Print the manual page."},
	{"completion", 0, SR_KNOB_CHOICE, OPTION_OFFSET(completion), SR_SHELL_NAMES, "none", NULL, "Help", SR_COMPLETION_HELP},
	{"version", 0, SR_KNOB_BOOL, OPTION_OFFSET(version), NULL, NULL, NULL, "Help", "Print the version."},
	/* options that the command line shares with the PJRT plugin */
#define CODEGEN_DEFAULT "auto"
#define FLAG(name, field, type, value, initial, variable, section, help) \
	{name, 0, SR_KNOB_##type, RUN(field), value, initial, variable, section, help},
#include "driver/compile_flags.def"
#undef FLAG
#undef CODEGEN_DEFAULT
};

static const struct sr_example examples[] = {
	{"shardrun --run=false --report=plan.json model.mlir", "Plan a program: memory, FLOPs and communication per device. "
	 "Needs no ranks."},
	{"shardrun --run=false --program=model.srp model.mlir && shardrun -n 8 model.srp", "Compile once, and run the compiled "
	 "program."},
	{"shardrun -n 8 model.mlir --input=@x.npy --input=@w1.npy --input=@w2.npy --output=@y.npy",
	 "Run it on 8 ranks of this machine, with arguments from files and the result to a file."},
	{"mpirun -np 8 shardrun model.mlir --input=@x.npy --input=@w1.npy --input=@w2.npy --output=@y.npy",
	 "The same on the ranks of an MPI job, on any number of nodes."},
	{"shardrun -n 8 model.mlir --num-repeats=20 --warmup=3 --report=run.json", "Measure it with random arguments."},
	{"shardrun --interpret model.mlir --input=@x.npy --input=@w1.npy --input=@w2.npy --expected-output=@y.npy",
	 "Run it as written on one device, and compare the result."},
	{"shardrun --run=false --explain=tanh model.mlir", "Explain where the shardings of values come from."},
	{"shardrun --run=false --html=page.html model.mlir", "Write the program, its shardings and its collectives as an HTML "
	 "page."},
};

static const struct sr_knobs knobs = {
	"shardrun", "shardrun [-n N] [options] model.mlir",
	"Runs a sharded program, StableHLO or HLO text, on the ranks of an MPI job, one mesh device per rank.", rows, sizeof rows / sizeof *rows, examples,
	sizeof examples / sizeof *examples};

static const char extra_man_sections[] =
    ".SH ENVIRONMENT\nBesides the variables of options, what launchers set is read: that a rank was\n"
    "started by one, and how many there are (OMPI_COMM_WORLD_RANK,\nOMPI_COMM_WORLD_SIZE, PMIX_RANK, "
    "PMI_RANK, PMI_SIZE, "
    "MPI_LOCALRANKID,\nMV2_COMM_WORLD_SIZE, SLURM_PROCID, SLURM_NTASKS, SLURM_STEP_NUM_TASKS), "
    "how\nmany on this node "
    "(OMPI_COMM_WORLD_LOCAL_SIZE, MPI_LOCALNRANKS,\nMV2_COMM_WORLD_LOCAL_SIZE, "
    "SLURM_STEP_TASKS_PER_NODE, SLURM_NODEID), how "
    "srun\nconnects them (SLURM_MPI_TYPE, SLURM_STEP_ID), what Slurm gives of a\n"
    "node's memory (SLURM_MEM_PER_NODE, SLURM_MEM_PER_CPU, SLURM_CPUS_ON_NODE,\nSLURM_NTASKS_PER_NODE), "
    "the job's id for the report\n(SLURM_JOB_ID, PBS_JOBID, LSB_JOBID, FLUX_JOB_ID, JOB_ID), "
    "and TERM, the kind\nof terminal.\n"
    "The compiler of --codegen is looked for in PATH and works in TMPDIR; what is\nkept between runs is "
    "in XDG_CACHE_HOME/shardrun or "
    "HOME/.cache/shardrun\n(--cache).\n"
    "OPENBLAS_CORETYPE and ONEDNN_MAX_CPU_ISA (or DNNL_MAX_CPU_ISA) limit the\n"
    "instruction sets of OpenBLAS and oneDNN.\n"
    ".PP\nThese are set unless they have a value: OPENBLAS_CORETYPE, as --kernels says;\n"
    "OPENBLAS_NUM_THREADS=1 and HWLOC_HIDE_ERRORS=2; with Open MPI, OMPI_MCA_pml=ob1\n"
    "if all ranks are on one node, and OMPI_MCA_mpi_yield_when_idle=1 if ranks\n"
    "outnumber cores. For the launcher that -n starts, with Open MPI: EVENT_NOEPOLL,\n"
    "OMPI_ALLOW_RUN_AS_ROOT, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM and\n"
    "PRTE_MCA_rmaps_default_mapping_policy, and if each rank has several cores,\n"
    "OMPI_MCA_hwloc_base_binding_policy=none and\nPRTE_MCA_hwloc_default_binding_policy=none.\n"
    ".SH JAX\n"
    "The PJRT plugin, libshardrun_pjrt.so, reads SHARDRUN_DEVICES, the number of\ndevices of a process, "
    "and SHARDRUN_CACHE, the folder of its compile cache.\n"
    "Some options are also compiler options of jax.jit, where their name is that of\ntheir variable in lower case, as "
    "in\ncompiler_options={\"shardrun_report\": \"plan.json\"}:\n"
#define FLAG(name, field, type, value, initial, variable, section, help) variable ",\n"
#include "driver/compile_flags.def"
#undef FLAG
    "and SHARDRUN_VERBOSE, which prints a summary of each compilation on standard\nerror.\n"
    "The Python package finds the plugin by SHARDRUN_PJRT_LIBRARY, else in its own\nfolder and LD_LIBRARY_PATH, and "
    "the command shardrun by SHARDRUN, else in PATH.\n"
    ".SH EXIT STATUS\n0 good, 1 results differ or a check failed, 2 usage or launch,\n3 the module does "
    "not parse or "
    "verify, 4 unsupported,\n5 does not fit in memory,\n75 interrupted, with a checkpoint "
    "(--checkpoint),\n124 timeout or stall, 125 internal error.\n";

static bool requests_information(const struct options *o)
{
	return o->help || o->man || o->show_knobs || o->version || o->list_algorithms || o->completion;
}

/* Print what flags request instead of a run (help, version, lists). */
static void print_information(const void *values)
{
	const struct options *o = values;
	struct sr_arena *arena = o->list_algorithms ? sr_arena_new() : NULL;
	struct sr_buf buf;
	if (o->help)
		sr_knobs_help(&knobs, stdout);
	else if (o->man)
		sr_knobs_man(&knobs, extra_man_sections, stdout);
	else if (o->show_knobs)
		sr_knobs_show(&knobs, o, stdout);
	else if (o->completion)
		sr_knobs_completion(&knobs, (enum sr_shell)o->completion, &(sr_strings_list){0}, stdout);
	else if (o->version)
		printf("shardrun %s\n", PACKAGE_VERSION);
	if (!arena)
		return;
	sr_buf_init(&buf, arena);
	sr_algorithms_list(&buf);
	sr_buf_write(&buf, stdout);
	sr_arena_free(arena);
}

/* Return the name of the first tolerance of a comparison that is negative or not a number; NULL: none. */
static const char *invalid_tolerance(const struct sr_tolerances *t)
{
	const struct {
		const char *flag;
		double value;
	} tolerances[] = {{"--expected-f16-threshold", t->f16},
			  {"--expected-bf16-threshold", t->bf16},
			  {"--expected-f32-threshold", t->f32},
			  {"--expected-f64-threshold", t->f64},
			  {"--expected-rtol", t->rtol}};
	for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++)
		if (!(tolerances[i].value >= 0))
			return tolerances[i].flag;
	return NULL;
}

/* Refuse an option that has no effect without another one, if its value is not its default. */
static enum sr_status check_dependent_options(const struct sr_run_options *o, struct sr_diags *diags)
{
	const struct {
		const char *option, *requirement;
		bool is_set, is_met;
	} dependent_options[] = {
		{"--args", "--interpret", o->args != NULL, o->interpret},
		{"--split-input-file", "--interpret", o->split_input_file, o->interpret},
		{"--interpreter-print-dense", "--interpret", o->print_dense, o->interpret},
		{"--probe-output-dir", "--interpret", o->probe_dir != NULL, o->interpret},
		{"--dump-dir", "--dump-values", strcmp(o->dump_dir, DUMP_DIR) != 0, o->dump_values != NULL},
		{"--dump-iterations", "--dump-values or --verify", o->dump_iterations != DUMP_ITERATIONS,
		 o->dump_values != NULL || o->verify},
		{"--checkpoint-keep", "--checkpoint=DIR", o->loop.checkpoint_keep != CHECKPOINT_KEEP, o->loop.checkpoint != NULL},
	};
	for (size_t i = 0; i < sizeof dependent_options / sizeof *dependent_options; i++)
		if (dependent_options[i].is_set && !dependent_options[i].is_met)
			return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "%s requires %s", dependent_options[i].option,
					dependent_options[i].requirement);
	return SR_OK;
}

static enum sr_status check_options(struct options *o, const sr_strings_list *rest, struct sr_diags *diags)
{
	struct sr_src_loc nowhere = {0};
	if (rest->n != 1)
		return sr_error(diags, SR_USAGE, nowhere,
				rest->n ? "expected one model, but %zu are given"
					: "no model is "
					  "given; see shardrun --help",
				rest->n);
	if (o->run.repeats < 1 || o->run.repeats > 1000000 || o->run.warmup < 0)
		return sr_error(diags, SR_USAGE, nowhere, "--num-repeats must be from 1 to 1000000 and --warmup at least 0");
	if (o->run.program && o->run.interpret)
		return sr_error(diags, SR_USAGE, nowhere, "--program cannot store a program of --interpret");
	o->run.codegen.targets = sr_targets_read(o->run.target);
	if (o->run.target && !o->run.codegen.targets)
		return sr_error(diags, SR_USAGE, nowhere,
				"--target=%s: expected base, avx2, avx512 or native, or a "
				"comma-separated list",
				o->run.target);
	if (o->run.devices && !o->run.auto_shard)
		return sr_error(diags, SR_USAGE, nowhere, "--devices requires --auto-shard");
	if (o->run.devices < 0 || (o->run.meshes.n && o->run.devices))
		return sr_error(diags, SR_USAGE, nowhere,
				"--devices: expected a number of devices, without --mesh");
	if (o->run.meshes.n && o->run.interpret)
		return sr_error(diags, SR_USAGE, nowhere, "--mesh cannot be combined with --interpret, which uses no mesh");
	if ((o->run.auto_shard || o->run.memory_per_device) && (o->run.interpret || o->run.partition != SR_PARTITION_CHEAP))
		return sr_error(diags, SR_USAGE, nowhere,
				"--auto-shard and --memory-per-device require --partition=cheap, without --interpret");
	if (o->run.target && o->run.program && o->run.codegen.mode == SR_CODEGEN_OFF)
		return sr_error(diags, SR_USAGE, nowhere, "--target cannot be combined with --codegen=off");
	if (!(o->run.timeout >= 0 && o->run.timeout < 1e9))
		return sr_error(diags, SR_USAGE, nowhere, "--timeout must be a positive number of seconds");
	if (!(o->run.stall_timeout >= 0 && o->run.stall_timeout < 1e9))
		return sr_error(diags, SR_USAGE, nowhere, "--stall-timeout must be a positive number of seconds, or 0");
	if (!(o->run.progress_interval >= 0 && o->run.progress_interval < 1e9))
		return sr_error(diags, SR_USAGE, nowhere, "--progress-interval must be a positive number of seconds");
	const char *tolerance = invalid_tolerance(&o->run.tolerances);
	if (tolerance)
		return sr_error(diags, SR_USAGE, nowhere, "%s must be a number from 0 on", tolerance);
	if (o->run.max_elements < 0)
		return sr_error(diags, SR_USAGE, nowhere, "--output-max-element-count must be at least 0");
	return check_dependent_options(&o->run, diags);
}

static enum sr_status run(int argc, char **argv, struct sr_arena *arena)
{
	struct options o = {.run = {.tolerances = sr_tolerances_default}};
	sr_strings_list rest = {0};
	struct sr_diags diags;
	sr_diags_init(&diags, arena);
	enum sr_status status = sr_knobs_parse(&knobs, &o, argc, argv, arena, &diags, &rest, NULL, NULL);
	bool informs = !status && requests_information(&o);
	if (!status && !informs)
		status = check_options(&o, &rest, &diags);
	o.run.model = rest.n ? rest.data[0] : NULL;
	o.run.out = stdout;
	o.run.err = stderr;
	o.run.arguments = argv;
	o.run.tolerances.is_exact = o.equality;
	o.run.command = &(struct sr_command){&knobs, &o, o.run.model, status, &diags, informs ? print_information : NULL};
	return sr_run(&o.run);
}

int main(int argc, char **argv)
{
	struct sr_arena *arena = sr_arena_new();
	if (!arena)
		return SR_NO_MEMORY;
	enum sr_status status = run(argc, argv, arena);
	sr_arena_free(arena);
	return status;
}
