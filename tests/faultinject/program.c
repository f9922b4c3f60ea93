/* Run a program through the public C API repeatedly. In each run one call by the library fails on one rank: the first, the
 * second, ... until a run makes fewer calls. In each run every function must return a status on every rank within LIMIT_S seconds.
 * If a function fails on one rank, it must fail on all ranks. The library may not keep more memory than after a run without a
 * failure.
 *	program add|mlp|loop allocation|mpi|mpi-after|mpi-late|file [STRIDE [FIRST [RANK [DEVICES]]]]
 * STRIDE: only every STRIDE-th call fails. FIRST: the first call that fails. RANK: the failing rank; default: the last one.
 * DEVICES: devices of each rank; default: 1, or 2 on one rank.
 * Prints "PROGRAM KIND on N ranks: n calls, f of them failed a run" on success. */
#define _GNU_SOURCE 1
#include <stdarg.h>
#include "tests/faultinject/inject.h"
#include "tests/unit/programs.h"
#include <signal.h>
#include <string.h>

enum { LIMIT_S = 60 };

static const char add[] =
	"func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {\n"
	"  %0 = stablehlo.add %a, %b : tensor<8xf32>\n"
	"  return %0, %b : tensor<8xf32>, tensor<8xf32>\n"
	"}\n";
static const char mlp[] = /* one step of gradient descent on the mean of tanh(x w)^2 / 2, rows of x sharded, w donated */
	"sdy.mesh @mesh = <[\"x\"=@]>\n"
	"func.func @main(%w: tensor<16x16xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>})\n"
	"    -> (tensor<16x16xf32>, tensor<16xf32>) {\n"
	"  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>\n"
	"  %t = stablehlo.tanh %y : tensor<64x16xf32>\n"
	"  %g = stablehlo.dot_general %x, %t, contracting_dims = [0] x [0] : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>\n"
	"  %n = stablehlo.subtract %w, %g : tensor<16x16xf32>\n"
	"  %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
	"  %l = stablehlo.reduce(%t init: %c) applies stablehlo.add across dimensions = [0] : (tensor<64x16xf32>, tensor<f32>) -> tensor<16xf32>\n"
	"  return %n, %l : tensor<16x16xf32>, tensor<16xf32>\n"
	"}\n";
static const char loop_text[] =
	"sdy.mesh @mesh = <[\"x\"=@]>\n"
	"func.func @main(%a: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}, %b: tensor<64xf32>) -> (tensor<64xf32>, tensor<i32>) {\n"
	SR_TEN_ITERATIONS;
static const struct {
	const char *name, *text, *arguments[2];
} programs[] = {{"add", add, {"8xf32=1", "8xf32=2"}}, {"mlp", mlp, {"16x16xf32=0.5", "64x16xf32=0.125"}}, {"loop", loop_text, {"64xf32=1", "64xf32=2"}}};
static const struct {
	const char *name;
	enum inject_kind kind;
} kinds[] = {{"allocation", INJECT_ALLOCATION}, {"mpi", INJECT_MPI}, {"mpi-after", INJECT_MPI_AFTER}, {"mpi-late", INJECT_MPI_LATE}, {"file", INJECT_FILE}};

static int rank, size, program, devices;
static MPI_Comm comm; /* communicator of one run; it cannot be used after a collective call that one rank did not make */
static long failing_call;

static struct state {
	struct shardrun_module *module;
	struct shardrun_plan *plan;
	struct shardrun_client *client;
	struct shardrun_run *run;
	struct shardrun_array *arguments[2], *results[2];
} s;

static enum sr_status read_module(void)
{
	char text[4096], n[2] = {(char)('0' + size * devices), 0};
	snprintf(text, sizeof text, "%s", programs[program].text);
	char *at = strchr(strstr(text, "mesh = <") ? strstr(text, "mesh = <") : "", '=');
	if (at && (at = strchr(at, '<')) && (at = strchr(at, '@')))
		*at = *n;
	return shardrun_module_read("m", text, strlen(text), &s.module);
}

static enum sr_status make_plan(void)
{
	return shardrun_plan_make(s.module, NULL, &s.plan);
}

static enum sr_status open_client(void)
{
	struct shardrun_client_options options = SHARDRUN_CLIENT_OPTIONS_INIT;
	options.comm = &comm;
	options.stall_timeout = 10; /* on a busy machine a rank may be silent for some seconds */
	options.threads = 1;
	options.devices_per_rank = devices;
	return shardrun_client_open(&options, &s.client);
}

static enum sr_status open_run(void)
{
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	options.client = s.client;
	options.codegen = "off";
	return shardrun_run_open(s.plan, &options, &s.run);
}

static enum sr_status make_arrays(void)
{
	enum sr_status status = SR_OK;
	for (int i = 0; !status && i < 2; i++)
		status = shardrun_array_make(s.run, i, programs[program].arguments[i], &s.arguments[i]);
	return status;
}

