/* shardrun: runs a sharded program, one mesh device per MPI rank. An argument table and nothing else; the work is in exec/run.c. */
#include "run/launch.h"
#include "exec/progress.h"
#include "exec/run.h"
#include <stdio.h>

struct options {
	struct sr_run_options run;
	bool help, version, man, show_knobs, list_algorithms;
	int equality, completion;
};

#define RUN(field) offsetof(struct options, run.field)
#define HERE(field) offsetof(struct options, field)
static const struct sr_knob rows[] = {
	{"function", 0, SR_KNOB_STRING, RUN(function), "NAME", NULL, NULL, "Program", "Run this function; main, or the only one, where not given."},
	{"partition", 0, SR_KNOB_CHOICE, RUN(partition), "cheap|upstream|replicate", "cheap", NULL, "Program",
	 "How to cut the program: for the least cost of the whole (cheap), with the shardings that propagation gives every value (upstream), or compute all on every device (replicate), which is right for every program and slow."},
	{"machine", 0, SR_KNOB_STRING, RUN(machine), "FILE", NULL, NULL, "Program",
	 "A file of the machine's figures, as shardbench --calibrate writes it; a fixed text without. What a plan chooses and its estimate of a step go by it."},
	{"overlap", 0, SR_KNOB_CHOICE, RUN(overlap), "auto|on|off", "auto", NULL, "Program",
	 "Whether collectives are under way while other steps run: where that takes no more memory (auto), always, with an order of steps for it, or never."},
	{"combine-collectives", 0, SR_KNOB_CHOICE, RUN(combine), "auto|off", "auto", NULL, "Program",
	 "Whether small sums and gathers over the same groups that do not need each other are one: where that takes less time by "
	 "the machine's figures (auto), or never."},
	{"decompose-matmul", 0, SR_KNOB_CHOICE, RUN(decompose_matmul), "auto|on|off", "auto", NULL, "Program",
	 "Whether products, with the gathers before them or the sums over devices behind them, are made of pieces, of which one is "
	 "sent while another is computed: where that takes less time between nodes by the machine's figures (auto), wherever it "
	 "may be, or never."},
	{"auto-shard", 0, SR_KNOB_BOOL, RUN(auto_shard), NULL, NULL, NULL, "Program",
	 "Find shardings for the arguments and results that have none, for the least estimated step: on the program's mesh, on "
	 "that of --mesh, or on any of --devices. shardopt -shardrun-auto-shard prints the program with them."},
	{"mesh", 0, SR_KNOB_LIST, RUN(meshes), "NAME=N,...", NULL, NULL, "Program",
	 "Give the axes of the program's mesh these sizes, data=4,model=2, or with --auto-shard a program without a mesh this "
	 "one. Several times: a plan for each, and a table of what they take of memory, links and time; the fastest that fits "
	 "--memory-per-device is taken."},
	{"devices", 0, SR_KNOB_INT, RUN(devices), "N", "0", NULL, "Program",
	 "With --auto-shard: try meshes of N devices, of up to three axes. 0: as many as there are ranks."},
	{"memory-per-device", 0, SR_KNOB_SIZE, RUN(memory_per_device), "SIZE", "0", NULL, "Program",
	 "Take a plan whose peak on a device is at most this, though it send or compute more: several are tried, and the report "
	 "says what they take. 0: no limit."},
	{"interpret", 0, SR_KNOB_BOOL, RUN(interpret), NULL, NULL, NULL, "Program",
	 "Run the program as written, unpartitioned and unmeasured."},
	{"args", 0, SR_KNOB_STRING, RUN(args), "[dense<...>, ...]", NULL, NULL, "Program", "With --interpret: the arguments as constants."},
	{"split-input-file", 0, SR_KNOB_BOOL, RUN(split_input_file), NULL, NULL, NULL, "Program", "With --interpret: pieces of the file between lines // ----- are programs of their own."},
	{"interpreter-print-dense", 0, SR_KNOB_BOOL, RUN(print_dense), NULL, NULL, NULL, "Program", "With --interpret: print values as dense constants."},
	{"probe-output-dir", 0, SR_KNOB_STRING, RUN(probe_dir), "DIR", NULL, NULL, "Program", "With --interpret: interpreter.probe writes its values there."},
	{"ffi", 0, SR_KNOB_LIST, RUN(ffi), "NAME=LIBRARY.so:SYMBOL", NULL, NULL, "Program",
	 "The kernel of a custom call by its target's name, as jax.ffi registers it: a handler of XLA's FFI in a shared library, "
	 "called on "
	 "whole values on every device unless the call has a sharding rule."},
	{"max-model-bytes", 0, SR_KNOB_SIZE, RUN(max_model_bytes), "SIZE", NULL, NULL, "Program",
	 "Refuse a model of more bytes. Where not given: 16G, or a quarter of the memory where that is less."},
	{"run", 0, SR_KNOB_BOOL, RUN(run), NULL, "true", NULL, "Program", "With =false: compile, plan and report only; no MPI, any number of devices."},
	{"program", 0, SR_KNOB_STRING, RUN(program), "FILE", NULL, NULL, "Program",
	 "Write the compiled program, which shardrun takes in place of a model: it runs without being compiled again."},
	{"target", 0, SR_KNOB_STRING, RUN(target), "avx2|avx512|native,...", NULL, "SHARDRUN_TARGET", "Program",
	 "Compile tiles for this instruction set (base, avx2, avx512, or this machine's), at most what all ranks run; of several for the best. With "
	 "--program also put them into the file, for each that is named: nodes without a compiler run them. Where not given: what all ranks run, and "
	 "none in the file."},
	{"cache", 0, SR_KNOB_STRING, RUN(cache), "DIR|off", NULL, "SHARDRUN_CACHE", "Program",
	 "Where compiled programs and tiles are kept for the next run, on rank 0's node: a folder that nobody else can write, or nowhere. Where not "
	 "given: XDG_CACHE_HOME/shardrun or HOME/.cache/shardrun.", .may_differ = true},
	{"cache-size", 0, SR_KNOB_SIZE, RUN(cache_bytes), "SIZE", "1G", "SHARDRUN_CACHE_SIZE", "Program",
	 "What that folder may hold; what was not used for longest goes.", .may_differ = true},
	{"input", 0, SR_KNOB_LIST, RUN(inputs), "VALUE", NULL, NULL, "Data",
	 "K-th use, K-th argument: @file.npy, 4xf32=1 2 3 4, 2x2xi32=[[1 2][3 4]], 4xf32 (zeros), 4xf32=@raw.bin, "
	 "@file.npz:KEY, @file.safetensors:KEY. NAME=VALUE: of the argument that the source calls so. @file.npz or @file.safetensors without a "
	 "key: its arrays are for the arguments of their names, wherever it stands. None at all: random values."},
	{"inputs", 0, SR_KNOB_LIST, RUN(input_bundles), "FILE|DIR", NULL, NULL, "Data",
	 "Arrays for all arguments that no --input gives, by their names or places (arr_0): a .npz or .safetensors file, the index "
	 "of a model in several (.safetensors.index.json), or a folder with such files or .npy files."},
	{"output", 0, SR_KNOB_LIST, RUN(outputs), "WHERE", NULL, NULL, "Data",
	 "K-th use, K-th result: @file.npy, - (text with all digits), @- (.npy on standard output), empty (ignored). None at all: the first "
	 "elements of each result are printed."},
	{"outputs", 0, SR_KNOB_STRING, RUN(output_bundle), "FILE|DIR", NULL, NULL, "Data",
	 "All results that no --output takes, by their names or places (arr_0): into a .npz or .safetensors file, or as "
	 ".npy files into a folder."},
	{"expected-output", 0, SR_KNOB_LIST, RUN(expected), "VALUE", NULL, NULL, "Data", "K-th use: what the K-th result must be; (ignored) skips one."},
	{"expected-f16-threshold", 0, SR_KNOB_DOUBLE, RUN(tolerances.f16), "X", "0.001", NULL, "Data", "Largest absolute difference of f16 elements."},
	{"expected-bf16-threshold", 0, SR_KNOB_DOUBLE, RUN(tolerances.bf16), "X", "0.01", NULL, "Data", "Largest absolute difference of bf16 elements."},
	{"expected-f32-threshold", 0, SR_KNOB_DOUBLE, RUN(tolerances.f32), "X", "0.0001", NULL, "Data", "Largest absolute difference of f32 elements."},
	{"expected-f64-threshold", 0, SR_KNOB_DOUBLE, RUN(tolerances.f64), "X", "0.0001", NULL, "Data", "Largest absolute difference of f64 elements."},
	{"expected-rtol", 0, SR_KNOB_DOUBLE, RUN(tolerances.rtol), "X", "1e-5", NULL, "Data", "Relative difference allowed besides."},
	{"equality-mode", 0, SR_KNOB_CHOICE, HERE(equality), "approximate|exact", "approximate", NULL, "Data", "Compare with thresholds, or exactly."},
	{"output-max-element-count", 0, SR_KNOB_INT, RUN(max_elements), "N", "1024", NULL, "Data", "Print at most N elements of an output."},
	{"hlo-argument-mode", 0, SR_KNOB_CHOICE, RUN(argument_mode),
	 "use_random_inputs|use_shared_random_inputs|use_zeros_as_input|use_device_id_as_input|uninitialized", "use_random_inputs", NULL, "Data",
	 "Where no --input is given."},
	{"seed", 0, SR_KNOB_INT, RUN(seed), "N", "0", NULL, "Data", "Of random arguments; every mesh sees the same global values."},
	{"num-repeats", 0, SR_KNOB_INT, RUN(repeats), "N", "1", NULL, "Measuring", "Run N times from the same arguments."},
	{"warmup", 'w', SR_KNOB_INT, RUN(warmup), "N", "0", NULL, "Measuring", "Run N times before, unmeasured."},
	{"loop", 0, SR_KNOB_STRING, RUN(loop.steps), "STEPS", NULL, NULL, "Iteration",
	 "Run step after step, each with what the one before left: a result that is carried becomes an argument in place. Without "
	 "a number: until the files of an --input=@PATTERN_*.npy are used up, or --until. With one, such files come again from the "
	 "first on.", ""},
	{"carry", 0, SR_KNOB_STRING, RUN(loop.carry), "RESULT:ARGUMENT,...", NULL, NULL, "Iteration",
	 "Which result becomes which argument of the next step, by name or number. Where not given: each donated argument takes "
	 "the "
	 "result that is declared for it, or that has its type and sharding."},
	{"until", 0, SR_KNOB_STRING, RUN(loop.until), "RESULT", NULL, NULL, "Iteration",
	 "The loop ends behind the step in which this scalar is true, or not zero."},
	{"metrics", 0, SR_KNOB_STRING, RUN(loop.metrics), "FILE.csv|.jsonl", NULL, NULL, "Iteration",
	 "Write a line for each step as it ends: the scalars among the results by name, and its seconds."},
	{"output-every", 0, SR_KNOB_INT, RUN(loop.output_every), "STEPS", NULL, NULL, "Iteration",
	 "Write each --output=@FILE_*.npy and --outputs=FILE_*.npz so often and at the end, with the step's number for the *."},
	{"checkpoint", 0, SR_KNOB_STRING, RUN(loop.checkpoint), "DIR", NULL, NULL, "Iteration",
	 "Write what is carried into this folder, at the end, on SIGUSR1 (then with exit status 75), and every --checkpoint-every "
	 "steps, while the next steps run. All ranks see the folder."},
	{"checkpoint-every", 0, SR_KNOB_INT, RUN(loop.checkpoint_every), "STEPS", "0", NULL, "Iteration",
	 "Write a checkpoint behind every so many steps."},
	{"checkpoint-keep", 0, SR_KNOB_INT, RUN(loop.checkpoint_keep), "N", "2", NULL, "Iteration",
	 "So many checkpoints are left in the folder: the oldest go."},
	{"resume", 0, SR_KNOB_STRING, RUN(loop.resume), "DIR", NULL, NULL, "Iteration",
	 "Go on from the newest checkpoint that is whole, on this mesh or another. Without DIR: of --checkpoint, from the first "
	 "step "
	 "where there is none.", ""},
	{"profile", 0, SR_KNOB_STRING, RUN(profile), "FILE", NULL, NULL, "Measuring",
	 "Print the steps that take longest: time, calls, rates, what they wait for others, and the share of the time that the machine's figures "
	 "(--machine) would need. With FILE also write a trace for chrome://tracing or Perfetto.", ""},
	{"report", 0, SR_KNOB_STRING, RUN(report), "FILE", NULL, NULL, "Measuring", "Write the plan's and the run's figures as JSON."},
	{"json", 0, SR_KNOB_BOOL, RUN(json), NULL, NULL, NULL, "Measuring", "Print the report on standard output."},
	{"plan-diff", 0, SR_KNOB_STRING, RUN(plan_diff), "OLD.json", NULL, NULL, "Measuring",
	 "Compare the plan with an earlier one's report: what differs, as a table on standard output."},
	{"compare", 0, SR_KNOB_STRING, RUN(compare), "OLD.json", NULL, NULL, "Measuring",
	 "Run nothing: in the model's place is another report, and what differs between the two is printed: what was run "
	 "where, plan, run, and with --profile the time of each op."},
	{"error-on-full-replication", 0, SR_KNOB_STRING, RUN(limits.full_replication), "SIZE", NULL, NULL, "Measuring",
	 "End with status 1, before anything runs, where a value of more bytes is whole on every device though it was sharded: "
	 "which, why, and what would help.", "0"},
	{"max-wire-bytes", 0, SR_KNOB_STRING, RUN(limits.wire_bytes), "SIZE", NULL, NULL, "Measuring",
	 "End with status 1 where a device has to send more bytes in a step by the plan."},
	{"max-collectives", 0, SR_KNOB_STRING, RUN(limits.collectives), "KIND:N,...", NULL, NULL, "Measuring",
	 "End with status 1 where the plan has more collectives of a kind: all-gather:3,all-to-all:0."},
	{"ranks", 'n', SR_KNOB_INT, RUN(ranks), "N", NULL, NULL, "Launch",
	 "Run N ranks on this machine where no launcher started any: a process each, or if they outnumber its cores a thread each "
	 "of this process (--devices-per-rank).", .may_differ = true},
	{"launcher", 0, SR_KNOB_STRING, RUN(launcher), "COMMAND", SR_LAUNCHER, "SHARDRUN_LAUNCHER", "Launch",
	 "What -n starts the ranks with: the mpirun of the MPI that shardrun was built with.", .may_differ = true},
	{"timeout", 0, SR_KNOB_DOUBLE, RUN(timeout), "SECONDS", NULL, NULL, "Launch", "End with status 124 when this is over."},
	{"stall-timeout", 0, SR_KNOB_DOUBLE, RUN(stall_timeout), "SECONDS", "300", NULL, "Launch",
	 "End with status 124 when a rank waits for others this long and none of them works: one is stopped, or its link is lost, "
	 "or the devices of one process wait for each other; "
	 "say where, and who did not arrive. 0: never."},
	{"allow-singleton", 0, SR_KNOB_BOOL, RUN(allow_singleton), NULL, NULL, NULL, "Launch", "Run alone though the launcher started several processes."},
	{"collectives", 0, SR_KNOB_STRING, RUN(selection), "TEXT", NULL, "SHARDRUN_COLLECTIVES", "Launch",
	 "Which algorithm for which collective: all_reduce:0-4k:2-8:@recursive_doubling#all_gather:@ring; before the defaults."},
	{"shared-segment", 0, SR_KNOB_BOOL, RUN(shared_segment), NULL, "true", "SHARDRUN_SHARED_SEGMENT", "Launch",
	 "Devices of a node read each other's memory in place; false: they send messages, as devices of different nodes do."},
	{"ranks-per-node", 0, SR_KNOB_INT, RUN(ranks_per_node), "N", "0", NULL, "Launch",
	 "Take every N neighbouring ranks of a node for a node of their own: what several nodes would do, tried on one; the report says what goes between "
	 "nodes of N ranks, with --run=false too. 0: nodes as they are."},
	{"devices-per-rank", 0, SR_KNOB_STRING, RUN(devices_per_rank), "K|auto|all", NULL, "SHARDRUN_DEVICES_PER_RANK", "Launch",
	 "How many devices of the mesh a rank plays, a thread each. all: the whole mesh, in one process that needs no mpirun; auto: "
	 "all where no launcher started it, else the devices over the ranks where that is whole. Where not given: 1; with -n N on "
	 "fewer than N cores all N in one process, whose threads wait for each other with fewer changes of process."},
	{"kernels", 0, SR_KNOB_STRING, RUN(kernels), "auto|base|avx2|avx512", "auto", "SHARDRUN_KERNELS", "Launch",
	 "The instruction set that kernels may use on this rank; all ranks use the least of theirs.", .may_differ = true},
	{"threads", 0, SR_KNOB_INT, RUN(threads), "N", "0", "SHARDRUN_THREADS", "Launch",
	 "Threads of a device, which share each step's work; results are the same bit by bit for any number. 0: the rank's cores "
	 "over its devices.", .may_differ = true},
	{"placement", 0, SR_KNOB_STRING, RUN(placement), "order|block|cyclic|auto|AXIS,...", NULL, "SHARDRUN_PLACEMENT", "Launch",
	 "Which rank plays which device, without another compilation and with the same results: device d is rank d (order); neighbouring devices on one "
	 "node (block), or on different ones (cyclic); in blocks of the mesh's axes from the outermost to the innermost; or the order of axes with "
	 "the fewest bytes between nodes (auto). Where not given: auto, or as --device-ranks says."},
	{"device-ranks", 0, SR_KNOB_STRING, RUN(device_ranks), "RANK,...|reversed", NULL, "SHARDRUN_DEVICE_RANKS", "Launch",
	 "Which rank plays device 0, 1, ...; reversed: the last rank of a program plays device 0. Where not given: device d is rank d."},
	{"codegen", 0, SR_KNOB_CHOICE, RUN(codegen.mode), "off|auto|on", "auto", "SHARDRUN_CODEGEN", "Launch",
	 "Compile tiles by the system's C compiler: none (off: they are interpreted), all (on), or where it pays (auto): they go through 1 MB or more "
	 "in a run that is repeated, 64 MB in one that is not, and more where there are many."},
	{"cc", 0, SR_KNOB_STRING, RUN(codegen.compiler), "COMPILER", "cc", "SHARDRUN_CC", "Launch", "The C compiler for --codegen: a name that PATH knows, or a path."},
	{"quiet", 'q', SR_KNOB_BOOL, RUN(quiet), NULL, NULL, NULL, "Launch", "Results and errors alone: no summary, notes, warnings and progress.", .may_differ = true},
	{"progress", 0, SR_KNOB_CHOICE, RUN(progress), "auto|line|log|none", "auto", SR_PROGRESS_VARIABLE, "Launch",
	 "How to show how far long work is, on standard error: a line that is drawn again in its place, or a line a minute. auto: by whether it is a "
	 "terminal.", .may_differ = true},
	{"progress-interval", 0, SR_KNOB_DOUBLE, RUN(progress_interval), "SECONDS", NULL, NULL, "Launch",
	 "Show it this often. Where not given: each second from the second one on, or each minute in a log.", .may_differ = true},
	{"verbose", 'v', SR_KNOB_BOOL, RUN(verbose), NULL, NULL, NULL, "Debugging", "Say more at the end.", .may_differ = true},
	{"verify-each", 0, SR_KNOB_BOOL, RUN(verify_each), NULL, NULL, NULL, "Debugging", "Verify the module after each compiler pass."},
	{"mlir-print-ir-after", 0, SR_KNOB_STRING, RUN(print_after), "PASS,...|all", NULL, NULL, "Debugging", "Print the module after these passes to standard error."},
	{"explain", 0, SR_KNOB_STRING, RUN(explain), "%NAME|OP|LINE", NULL, NULL, "Debugging",
	 "Print where the sharding of these values comes from: by the name in the module's text, by the op's name (dot_general, or what JAX called it), "
	 "or by the source line (41, train.py:41)."},
	{"explain-partition", 0, SR_KNOB_STRING, RUN(explain_partition), "%NAME|OP|LINE", NULL, NULL, "Debugging",
	 "Print how the partition lays these values, what else it looked at and what each would cost, who reads them and which "
	 "reshards follow: values "
	 "as --explain takes them, or by what the source calls an argument or a result."},
	{"show-sharding", 0, SR_KNOB_STRING, RUN(show_sharding), "all|%NAME|OP|LINE", NULL, NULL, "Debugging",
	 "Draw which device holds what of the arguments and results, as they lie when it runs; or of all values, or those that "
	 "--explain would take, as propagation left them.", ""},
	{"system-root", 0, SR_KNOB_STRING, RUN(root), "DIR", NULL, "SHARDRUN_SYSTEM_ROOT", "Debugging",
	 "The folder with this machine's /proc and /sys, where limits of control groups are read.", .may_differ = true},
	{"html", 0, SR_KNOB_STRING, RUN(html), "FILE", NULL, NULL, "Debugging",
	 "Write a page for a browser: each op with its sharding before and after propagation, the collectives that it causes, and its source line."},
	{"check-nan", 0, SR_KNOB_STRING, RUN(check_nan), "trace", NULL, NULL, "Debugging",
	 "End with status 1 at the first op that makes a NaN or an infinity of values that have none: which, where, on which "
	 "device. "
	 "trace: how it went on from there, and what it was made of.", ""},
	{"dump-values", 0, SR_KNOB_STRING, RUN(dump_values), "REGEX", NULL, NULL, "Debugging",
	 "Write the values whose op, location, source line or name in the module matches as .npy, whole, and values.tsv, which "
	 "says "
	 "what each file is."},
	{"dump-dir", 0, SR_KNOB_STRING, RUN(dump_dir), "DIR", "values", NULL, "Debugging",
	 "Where --dump-values writes; made where it is not there."},
	{"dump-iterations", 0, SR_KNOB_INT, RUN(dump_iterations), "N", "8", NULL, "Debugging",
	 "Of each loop the first N iterations, for --dump-values and --verify."},
	{"verify", 0, SR_KNOB_BOOL, RUN(verify), NULL, NULL, NULL, "Debugging",
	 "Compute on one device too, and compare: every result, and every op on the devices' operands. End with status 1 where "
	 "one differs "
	 "beyond the rounding of its type and of the length of its sums: which, where, by how much."},
	{"emit-c", 0, SR_KNOB_STRING, RUN(codegen.emit), "DIR", NULL, NULL, "Debugging", "Write the C of compiled tiles into this folder."},
	{"print-plan", 0, SR_KNOB_BOOL, RUN(print_plan), NULL, NULL, NULL, "Debugging", "Print the steps of the plan."},
	{"list-algorithms", 0, SR_KNOB_BOOL, HERE(list_algorithms), NULL, NULL, NULL, "Help", "List the collective algorithms."},
	{"show-knobs", 0, SR_KNOB_BOOL, HERE(show_knobs), NULL, NULL, NULL, "Help", "Print every option's value and where it comes from."},
	{"help", 'h', SR_KNOB_BOOL, HERE(help), NULL, NULL, NULL, "Help", "Print this help."},
	{"help-man", 0, SR_KNOB_BOOL, HERE(man), NULL, NULL, NULL, "Help", "Print the manual page."},
	{"completion", 0, SR_KNOB_CHOICE, HERE(completion), SR_SHELL_NAMES, "none", NULL, "Help", SR_COMPLETION_HELP},
	{"version", 0, SR_KNOB_BOOL, HERE(version), NULL, NULL, NULL, "Help", "Print the version."},
};

