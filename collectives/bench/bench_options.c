/* Flags of shardbench: the short and long names of nccl-tests, and flags that nccl-tests lacks for mesh, axis and algorithm. */
#include "collectives/bench/bench.h"
#include <stddef.h>
#include <string.h>

#define FIELD(name) offsetof(struct options, name)

static const struct sr_knob rows[] = {
	{"minbytes", 'b', SR_KNOB_SIZE, FIELD(min_bytes), "SIZE", "32M", NULL, "Sizes", "Smallest size."},
	{"maxbytes", 'e', SR_KNOB_SIZE, FIELD(max_bytes), "SIZE", "32M", NULL, "Sizes", "Largest size."},
	{"stepbytes", 'i', SR_KNOB_SIZE, FIELD(step_bytes), "SIZE", "1M", NULL, "Sizes", "Increment from one size to the next."},
	{"stepfactor", 'f', SR_KNOB_INT, FIELD(step_factor), "N", "0", NULL, "Sizes",
	 "Multiply the size by N from one size to the next; 0: add --stepbytes."},
	{"iters", 'n', SR_KNOB_INT, FIELD(iterations), "N", "20", NULL, "Measurement", "Timed calls per size."},
	{"warmup-iters", 'w', SR_KNOB_INT, FIELD(warmup), "N", "1", NULL, "Measurement", "Calls before the clock starts."},
	{"agg-iters", 'm', SR_KNOB_INT, FIELD(aggregate), "N", "1", NULL, "Measurement",
	 "Calls in flight at once; the time is per call."},
	{"run-cycles", 'N', SR_KNOB_INT, FIELD(cycles), "N", "1", NULL, "Measurement", "Measure all sizes N times."},
	{"average", 'a', SR_KNOB_INT, FIELD(average), "0|1|2|3", "3", NULL, "Measurement",
	 "Time of which rank: 0 rank 0's, 1 the mean, 2 the least, 3 the greatest."},
	{"check", 'c', SR_KNOB_INT, FIELD(check), "N", "1", NULL, "Measurement", "Compare results with the exact ones; 0: do not."},
	{"percentiles", 0, SR_KNOB_BOOL, FIELD(percentiles), NULL, NULL, NULL, "Measurement",
	 "Also time calls individually: p50, p95 and p99 over -n calls of the slowest rank's time, in microseconds."},
	{"copy", 0, SR_KNOB_BOOL, FIELD(copy), NULL, NULL, NULL, "Measurement",
	 "Compare busbw with the rate at which each rank copies as many bytes in its own memory (memcpy) while all others do, "
	 "in per cent (copy%)."},
	{"replay", 0, SR_KNOB_STRING, FIELD(replay), "PROGRAM", NULL, NULL, "Measurement",
	 "Run the collectives of a program (a module, or a file written by shardrun --program) in its order and its memory, on as many "
	 "ranks as it has devices. Takes no collective."},
	{"timeout", 'T', SR_KNOB_INT, FIELD(timeout), "SECONDS", "0", NULL, "Measurement",
	 "End with status 124 when the whole run takes longer; 0: never."},
	{"op", 'o', SR_KNOB_STRING, FIELD(op), "OP", "sum", NULL, "Call",
	 "Reduction: sum, prod, min, max or all. With --calibrate: the file to write."},
	{"datatype", 'd', SR_KNOB_STRING, FIELD(type), "TYPE", "float", NULL, "Call",
	 "Element type: int8, uint8, int32, uint32, int64, uint64, half, float, double, bfloat16, the name of any other (f8E5M2, "
	 "complex<f32>), or all."},
	{"root", 'r', SR_KNOB_INT, FIELD(root), "N", "0", NULL, "Call", "Root of broadcast, an index in the group."},
	{"mesh", 0, SR_KNOB_STRING, FIELD(mesh), "x=4,y=2", NULL, NULL, "Devices",
	 "Lay the ranks out as a mesh; without it they are one axis."},
	{"axis", 0, SR_KNOB_STRING, FIELD(axis), "NAME", NULL, NULL, "Devices",
	 "Groups along this axis of the mesh, or several axes separated by commas; all groups run at once. Default: all ranks."},
	{"levels", 0, SR_KNOB_BOOL, FIELD(levels), NULL, NULL, NULL, "Devices",
	 "Measure three times: all members of each group, those that share a node, and one member of each node."},
	{"ngpus", 'g', SR_KNOB_INT, FIELD(devices), "1", "1", NULL, "Devices",
	 "Devices per rank, for nccl-tests' command lines: 1."},
	{"nthreads", 't', SR_KNOB_INT, FIELD(threads), "1", "1", NULL, "Devices", "Threads per rank, for nccl-tests' command lines: 1."},
	{"algorithm", 0, SR_KNOB_STRING, FIELD(algorithm), "NAME", NULL, NULL, "Algorithms",
	 "Use this algorithm if its precondition holds."},
	{"collectives", 0, SR_KNOB_STRING, FIELD(collectives), "SELECTION", NULL, "SHARDRUN_COLLECTIVES", "Algorithms",
	 "Rows coll:bytes:members:@name joined by '#', or one name for all (mpi: MPI's own collectives); they precede the defaults."},
	{"calibrate", 0, SR_KNOB_BOOL, FIELD(calibrate), NULL, NULL, NULL, "Measurement",
	 "Measure this machine with the given ranks and write a file for --machine of shardrun and shardopt. Takes no collective."},
	{"list-algorithms", 0, SR_KNOB_BOOL, FIELD(list_algorithms), NULL, NULL, NULL, "Algorithms", "Print all algorithms."},
	{"output-file", 'J', SR_KNOB_STRING, FIELD(output_file), "FILE", NULL, NULL, "Output",
	 "Write the results as JSON too; with --calibrate: write the machine file, which is printed by default."},
	{"json", 0, SR_KNOB_BOOL, FIELD(json), NULL, NULL, NULL, "Output", "Print the results as JSON instead of a table."},
	{"help", 'h', SR_KNOB_BOOL, FIELD(help), NULL, NULL, NULL, "Output", "Print this help."},
	{"completion", 0, SR_KNOB_CHOICE, FIELD(completion), SR_SHELL_NAMES, "none", NULL, "Output",
	 SR_COMPLETION_HELP},
	{"version", 0, SR_KNOB_BOOL, FIELD(version), NULL, NULL, NULL, "Output", "Print the version."},
};