static enum sr_status execute(void)
{
	enum sr_status status = shardrun_execute(s.run, s.arguments, 2, s.results, 2);
	for (int i = 0; !status && i < 2; i++) {
		if (i || program != 1) {
			shardrun_array_free(s.results[i]);
		} else {
			shardrun_array_free(s.arguments[0]);
			s.arguments[0] = s.results[0];
		}
		s.results[i] = NULL;
	}
	return status;
}

static enum sr_status step(void)
{
	return shardrun_run_step(s.run);
}

static enum sr_status write_results(void)
{
	const char *const paths[] = {"r0.npy", "r1.npy"};
	return shardrun_run_write(s.run, paths, 2);
}

static enum sr_status read_results(void)
{
	return shardrun_run_fill(s.run, 0, "@r0.npy");
}

/* The collective stages of a run. After each stage the host tells all ranks the status. */
static enum sr_status (*const stages[])(void) = {read_module, make_plan, open_client, open_run, make_arrays, execute, execute, step, write_results, read_results, step};
enum { STAGES = sizeof stages / sizeof *stages };

static void close_all(void)
{
	for (int i = 0; i < 2; i++)
		shardrun_array_free(s.arguments[i]);
	shardrun_run_close(s.run);
	shardrun_client_close(s.client);
	shardrun_plan_free(s.plan);
	shardrun_module_free(s.module);
	s = (struct state){0};
}

static void on_alarm(int number)
{
	(void)number;
	fprintf(stderr, "rank %d: call %ld (%s): no status within %d s\n", rank, failing_call, inject.failed_call ? inject.failed_call : "none", LIMIT_S);
	_exit(99);
}

/* Run once. Return the first status that is not SR_OK on any rank. */
static int run_once(void)
{
	int first_error = SR_OK;
	PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
	for (int i = 0; !first_error && i < STAGES; i++) {
		int local_status = (int)stages[i]();
		MPI_Allreduce(&local_status, &first_error, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	}
	close_all();
	inject_make_late_call();
	if (!first_error)
		PMPI_Comm_free(&comm);
	return first_error;
}

int main(int argc, char **argv)
{
	enum inject_kind kind = INJECT_NONE;
	long stride = argc > 3 ? atol(argv[3]) : 1, n_failed = 0, n_live = 0, n_mapped = 0;
	int level, has_failed = 0;
	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (size_t i = 0; argc > 2 && i < sizeof programs / sizeof *programs; i++)
		program = strcmp(argv[1], programs[i].name) ? program : (int)i;
	for (size_t i = 0; argc > 2 && i < sizeof kinds / sizeof *kinds; i++)
		kind = strcmp(argv[2], kinds[i].name) ? kind : kinds[i].kind;
	if (!kind)
		return 2;
	int failing_rank = argc > 5 ? atoi(argv[5]) : size - 1;
	devices = argc > 6 ? atoi(argv[6]) : size > 1 ? 1 : 2;
	signal(SIGALRM, on_alarm);
	inject_begin(INJECT_NONE, 0);
	for (int i = 0; i < 3; i++) { /* runs without a failure, which give the limit of the memory that the library may keep */
		has_failed = has_failed || run_once();
		n_live = inject_n_live;
		n_mapped = inject_n_mapped;
	}
	if (has_failed)
		fprintf(stderr, "rank %d: an undisturbed run fails\n", rank);
	for (failing_call = argc > 4 ? atol(argv[4]) : 0; !has_failed; failing_call += stride) {
		int has_next = rank == failing_rank;
		alarm(LIMIT_S);
		inject_begin(has_next ? kind : INJECT_NONE, failing_call);
		int status = run_once();
		has_next = inject_end() > failing_call && has_next;
		alarm(0);
		n_failed += status != SR_OK;
		MPI_Allreduce(MPI_IN_PLACE, &has_next, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
		if ((status && !has_next) || status == SR_DIFFERS || status == SR_INVALID) {
			fprintf(stderr, "rank %d: call %ld (%s): status %d\n", rank, failing_call, inject.failed_call ? inject.failed_call : "none", status);
			has_failed = 1;
		}
		/* a broken client keeps memory that MPI may still use */
		if (kind == INJECT_ALLOCATION || kind == INJECT_FILE)
			if (status != SR_INTERNAL && status != SR_TIMEOUT && (inject_n_live > n_live || inject_n_mapped > n_mapped)) {
				fprintf(stderr, "rank %d: call %ld (%s): status %d, %ld allocations and %ld mappings are left\n", rank, failing_call,
					inject.failed_call ? inject.failed_call : "none", status, inject_n_live - n_live, inject_n_mapped - n_mapped);
				has_failed = 1;
			}
		n_live = inject_n_live > n_live ? inject_n_live : n_live;
		n_mapped = inject_n_mapped > n_mapped ? inject_n_mapped : n_mapped;
		MPI_Allreduce(MPI_IN_PLACE, &has_failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
		if (!has_next)
			break;
	}
	if (!has_failed && !rank)
		printf("%s %s on %d ranks: %ld calls, %ld of them failed a run\n", argv[1], argv[2], size, failing_call, n_failed);
	MPI_Finalize();
	return has_failed;
}