static const struct sr_example examples[] = {
	{"shardrun --run=false --report=plan.json model.mlir", "Plan a program: what a device holds, computes and sends. Needs no ranks."},
	{"shardrun --run=false --program=model.srp model.mlir && shardrun -n 8 model.srp", "Compile it once, and run what was compiled."},
	{"shardrun -n 8 model.mlir --input=@x.npy --input=@w1.npy --input=@w2.npy --output=@y.npy",
	 "Run it on 8 ranks of this machine, with arguments from files and the result to a file."},
	{"mpirun -np 8 shardrun model.mlir --input=@x.npy --input=@w1.npy --input=@w2.npy --output=@y.npy",
	 "The same on the ranks of an MPI job, on any number of nodes."},
	{"shardrun -n 8 model.mlir --num-repeats=20 --warmup=3 --report=run.json", "Measure it with random arguments."},
	{"shardrun --interpret model.mlir --input=@x.npy --input=@w1.npy --input=@w2.npy --expected-output=@y.npy",
	 "Run it as written on one device, and compare."},
	{"shardrun --run=false --explain=tanh model.mlir", "Say where the shardings of values come from."},
	{"shardrun --run=false --html=page.html model.mlir", "Write the program, its shardings and its collectives as a page for a browser."},
};

static const struct sr_knobs knobs = {
	"shardrun", "shardrun [-n N] [options] model.mlir",
	"Runs a sharded program, StableHLO or HLO text, on the ranks of an MPI job, one mesh device per rank.", rows, sizeof rows / sizeof *rows, examples,
	sizeof examples / sizeof *examples};