static const struct sr_example examples[] = {
	{"mpirun -np 8 shardbench all_reduce -b 8 -e 128M -f 2", "All-reduces of 8 bytes to 128 MB, each size twice the one before."},
	{"mpirun -np 8 shardbench all_gather --mesh=data=4,model=2 --axis=model", 
	 "All-gathers along one axis of a mesh, all groups at once."},
	{"mpirun -np 8 shardbench all_reduce -b 8 -e 64K -f 4 -n 1000 --percentiles --levels",
	 "Tail latency within and across nodes."},
	{"mpirun -np 8 shardbench --replay=model.mlir", "Run the collectives of a program; one line each."},
	{"mpirun -np 8 shardbench all_reduce --algorithm=ring", "Measure one algorithm; --list-algorithms lists them."},
};

const struct sr_knobs bench_knobs = {
	.tool = "shardbench",
	.synopsis = "mpirun -np N shardbench [options] all_reduce|all_gather|reduce_scatter|all_to_all|permute|broadcast",
	.summary = "Measure collectives over MPI ranks, one size after another.",
	.rows = rows,
	.n = sizeof rows / sizeof *rows,
	.examples = examples,
	.n_examples = sizeof examples / sizeof *examples,
};

const struct bench_collective bench_collectives[] = {
	{"all_reduce", NULL, SR_ALL_REDUCE, .reduces = true},
	{"all_gather", NULL, SR_ALL_GATHER},
	{"reduce_scatter", NULL, SR_REDUCE_SCATTER, .reduces = true},
	{"all_to_all", "alltoall", SR_ALL_TO_ALL},
	{"permute", "sendrecv", SR_PERMUTE},
	{"broadcast", NULL, SR_BROADCAST, .rooted = true},
};
const int bench_n_collectives = sizeof bench_collectives / sizeof *bench_collectives;

const struct operation bench_operations[] = {
	{"sum", SR_MONOID_ADD}, {"prod", SR_MONOID_MUL}, {"max", SR_MONOID_MAX}, {"min", SR_MONOID_MIN}};
const int bench_n_operations = sizeof bench_operations / sizeof *bench_operations;

/* Types in the order of nccl-tests, which "all" selects. */
static const struct type_name {
	const char *name;
	enum sr_dtype type;
} type_names[] = {{"int8", SR_I8},     {"uint8", SR_UI8},   {"int32", SR_I32}, {"uint32", SR_UI32}, {"int64", SR_I64},
		  {"uint64", SR_UI64}, {"half", SR_F16},    {"float", SR_F32}, {"double", SR_F64},  {"bfloat16", SR_BF16}};
