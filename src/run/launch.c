/* The launch over MPI. Waiting ranks sleep between polls, since there may be more ranks than cores. */
#include "run/launch.h"
#include "run/launcher.h"
#include "support/buf.h"
#include "support/checked.h"
#include "support/knobs/knobs.h"
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(MPI_Comm) <= sizeof((struct sr_launch *)0)->comm, "struct sr_launch has room for it");

static MPI_Comm *comm_of(struct sr_launch *l)
{
	return (MPI_Comm *)(void *)&l->comm;
}

static void begin_wait(struct sr_launch *l)
{
	sr_relaxed_store(l->waits, true);
}

static void end_wait(struct sr_launch *l)
{
	sr_relaxed_store(l->waits, false);
	sr_relaxed_increment(l->waited);
}

/* Collective: duplicate the communicator, so that our messages match no others. */
static void set_communicator(struct sr_launch *l, MPI_Comm comm)
{
	int level = MPI_THREAD_SINGLE;
	l->mpi = true;
	MPI_Query_thread(&level);
	l->is_funneled = level < MPI_THREAD_MULTIPLE;
	MPI_Comm_dup(comm, comm_of(l));
	MPI_Comm_rank(*comm_of(l), &l->rank);
	MPI_Comm_size(*comm_of(l), &l->size);
}

enum sr_status sr_launch_begin(struct sr_launch *l, struct sr_diags *diags, bool runs, bool allow_singleton)
{
	int n = sr_launcher_ranks(), thread;
	enum sr_status status;
	allow_singleton = allow_singleton || !runs;
	*l = (struct sr_launch){.size = 1, .tell = l->tell, .data = l->data, .wants_threads = l->wants_threads};
	if (!sr_launch_is_launched() || (!runs && n < 2))
		return n > 1 && !allow_singleton ? sr_launcher_report_singleton(diags, n) : SR_OK;
	status = sr_launcher_check(diags);
	if (status)
		return status;
	unsigned made = sr_launcher_prepare();
	bool fails = MPI_Init_thread(NULL, NULL, l->wants_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &thread);
	sr_launcher_restore(made);
	if (fails)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "cannot initialize MPI");
	l->started = true;
	set_communicator(l, MPI_COMM_WORLD);
	return l->size == 1 && n > 1 && !allow_singleton ? sr_launcher_report_singleton(diags, n) : SR_OK;
}

enum sr_status sr_launch_join(struct sr_launch *l, const void *comm, struct sr_diags *diags)
{
	int started = 0, finished = 0;
	MPI_Initialized(&started);
	MPI_Finalized(&finished);
	if (finished)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "MPI is already finalized");
	if (!started)
		return comm ? sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "a communicator is given, but MPI is not initialized")
			    : sr_launch_begin(l, diags, true, false);
	*l = (struct sr_launch){.size = 1, .tell = l->tell, .data = l->data, .wants_threads = l->wants_threads};
	set_communicator(l, comm ? *(const MPI_Comm *)comm : MPI_COMM_WORLD);
	return SR_OK;
}

/* Wait for a request: spin, then yield, then sleep for growing times. Ranks that agree before each execution arrive at about the
 * same time; ranks that wait for a compilation leave the cores to it. */
static void wait_for(struct sr_launch *l, MPI_Request *request)
{
	enum { SPINS = 100, YIELDS = 200 };
	int done = 0;
	struct timespec nap = {.tv_nsec = 10000};
	begin_wait(l);
	for (int polls = 0; MPI_Test(request, &done, MPI_STATUS_IGNORE), !done; polls++) {
		if (polls < SPINS)
			continue;
		if (polls < SPINS + YIELDS) {
			sched_yield();
			continue;
		}
		nanosleep(&nap, NULL);
		nap.tv_nsec = nap.tv_nsec < 2000000 ? nap.tv_nsec * 5 / 4 : nap.tv_nsec;
	}
	end_wait(l);
}

bool sr_launch_may_call_mpi(const struct sr_launch *l)
{
	int is_main = 0;
	if (!l->is_funneled)
		return true;
	return MPI_Is_thread_main(&is_main) == MPI_SUCCESS && is_main;
}

const void *sr_launch_comm(const struct sr_launch *l)
{
	return l->mpi ? &l->comm : NULL;
}

enum sr_status sr_launch_agree(struct sr_launch *l, enum sr_status status, struct sr_diags *diags)
{
	int mine = status ? l->rank : l->size, first = mine, code = (int)status;
	MPI_Request request;
	if (l->mpi) {
		MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, *comm_of(l), &request);
		wait_for(l, &request);
	}
	if (first < l->size && l->tell)
		l->tell(l->data, status, first == l->rank && status ? diags : NULL);
	begin_wait(l);
	if (l->mpi && first < l->size)
		MPI_Bcast(&code, 1, MPI_INT, first, *comm_of(l));
	end_wait(l);
	return first < l->size ? (enum sr_status)code : SR_OK;
}

void sr_launch_max(struct sr_launch *l, uint64_t *x, int n)
{
	MPI_Request request;
	if (!l->mpi)
		return;
	MPI_Iallreduce(MPI_IN_PLACE, x, n, MPI_UINT64_T, MPI_MAX, *comm_of(l), &request);
	wait_for(l, &request);
}

void sr_launch_min_max(struct sr_launch *l, uint64_t x, uint64_t *least, uint64_t *most)
{
	uint64_t both[2] = {~x, x};
	sr_launch_max(l, both, 2);
	*least = ~both[0];
	*most = both[1];
}