static const char more[] = ".SH ENVIRONMENT\nBesides the variables of options, what launchers set is read: that a rank was\n"
			   "started by one, and how many there are (OMPI_COMM_WORLD_RANK,\nOMPI_COMM_WORLD_SIZE, PMIX_RANK, PMI_RANK, PMI_SIZE, "
			   "MPI_LOCALRANKID,\nMV2_COMM_WORLD_SIZE, SLURM_PROCID, SLURM_NTASKS, SLURM_STEP_NUM_TASKS), how\nmany on this node "
			   "(OMPI_COMM_WORLD_LOCAL_SIZE, MPI_LOCALNRANKS,\nMV2_COMM_WORLD_LOCAL_SIZE, SLURM_STEP_TASKS_PER_NODE, SLURM_NODEID), how "
			   "srun\nconnects them (SLURM_MPI_TYPE, SLURM_STEP_ID), what Slurm gives of a\n"
			   "node's memory (SLURM_MEM_PER_NODE, SLURM_MEM_PER_CPU, SLURM_CPUS_ON_NODE,\nSLURM_NTASKS_PER_NODE), "
			   "the job's id for the report\n(SLURM_JOB_ID, PBS_JOBID, LSB_JOBID, FLUX_JOB_ID, JOB_ID), "
			   "and TERM, the kind\nof terminal.\n"
			   "The compiler of --codegen is looked for in PATH and works in TMPDIR; what is\nkept between runs is in XDG_CACHE_HOME/shardrun or "
			   "HOME/.cache/shardrun\n(--cache).\n"
			   ".SH EXIT STATUS\n0 good, 1 results differ or a check failed, 2 usage or launch,\n3 the module does not parse or "
			   "verify, 4 unsupported,\n5 does not fit in memory,\n75 interrupted, with a checkpoint "
			   "(--checkpoint),\n124 timeout or stall, 125 internal error.\n";