enum { N_TYPE_NAMES = sizeof type_names / sizeof *type_names };

const char *bench_type_name(enum sr_dtype type)
{
	for (int i = 0; i < N_TYPE_NAMES; i++)
		if (type_names[i].type == type)
			return type_names[i].name;
	return sr_dtypes[type].name;
}

static enum sr_status usage_error(struct bench *b, const char *message, const char *value)
{
	return sr_error(b->diags, SR_USAGE, (struct sr_src_loc){0}, "%s '%s'", message, value);
}

static enum sr_status resolve_collective(struct bench *b, const sr_strings_list *arguments)
{
	if (arguments->n != 1)
		return sr_error(b->diags, SR_USAGE, (struct sr_src_loc){0},
				arguments->n ? "expected one collective, got %zu"
					 : "name a collective: all_reduce, all_gather, reduce_scatter, "
					   "all_to_all, permute or broadcast",
				arguments->n);
	for (int i = 0; i < bench_n_collectives; i++) {
		const struct bench_collective *s = &bench_collectives[i];
		if (!strcmp(s->name, arguments->data[0]) || (s->other_name && !strcmp(s->other_name, arguments->data[0])))
			b->collective = s;
	}
	return b->collective ? SR_OK : usage_error(b, "unknown collective", arguments->data[0]);
}

static enum sr_status resolve_types(struct bench *b)
{
	const char *name = b->options.type;
	for (int i = 0; i < N_TYPE_NAMES; i++)
		if (!strcmp(name, "all") || !strcmp(name, type_names[i].name))
			b->types[b->n_types++] = type_names[i].type;
	if (!b->n_types && sr_dtype_find(name, strlen(name)) != SR_DTYPE_NONE)
		b->types[b->n_types++] = sr_dtype_find(name, strlen(name));
	for (int i = 0; i < bench_n_operations; i++)
		if (!strcmp(b->options.op, "all") || !strcmp(b->options.op, bench_operations[i].name))
			b->operations[b->n_operations++] = &bench_operations[i];
	if (!b->n_types)
		return usage_error(b, "unknown datatype", name);
	if (!b->n_operations)
		return usage_error(b, "--op: expected sum, prod, min, max or all, got", b->options.op);
	if (!b->collective->reduces)
		b->n_operations = 1;
	return SR_OK;
}

static enum sr_status check_numbers(struct bench *b)
{
	const struct options *o = &b->options;
	const struct {
		const char *name;
		int64_t value, min, max;
	} limits[] = {
		{"--iters", o->iterations, 1, INT32_MAX},   {"--warmup-iters", o->warmup, 0, INT32_MAX},
		{"--agg-iters", o->aggregate, 1, 1024},     {"--run-cycles", o->cycles, 1, INT32_MAX},
		{"--average", o->average, 0, 3},            {"--check", o->check, 0, INT32_MAX},
		{"--timeout", o->timeout, 0, INT32_MAX},    {"--maxbytes", o->max_bytes, o->min_bytes, INT64_MAX / 4},
		{"--stepbytes", o->step_bytes, 1, INT64_MAX / 4}, {"--ngpus", o->devices, 1, 1},
		{"--nthreads", o->threads, 1, 1},
	};
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (limits[i].value < limits[i].min || limits[i].value > limits[i].max)
			return sr_error(b->diags, SR_USAGE, (struct sr_src_loc){0}, "%s=%lld is not in %lld..%lld", limits[i].name,
					(long long)limits[i].value, (long long)limits[i].min, (long long)limits[i].max);
	if (o->step_factor < 0 || o->step_factor == 1 || (o->step_factor && !o->min_bytes))
		return sr_error(b->diags, SR_USAGE, (struct sr_src_loc){0}, "--stepfactor=%lld from --minbytes=%lld never ends",
				(long long)o->step_factor, (long long)o->min_bytes);
	return SR_OK;
}

