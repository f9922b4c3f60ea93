/* The launch over MPI. Ranks that wait for rank 0 sleep between looks, since there may be more ranks than cores. */
#include "exec/launch.h"
#include "support/buf.h"
#include "support/checked.h"
#include "support/knobs.h"
#include <errno.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static MPI_Comm all_comm, device_comm;

/* Variables that launchers set for each process they start. */
static const char *const launchers[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_SIZE"};

bool sr_launch_is_launched(void)
{
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
		if (sr_env(launchers[i]))
			return true;
	return false;
}

static int number(const char *name)
{
	const char *text = sr_env(name);
	return text ? atoi(text) : 0;
}

/* How many processes the job was asked to have, as far as variables tell. */
static int wanted(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (number(names[i]) > 1)
			return number(names[i]);
	return sr_env("SLURM_PROCID") ? number("SLURM_NTASKS") : 0;
}

static enum sr_status singleton(struct sr_launch *l, struct sr_diags *diags, int n)
{
	bool slurm = sr_env("SLURM_PROCID") != NULL;
	bool first = !slurm || number("SLURM_PROCID") == 0;
	l->rank = 0;
	if (!first) /* one of N processes speaks */
		return SR_USAGE;
	if (slurm)
		return sr_error(diags, SR_USAGE, (struct sr_place){0},
				"this process is alone, but the job has %d tasks: MPI did not connect them. Start with `srun --mpi=pmix -n %d shardrun ...` (`srun --mpi=list` shows what is there) or `mpirun -np %d shardrun ...`; --allow-singleton runs it alone",
				n, n, n);
	return sr_error(diags, SR_USAGE, (struct sr_place){0},
			"this process is alone, but %d were started: the launcher belongs to another MPI than the one shardrun is built with; --allow-singleton runs it alone",
			n);
}

enum sr_status sr_launch_begin(struct sr_launch *l, struct sr_diags *diags, bool allow_singleton)
{
	int n = wanted(), thread, threads = 0;
	*l = (struct sr_launch){.size = 1};
	if (!sr_launch_is_launched())
		return n > 1 && !allow_singleton ? singleton(l, diags, n) : SR_OK;
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &thread))
		return sr_error(diags, SR_USAGE, (struct sr_place){0}, "MPI cannot be started");
	(void)threads;
	l->mpi = true;
	MPI_Comm_dup(MPI_COMM_WORLD, &all_comm);
	MPI_Comm_rank(all_comm, &l->rank);
	MPI_Comm_size(all_comm, &l->size);
	if (l->size == 1 && n > 1 && !allow_singleton)
		return singleton(l, diags, n);
	return SR_OK;
}

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static void wait_for(MPI_Request *request)
{
	int done = 0;
	for (MPI_Test(request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(request, &done, MPI_STATUS_IGNORE))
		nap();
}

enum sr_status sr_launch_agree(struct sr_launch *l, enum sr_status status, struct sr_diags *diags)
{
	int mine = status ? l->rank : l->size, first = mine, code = (int)status;
	MPI_Request request;
	if (l->mpi) {
		MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, all_comm, &request);
		wait_for(&request);
	}
	if (first == l->rank && status) {
		sr_diags_print(diags, stderr);
		fflush(stderr);
	}
	if (l->mpi && first < l->size)
		MPI_Bcast(&code, 1, MPI_INT, first, all_comm);
	return first < l->size ? (enum sr_status)code : SR_OK;
}

enum sr_status sr_launch_devices(struct sr_launch *l, int n)
{
	l->spare = l->rank >= n;
	if (!l->mpi)
		return SR_OK;
	if (MPI_Comm_split(all_comm, l->spare, l->rank, &device_comm))
		return SR_INTERNAL;
	l->comm = &device_comm;
	return SR_OK;
}

void sr_launch_broadcast(struct sr_launch *l, void *data, uint64_t n)
{
	for (uint64_t at = 0; l->mpi && at < n;) {
		uint64_t chunk = n - at < (1u << 30) ? n - at : 1u << 30;
		MPI_Request request;
		MPI_Ibcast((char *)data + at, (int)chunk, MPI_BYTE, 0, all_comm, &request);
		wait_for(&request);
		at += chunk;
	}
}

void sr_launch_gather(struct sr_launch *l, const void *mine, void *out, uint64_t n)
{
	if (!l->mpi)
		memcpy(out, mine, n);
	else
		MPI_Gather(mine, (int)n, MPI_BYTE, out, (int)n, MPI_BYTE, 0, all_comm);
}

void sr_launch_barrier(struct sr_launch *l)
{
	if (l->mpi)
		MPI_Barrier(device_comm);
}

void sr_launch_end(struct sr_launch *l)
{
	if (!l->mpi)
		return;
	if (l->comm)
		MPI_Comm_free(&device_comm);
	MPI_Comm_free(&all_comm);
	MPI_Finalize();
}

void sr_launch_abort(struct sr_launch *l, enum sr_status status, struct sr_diags *diags)
{
	sr_diags_print(diags, stderr);
	fflush(stderr);
	if (l->mpi)
		MPI_Abort(MPI_COMM_WORLD, (int)status);
	_exit((int)status);
}

enum sr_status sr_launch_spawn(int n, char *const *arguments, struct sr_diags *diags)
{
	char count[16], self[4096];
	char *argv[1024];
	int k = 0, fd;
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	snprintf(count, sizeof count, "%d", n);
	argv[k++] = "mpirun";
#ifdef OPEN_MPI
	argv[k++] = "--oversubscribe";
	setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
	setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
	setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 1);
#endif
	argv[k++] = "-np";
	argv[k++] = count;
	if (length > 0) {
		self[length] = 0;
		argv[k++] = self;
	} else {
		argv[k++] = arguments[0];
	}
	for (fd = 1; arguments[fd] && k < 1023; fd++)
		argv[k++] = arguments[fd];
	argv[k] = NULL;
	execvp(argv[0], argv);
	return sr_error(diags, SR_USAGE, (struct sr_place){0}, "mpirun cannot be started: %s; install an MPI's launcher (Debian: openmpi-bin) or start the ranks yourself",
			strerror(errno));
}
