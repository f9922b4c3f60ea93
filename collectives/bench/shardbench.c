/* shardbench: microbenchmarks of collectives over MPI ranks, in the manner of nccl-tests.
 *
 * Every rank reads the same command line and arrives at the same status; rank 0 alone prints. */
#include "collectives/bench/bench.h"
#include "machine/machine.h"
#include "run/process_environment.h"
#include "support/checked.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int this_rank; /* number of this rank, for the alarm handler */

static void on_alarm(int signal_number)
{
	static const char message[] = "shardbench: error: timeout\n";
	if (this_rank == 0 && write(STDERR_FILENO, message, sizeof message - 1) < 0)
		_exit(SR_INTERNAL);
	_exit(SR_TIMEOUT);
}

/* Return this process's rank before MPI is initialized, from the launcher's variables. */
static int rank_from_environment(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (sr_env(names[i]))
			return atoi(sr_env(names[i]));
	return 0;
}

static void print_completion(enum sr_shell shell, struct sr_arena *arena)
{
	sr_strings_list names = {0};
	for (int i = 0; i < bench_n_collectives; i++)
		sr_push(arena, &names, bench_collectives[i].name);
	sr_knobs_completion(&bench_knobs, shell, &names, stdout);
}

static const char extra_man_sections[] =
    ".SH EXIT STATUS\n0 good, 1 wrong results, 2 usage, 3 the program of --replay does not parse or\nverify, 4 unsupported, "
    "5 does not fit in memory, 124 timeout, 125 a message\nfailed, or internal error.\n";

/* Handle options that need no ranks (--help, --version, ...). Returns true if there is one. */
static bool run_without_ranks(const struct options *o, struct sr_arena *arena)
{
	struct sr_buf buf;
	if (!o->help && !o->help_man && !o->version && !o->list_algorithms && !o->completion)
		return false;
	if (rank_from_environment() != 0)
		return true;
	sr_buf_init(&buf, arena);
	if (o->help)
		sr_knobs_help(&bench_knobs, stdout);
	else if (o->help_man)
		sr_knobs_man(&bench_knobs, extra_man_sections, stdout);
	else if (o->completion)
		print_completion((enum sr_shell)o->completion, arena);
	else if (o->version)
		printf("shardbench %s\n", PACKAGE_VERSION);
	else
		sr_algorithms_list(&buf);
	fputs(sr_buf_string(&buf), stdout);
	return true;
}

/* Accept --help-man, which only the build uses. */
static bool accept_hidden_option(void *data, const char *name, const char *value, struct sr_suggest *s)
{
	(void)s;
	struct options *o = data;
	if (strcmp(name, "help-man") || value)
		return false;
	o->help_man = true;
	return true;
}

static enum sr_status open_transport(struct bench *b)
{
	struct sr_selection *selection;
	const char *message, *text = b->options.collectives ? b->options.collectives : "";
	if (b->options.algorithm)
		text = sr_printf(b->arena, "%s:@%s%s%s", sr_coll_name(b->collective->coll), b->options.algorithm, *text ? "#" : "",
				 text);
	if (sr_selection_parse(b->arena, text, &selection, &message) != SR_OK)
		return sr_error(b->diags, SR_USAGE, (struct sr_src_loc){0}, "%s; --list-algorithms lists them", message);
	MPI_Comm world_comm = MPI_COMM_WORLD;
	int *rank_of_device = SR_NEW_ARRAY(b->arena, int, b->ranks);
	for (int d = 0; d < b->ranks; d++)
		rank_of_device[d] = d;
	struct sr_machine_node node;
	bool is_known = !sr_machine_detect(&(struct sr_machine_query){0}, &node);
	const struct sr_transport_options options = {.selection = selection, .cache_bytes = is_known ? node.last_level : 0};
	enum sr_status status = sr_transport_open_mpi(b->arena, &world_comm, rank_of_device, b->ranks, &options, &b->transport);
	if (status == SR_OK)
		(void)bench_select_level(b, BENCH_ALL_MEMBERS, &status);
	return status;
}