bool sr_launch_all_equal(struct sr_launch *l, uint64_t x)
{
	uint64_t least, most;
	sr_launch_min_max(l, x, &least, &most);
	return least == most;
}

int sr_launch_gather_node(struct sr_launch *l, struct sr_arena *arena, const void *mine, uint64_t n, const void **all)
{
	MPI_Comm node;
	int here = 1;
	*all = mine;
	begin_wait(l);
	bool fails = !l->mpi || MPI_Comm_split_type(*comm_of(l), MPI_COMM_TYPE_SHARED, l->rank, MPI_INFO_NULL, &node);
	end_wait(l);
	if (fails)
		return 1;
	MPI_Comm_size(node, &here);
	void *out = sr_alloc(arena, n, (size_t)here);
	begin_wait(l);
	MPI_Allgather(mine, (int)n, MPI_BYTE, out, (int)n, MPI_BYTE, node);
	end_wait(l);
	MPI_Comm_free(&node);
	*all = out;
	return here;
}

void sr_launch_broadcast(struct sr_launch *l, void *data, uint64_t n)
{
	for (uint64_t at = 0; l->mpi && at < n;) {
		uint64_t chunk = n - at < (1u << 30) ? n - at : 1u << 30;
		MPI_Request request;
		MPI_Ibcast((char *)data + at, (int)chunk, MPI_BYTE, 0, *comm_of(l), &request);
		wait_for(l, &request);
		at += chunk;
	}
}

enum { GATHER_CHUNK = 1 << 14 }; /* bytes per message on the way to rank 0 */

/* Return the first rank behind the subtree that sends through rank r, which is r plus its lowest bit. */
static int end_of_subtree(const struct sr_launch *l, int r)
{
	int bit = r & -r;
	return !r || l->size - r < bit ? l->size : r + bit;
}

/* Return the child of rank r, in a binomial tree with rank 0 at its root, through which rank `from` sends. */
static int child_towards(int r, int from)
{
	int step = 1;
	while (step <= (from - r) / 2)
		step *= 2;
	return r + step;
}

/* Each rank sends its own block and forwards those of its subtree, in order of rank and in chunks. Rank 0 has connections to
 * log2(size) others, no rank buffers more than a chunk, and n is not limited to an int as in MPI_Gather. */
void sr_launch_gather(struct sr_launch *l, const void *mine, void *out, uint64_t n)
{
	char chunk[GATHER_CHUNK];
	int parent = l->rank & (l->rank - 1);
	const char *own = mine;
	if (!l->rank)
		memcpy(out, mine, n);
	begin_wait(l);
	for (int r = l->rank; l->mpi && r < end_of_subtree(l, l->rank); r++)
		for (uint64_t at = 0, some; at < n; at += some) {
			some = n - at < sizeof chunk ? n - at : sizeof chunk;
			char *to = l->rank ? chunk : (char *)out + (uint64_t)r * n + at;
			if (r != l->rank)
				MPI_Recv(to, (int)some, MPI_BYTE, child_towards(l->rank, r), 0, *comm_of(l), MPI_STATUS_IGNORE);
			if (l->rank)
				MPI_Send(r == l->rank ? own + at : to, (int)some, MPI_BYTE, parent, 0, *comm_of(l));
			sr_relaxed_increment(l->waited);
		}
	end_wait(l);
}

void sr_launch_end(struct sr_launch *l)
{
	if (!l->mpi)
		return;
	MPI_Comm_free(comm_of(l));
	l->mpi = false;
	begin_wait(l);
	if (l->started)
		MPI_Finalize();
	end_wait(l);
}

/* Before version 5 each process of a job that ends early makes Open MPI's launcher print a page of text. A variable of its
 * library disables it; setting it in the environment would also silence errors of MPI_Init. */
static void end_quietly(void)
{
#if defined OPEN_MPI && OMPI_MAJOR_VERSION < 5
	bool *quiet = dlsym(RTLD_DEFAULT, "orte_execute_quiet");
	if (quiet)
		*quiet = true;
#endif
}

/* Launchers explain a nonzero exit status. Open MPI's (before version 5) does not if a process asked for the end. */
bool sr_launch_ends_on_request(const struct sr_launch *l)
{
#if defined OPEN_MPI && OMPI_MAJOR_VERSION < 5
	const char *size = sr_env("OMPI_COMM_WORLD_SIZE");
	return l->mpi && l->started && size && atoi(size) == l->size;
#else
	(void)l;
	return false;
#endif
}

void sr_launch_request_end(enum sr_status status)
{
	end_quietly();
	MPI_Abort(MPI_COMM_WORLD, (int)status);
}

/* All ranks ask, so that none is killed by the launcher. */
void sr_launch_exit(struct sr_launch *l, enum sr_status status)
{
	if (status && sr_launch_ends_on_request(l)) {
		fflush(NULL);
		begin_wait(l);
		MPI_Barrier(*comm_of(l));
		sr_launch_request_end(status);
	}
	sr_launch_end(l);
}

/* Often all ranks fail alike, and the launcher takes a second to end them: higher ranks wait longer, so that one prints. */
void sr_launch_abort(struct sr_launch *l, enum sr_status status, struct sr_diags *diags)
{
	int turn = l->rank < 4 ? l->rank : 4;
	if (l->mpi)
		nanosleep(&(struct timespec){.tv_sec = turn * 3 / 2, .tv_nsec = turn % 2 * 500000000}, NULL);
	if (l->tell)
		l->tell(l->data, status, diags);
	end_quietly();
	if (l->mpi)
		MPI_Abort(MPI_COMM_WORLD, (int)status);
}