/* Parse a mesh such as "x=4,y=2". */
static enum sr_status parse_mesh(struct bench *b, struct sr_mesh *mesh)
{
	char *text = sr_strdup(b->arena, b->options.mesh), *unread_text = text, *word;
	SR_VEC(struct sr_axis) axes = {0};
	int64_t devices = 1;
	while ((word = strsep(&unread_text, ","))) {
		char *equals_sign = strchr(word, '=');
		struct sr_axis axis = {word};
		if (equals_sign)
			*equals_sign = 0;
		if (!equals_sign || !*word || !sr_parse_size(equals_sign + 1, &axis.size) || axis.size < 1 || axis.size > b->ranks)
			return usage_error(b, "malformed mesh", b->options.mesh);
		for (size_t i = 0; i < axes.n; i++)
			if (!strcmp(axes.data[i].name, axis.name))
				return usage_error(b, "duplicate axis in mesh", b->options.mesh);
		devices *= axis.size;
		if (devices > b->ranks)
			break;
		sr_push(b->arena, &axes, axis);
	}
	if (devices != b->ranks)
		return sr_error(b->diags, SR_USAGE, (struct sr_src_loc){0}, "mesh '%s' does not have %d devices, one for each rank",
				b->options.mesh, b->ranks);
	*mesh = (struct sr_mesh){.axes = axes.data, .n_axes = (int)axes.n};
	return SR_OK;
}

static enum sr_status resolve_groups(struct bench *b)
{
	struct sr_axis one = {b->options.axis ? b->options.axis : "world", b->ranks};
	struct sr_mesh mesh = {.axes = &one, .n_axes = 1};
	SR_VEC(struct sr_axis_ref) refs = {0};
	enum sr_status status = b->options.mesh ? parse_mesh(b, &mesh) : SR_OK;
	char *unread_text = b->options.axis && b->options.mesh ? sr_strdup(b->arena, b->options.axis) : NULL, *word;
	if (status != SR_OK)
		return status;
	while ((word = strsep(&unread_text, ","))) {
		size_t n_before = refs.n;
		for (int i = 0; i < mesh.n_axes; i++)
			if (!strcmp(mesh.axes[i].name, word))
				sr_push(b->arena, &refs, (struct sr_axis_ref){mesh.axes[i].name, 1, mesh.axes[i].size});
		if (refs.n == n_before)
			return usage_error(b, "the mesh has no axis", word);
	}
	if (refs.n == 0) /* without --axis the group is all axes of the mesh */
		for (int i = 0; i < mesh.n_axes; i++)
			sr_push(b->arena, &refs, (struct sr_axis_ref){mesh.axes[i].name, 1, mesh.axes[i].size});
	b->groups = sr_mesh_groups(b->arena, &mesh, (struct sr_axes){refs.data, (int)refs.n});
	for (int64_t i = 0; i < b->groups.n_groups * b->groups.group_size; i++)
		if (b->groups.ids[i] == b->rank)
			b->group_number = i / b->groups.group_size;
	if (b->options.root < 0 || b->options.root >= b->groups.group_size)
		return sr_error(b->diags, SR_USAGE, (struct sr_src_loc){0}, "--root=%lld is not in a group of %lld",
				(long long)b->options.root, (long long)b->groups.group_size);
	return SR_OK;
}

/* Check --calibrate: it uses all ranks and takes no collective; its output file may be given by -o or -J. */
static enum sr_status resolve_calibration(struct bench *b, const sr_strings_list *arguments)
{
	struct options *o = &b->options;
	if (arguments->n)
		return usage_error(b, "--calibrate takes no collective, got", arguments->data[0]);
	if (o->mesh || o->axis || o->algorithm)
		return sr_error(b->diags, SR_USAGE, (struct sr_src_loc){0}, "--calibrate takes no --mesh, --axis or --algorithm");
	if (!o->output_file && strcmp(o->op, "sum"))
		o->output_file = o->op;
	enum sr_status status = check_numbers(b);
	return status == SR_OK ? resolve_groups(b) : status;
}

/* Check --replay: the program determines the collectives and their groups, so options that select them are errors. */
static enum sr_status resolve_replay(struct bench *b, const sr_strings_list *arguments)
{
	const struct options *o = &b->options;
	if (arguments->n)
		return usage_error(b, "--replay takes the collectives from the program, got", arguments->data[0]);
	if (o->mesh || o->axis || o->algorithm || o->levels || o->copy || o->calibrate)
		return sr_error(b->diags, SR_USAGE, (struct sr_src_loc){0},
				"--replay takes no --mesh, --axis, --algorithm, --levels, --copy or --calibrate");
	return check_numbers(b);
}

enum sr_status bench_resolve_options(struct bench *b, const sr_strings_list *arguments)
{
	if (b->options.replay)
		return resolve_replay(b, arguments);
	if (b->options.calibrate)
		return resolve_calibration(b, arguments);
	enum sr_status status = resolve_collective(b, arguments);
	if (status == SR_OK)
		status = resolve_types(b);
	if (status == SR_OK)
		status = check_numbers(b);
	return status == SR_OK ? resolve_groups(b) : status;
}