/* Gather hosts and process ids on rank 0, which prints the heading. */
static void begin_table(struct bench *b, struct table *table)
{
	enum { NAME = 64 };
	int64_t own_ids[2] = {getpid(), b->group_number};
	char host[NAME] = "";
	bool is_root = b->rank == 0;
	int64_t *all = SR_NEW_ARRAY(b->arena, int64_t, is_root ? 2 * b->ranks : 0);
	char *names = SR_NEW_ARRAY(b->arena, char, is_root ? NAME * b->ranks : 0);
	const char **hosts = SR_NEW_ARRAY(b->arena, const char *, b->ranks);
	int64_t *pids = SR_NEW_ARRAY(b->arena, int64_t, b->ranks), *groups = SR_NEW_ARRAY(b->arena, int64_t, b->ranks);
	gethostname(host, NAME - 1);
	MPI_Gather(own_ids, 2, MPI_INT64_T, all, 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
	MPI_Gather(host, NAME, MPI_CHAR, names, NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
	if (!is_root)
		return;
	for (int r = 0; r < b->ranks; r++) {
		hosts[r] = names + r * NAME;
		pids[r] = all[2 * r];
		groups[r] = all[2 * r + 1];
	}
	table_begin(table, b, hosts, pids, groups);
}

/* Replace *size by the next size. Return false if that exceeds the largest size. */
static bool next_size(const struct options *o, int64_t *size)
{
	bool overflows =
		o->step_factor ? sr_mul_overflows(*size, o->step_factor, size) : sr_add_overflows(*size, o->step_bytes, size);
	return !overflows && *size <= o->max_bytes;
}

/* Measure all sizes of one type and operation. */
static enum sr_status run_sizes(struct bench *b, const struct buffers *buffers, struct table *table, enum sr_dtype type,
				const struct operation *operation)
{
	const struct options *o = &b->options;
	int64_t n = b->group ? sr_group_size(b->group) : 1, bytes = sr_dtype_bytes(type), size = o->min_bytes;
	bool uses_blocks =
		b->collective->coll == SR_ALL_GATHER || b->collective->coll == SR_REDUCE_SCATTER || b->collective->coll == SR_ALL_TO_ALL;
	enum sr_status status = SR_OK;
	do {
		struct row row = {.level = b->level,
				  .members = (int)n,
				  .count = uses_blocks ? size / bytes / n : size / bytes,
				  .type = type,
				  .operation = b->collective->reduces ? operation : NULL,
				  .root = b->collective->rooted ? (int)o->root : -1};
		row.bytes = row.count * bytes * (uses_blocks ? n : 1);
		status = bench_measure(b, buffers, &row);
		if (status == SR_OK && b->rank == 0)
			table_row(table, &row);
	} while (status == SR_OK && next_size(o, &size));
	return status;
}

/* Map two adjacent buffers as a program's operands are mapped: in the shared segment if there is one. */
static enum sr_status make_buffers(struct bench *b, int64_t bytes, struct buffers *out, struct sr_shared_region **region)
{
	char *memory = mmap(NULL, (size_t)(2 * bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	enum sr_status status = sr_shared_region_open(b->transport, 2 * bytes, region);
	if (status || memory == MAP_FAILED)
		return SR_NO_MEMORY;
	*out = (struct buffers){memory, memory + bytes};
	return !*region || sr_shared_region_map(*region, b->transport, memory, 0, 2 * bytes) ? SR_OK : SR_NO_MEMORY;
}

static enum sr_status run_level(struct bench *b, const struct buffers *buffers, struct table *table)
{
	enum sr_status status = SR_OK;
	if (b->rank == 0)
		table_head(table);
	for (int64_t cycle = 0; cycle < b->options.cycles && status == SR_OK; cycle++)
		for (int t = 0; t < b->n_types && status == SR_OK; t++)
			for (int o = 0; o < b->n_operations && status == SR_OK; o++)
				status = run_sizes(b, buffers, table, b->types[t], b->operations[o]);
	return status;
}

static enum sr_status run_levels(struct bench *b, const struct buffers *buffers, struct table *table)
{
	enum sr_status status = SR_OK;
	for (int level = 0; level < (b->options.levels ? BENCH_LEVELS : 1) && status == SR_OK; level++) {
		bool has_groups = bench_select_level(b, (enum bench_level)level, &status);
		if (status == SR_OK && has_groups)
			status = run_level(b, buffers, table);
		else if (status == SR_OK && b->rank == 0)
			table_skip_level(table, (enum bench_level)level);
	}
	return status;
}

static enum sr_status run_all(struct bench *b, struct table *table)
{
	int64_t bytes = (b->options.max_bytes + 64 + 4095) / 4096 * 4096;
	struct buffers buffers = {0};
	struct sr_shared_region *region;
	enum sr_status status = make_buffers(b, bytes, &buffers, &region);
	if (status != SR_OK)
		sr_error(b->diags, status, (struct sr_src_loc){0}, "two buffers of %lld bytes do not fit in memory",
			 (long long)bytes);
	/* write all pages before the measurement, so that no page fault is timed */
	if (status == SR_OK) {
		memset(buffers.in, 0, (size_t)bytes);
		memset(buffers.out, 0, (size_t)bytes);
		status = run_levels(b, &buffers, table);
	}
	if (buffers.in)
		munmap(buffers.in, (size_t)(2 * bytes));
	sr_shared_region_close(region);
	return status;
}

/* Run the benchmark between MPI_Init and MPI_Finalize. If only some ranks have an error, abort the job. */
static enum sr_status bench(struct bench *b, const sr_strings_list *arguments)
{
	struct table table = {0};
	enum sr_status status = bench_resolve_options(b, arguments);
	if (status == SR_OK)
		status = bench_check_output_file(b);
	if (status == SR_OK && !b->options.replay)
		status = open_transport(b);
	if (status != SR_OK)
		return status;
	this_rank = b->rank;
	if (b->options.timeout) {
		signal(SIGALRM, on_alarm);
		alarm((unsigned)b->options.timeout);
	}
	if (b->options.replay)
		return bench_replay(b);
	if (!b->options.calibrate)
		begin_table(b, &table);
	status = b->options.calibrate ? bench_calibrate(b) : run_all(b, &table);
	if (status != SR_OK && status != SR_UNSUPPORTED) {
		sr_diags_print(b->diags, stderr);
		MPI_Abort(MPI_COMM_WORLD, (int)status);
	}
	if (status == SR_UNSUPPORTED && !b->diags->n_errors) /* all ranks return the same status */
		return sr_error(b->diags, status, (struct sr_src_loc){0}, "%s has no such reduction of this type",
				b->collective ? b->collective->name : "all_reduce");
	if (b->rank == 0 && !b->options.calibrate) {
		table_end(&table);
		if (b->options.output_file)
			status = table_write(&table, b->options.output_file);
		if (status == SR_OK && table.n_wrong)
			status = SR_DIFFERS;
	}
	return status;
}

/* Finalize MPI; all ranks return rank 0's status, after rank 0 has printed its message. */
static enum sr_status finish_job(struct bench *b, enum sr_status status)
{
	int code = (int)status;
	if (b->rank == 0) {
		if (!b->diags->n_errors && sr_flush_stream(b->diags, stdout, "standard output"))
			code = SR_USAGE;
		sr_diags_print(b->diags, stderr);
		fflush(stderr);
		fflush(stdout);
	}
	MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (b->transport)
		sr_transport_close(b->transport);
	MPI_Finalize();
	return (enum sr_status)code;
}

int main(int argc, char **argv)
{
	struct sr_arena *arena = sr_arena_new();
	struct sr_diags diags;
	struct bench b = {.arena = arena, .diags = &diags};
	sr_strings_list arguments = {0};
	jmp_buf unwind;
	if (!arena)
		return SR_NO_MEMORY;
	if (setjmp(unwind)) /* out of memory, perhaps on this rank only: if this rank exits, the launcher ends the other ranks */
		_exit(SR_NO_MEMORY);
	sr_arena_guard(arena, &unwind);
	b.unwind = &unwind;
	sr_diags_init(&diags, arena);
	enum sr_status status =
		sr_knobs_parse(&bench_knobs, &b.options, argc, argv, arena, &diags, &arguments, accept_hidden_option, &b.options);
	if (status == SR_OK && run_without_ranks(&b.options, arena)) {
		status = sr_flush_stream(&diags, stdout, "standard output");
		sr_diags_print(&diags, stderr);
		sr_arena_free(arena);
		return (int)status;
	}
	sr_process_environment_set(sr_isa_detect());
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
	if (status == SR_OK)
		status = bench(&b, &arguments);
	status = finish_job(&b, status);
	sr_arena_free(arena);
	return (int)status;
}