static bool is_informing(const struct options *o)
{
	return o->help || o->man || o->show_knobs || o->version || o->list_algorithms || o->completion;
}

/* What is asked for instead of a run. */
static void inform(const void *values)
{
	const struct options *o = values;
	struct sr_arena *arena = o->list_algorithms ? sr_arena_new() : NULL;
	struct sr_buf buf;
	if (o->help)
		sr_knobs_help(&knobs, stdout);
	else if (o->man)
		sr_knobs_man(&knobs, more, stdout);
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

static enum sr_status check(struct options *o, const sr_strings_list *rest, struct sr_diags *diags)
{
	struct sr_src_loc nowhere = {0};
	if (rest->n != 1)
		return sr_error(diags, SR_USAGE, nowhere, rest->n ? "one model is expected, but %zu are given" : "no model is given; see shardrun --help", rest->n);
	if (o->run.repeats < 1 || o->run.repeats > 1000000 || o->run.warmup < 0)
		return sr_error(diags, SR_USAGE, nowhere, "--num_repeats must be from 1 to 1000000 and --warmup at least 0");
	if (o->run.program && o->run.interpret)
		return sr_error(diags, SR_USAGE, nowhere, "--program: what --interpret runs is not kept");
	o->run.codegen.targets = sr_targets_read(o->run.target);
	if (o->run.target && !o->run.codegen.targets)
		return sr_error(diags, SR_USAGE, nowhere, "--target=%s: base, avx2, avx512 or native is expected, or several with commas between", o->run.target);
	if (o->run.devices && !o->run.auto_shard)
		return sr_error(diags, SR_USAGE, nowhere, "--devices is for --auto-shard");
	if (o->run.devices < 0 || (o->run.meshes.n && o->run.devices))
		return sr_error(diags, SR_USAGE, nowhere,
				"--devices: a number of devices is expected, and no --mesh beside it");
	if (o->run.meshes.n && o->run.interpret)
		return sr_error(diags, SR_USAGE, nowhere, "--mesh: --interpret runs a program as written, on no mesh");
	if ((o->run.auto_shard || o->run.memory_per_device) && (o->run.interpret || o->run.partition != SR_PARTITION_CHEAP))
		return sr_error(diags, SR_USAGE, nowhere,
				"--auto-shard and --memory-per-device are for --partition=cheap, without --interpret");
	if (o->run.target && o->run.program && o->run.codegen.mode == SR_CODEGEN_OFF)
		return sr_error(diags, SR_USAGE, nowhere, "--target: --codegen=off compiles nothing for --program");
	if (!(o->run.timeout >= 0 && o->run.timeout < 1e9))
		return sr_error(diags, SR_USAGE, nowhere, "--timeout must be a positive number of seconds");
	if (!(o->run.stall_timeout >= 0 && o->run.stall_timeout < 1e9))
		return sr_error(diags, SR_USAGE, nowhere, "--stall-timeout must be a positive number of seconds, or 0");
	if (!(o->run.progress_interval >= 0 && o->run.progress_interval < 1e9))
		return sr_error(diags, SR_USAGE, nowhere, "--progress-interval must be a positive number of seconds");
	if (o->run.max_elements < 0)
		return sr_error(diags, SR_USAGE, nowhere, "--output_max_element_count must be at least 0");
	return SR_OK;
}

static enum sr_status run(int argc, char **argv, struct sr_arena *arena)
{
	struct options o = {.run = {.tolerances = sr_tolerances_default}};
	sr_strings_list rest = {0};
	struct sr_diags diags;
	sr_diags_init(&diags, arena);
	enum sr_status status = sr_knobs_parse(&knobs, &o, argc, argv, arena, &diags, &rest, NULL, NULL);
	bool informs = !status && is_informing(&o);
	if (!status && !informs)
		status = check(&o, &rest, &diags);
	o.run.model = rest.n ? rest.data[0] : NULL;
	o.run.out = stdout;
	o.run.err = stderr;
	o.run.arguments = argv;
	o.run.tolerances.exact = o.equality;
	o.run.command = &(struct sr_command){&knobs, &o, o.run.model, status, &diags, informs ? inform : NULL};
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
