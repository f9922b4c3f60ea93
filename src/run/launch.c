/* Implementation of the launch by MPI. Waiting ranks sleep between polls, since there may be more ranks than cores. */
#include "run/launch.h"
#include "collectives/transport/node_key.h"
#include "run/launcher.h"
#include "support/buf.h"
#include "support/checked.h"
#include "support/clock.h"
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
	sr_relaxed_store(l->is_waiting, true);
}

static void end_wait(struct sr_launch *l)
{
	sr_relaxed_store(l->is_waiting, false);
	sr_relaxed_increment(l->n_waits);
}

static bool is_aborted(const struct sr_launch *l)
{
	return sr_abort_read(&l->abort) != 0;
}

/* Return true if the MPI call succeeded. Otherwise set the abort word, since other ranks may wait for this one, and mark requests as
 * pending, since MPI may have begun the operation. */
static bool succeeds(struct sr_launch *l, int code)
{
	if (code == MPI_SUCCESS)
		return true;
	atomic_store(&l->abort.has_pending, true);
	sr_abort_failed(&l->abort);
	return false;
}

/* Wait for the request of an MPI call that returned `code`: spin, then yield, then sleep for increasing times. Ranks that agree
 * before each execution arrive at about the same time; ranks that wait for a compilation leave the cores to it. Returns false if
 * the launch is aborted. */
static bool wait_for(struct sr_launch *l, int code, MPI_Request *request)
{
	enum { SPINS = 100, YIELDS = 200 };
	int is_done = 0;
	double start = l->wait_limit > 0 ? sr_now() : 0;
	struct timespec nap = {.tv_nsec = 10000};
	if (!succeeds(l, code))
		return false;
	begin_wait(l);
	for (int polls = 0; succeeds(l, MPI_Test(request, &is_done, MPI_STATUS_IGNORE)) && !is_done && !is_aborted(l); polls++) {
		if (polls < SPINS)
			continue;
		if (polls < SPINS + YIELDS) {
			sched_yield();
			continue;
		}
		nanosleep(&nap, NULL);
		nap.tv_nsec = nap.tv_nsec < 2000000 ? nap.tv_nsec * 5 / 4 : nap.tv_nsec;
		if (l->wait_limit > 0 && sr_now() - start > l->wait_limit)
			sr_abort_set(&l->abort, sr_abort_make(SR_ABORT_STALLED, -1));
	}
	end_wait(l);
	if (!is_done)
		atomic_store(&l->abort.has_pending, true);
	return is_done;
}

/* Return true if only the thread that initialized MPI may call it. This library calls MPI from several threads at the same time, so
 * any thread level below MPI_THREAD_MULTIPLE counts as MPI_THREAD_FUNNELED. */
static bool is_funneled(void)
{
	int thread_level = MPI_THREAD_SINGLE;
	return MPI_Query_thread(&thread_level) != MPI_SUCCESS || thread_level < MPI_THREAD_MULTIPLE;
}

/* Duplicate the communicator, so that messages of this library cannot match others. Collective. The original keeps its error
 * handler. */
static enum sr_status set_communicator(struct sr_launch *l, MPI_Comm comm, struct sr_diags *diags)
{
	MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
	MPI_Request request = MPI_REQUEST_NULL;
	bool succeeded = succeeds(l, MPI_Comm_rank(comm, &l->rank)) && succeeds(l, MPI_Comm_size(comm, &l->size));
	l->abort.rank = l->rank;
	l->is_funneled = is_funneled();
	if (succeeded && MPI_Comm_get_errhandler(comm, &handler) == MPI_SUCCESS)
		(void)MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	succeeded = succeeded && wait_for(l, MPI_Comm_idup(comm, comm_of(l), &request), &request);
	l->mpi = succeeded;
	if (handler != MPI_ERRHANDLER_NULL) {
		(void)MPI_Comm_set_errhandler(comm, handler);
		(void)MPI_Errhandler_free(&handler);
	}
	succeeded = succeeded && succeeds(l, MPI_Comm_set_errhandler(*comm_of(l), MPI_ERRORS_RETURN));
	return succeeded ? SR_OK : sr_launch_report_abort(l, SR_OK, diags);
}

/* Set all members to zero, except those that the caller of sr_launch_begin sets, which are copied from `settings`. */
static void reset(struct sr_launch *l, const struct sr_launch *settings)
{
	void (*report)(void *data, enum sr_status status, const struct sr_diags *diags) = settings->report;
	void *data = settings->data;
	double wait_limit = settings->wait_limit;
	bool wants_threads = settings->wants_threads;
	memset(l, 0, sizeof *l);
	l->size = 1;
	l->report = report;
	l->data = data;
	l->wait_limit = wait_limit;
	l->wants_threads = wants_threads;
}

enum sr_status sr_launch_begin(struct sr_launch *l, struct sr_diags *diags, bool runs, bool allow_singleton)
{
	int n = sr_launcher_ranks(), thread;
	enum sr_status status;
	allow_singleton = allow_singleton || !runs;
	reset(l, l);
	if (!sr_launch_is_launched() || (!runs && n < 2))
		return n > 1 && !allow_singleton ? sr_launcher_report_singleton(diags, n) : SR_OK;
	status = sr_launcher_check(diags);
	if (status)
		return status;
	if (MPI_Init_thread(NULL, NULL, l->wants_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &thread) != MPI_SUCCESS)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "cannot initialize MPI");
	l->owns_mpi = true;
	status = set_communicator(l, MPI_COMM_WORLD, diags);
	if (status)
		return status;
	return l->size == 1 && n > 1 && !allow_singleton ? sr_launcher_report_singleton(diags, n) : SR_OK;
}

static bool is_main_thread(void)
{
	int is_main = 0;
	return MPI_Is_thread_main(&is_main) == MPI_SUCCESS && is_main;
}

bool sr_launch_may_call_mpi(const struct sr_launch *l)
{
	return !l->is_funneled || is_main_thread();
}

enum sr_status sr_launch_join(struct sr_launch *l, const void *comm, struct sr_diags *diags)
{
	int started = 0, finished = 0;
	if (MPI_Initialized(&started) != MPI_SUCCESS || MPI_Finalized(&finished) != MPI_SUCCESS)
		return sr_error(diags, SR_INTERNAL, (struct sr_src_loc){0}, "MPI does not say whether it is initialized");
	if (finished)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "MPI is already finalized");
	if (!started)
		return comm ? sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "a communicator is given, but MPI is not initialized")
			    : sr_launch_begin(l, diags, true, false);
	reset(l, l);
	if (is_funneled() && !is_main_thread())
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
				"MPI was initialized for calls from its main thread, and this is another one (MPI_Init_thread)");
	return set_communicator(l, comm ? *(const MPI_Comm *)comm : MPI_COMM_WORLD, diags);
}

enum sr_status sr_launch_subset(struct sr_launch *l, const struct sr_launch *parent, const int *ranks, int n,
				struct sr_diags *diags)
{
	MPI_Group all, subset;
	MPI_Comm comm = MPI_COMM_NULL;
	MPI_Comm of = *comm_of((struct sr_launch *)(uintptr_t)parent);
	reset(l, parent);
	if (!succeeds(l, MPI_Comm_group(of, &all)))
		return sr_launch_report_abort(l, SR_OK, diags);
	bool succeeded = succeeds(l, MPI_Group_incl(all, n, ranks, &subset));
	if (succeeded) {
		succeeded = succeeds(l, MPI_Comm_create_group(of, subset, n, &comm));
		(void)MPI_Group_free(&subset);
	}
	(void)MPI_Group_free(&all);
	enum sr_status status = succeeded ? set_communicator(l, comm, diags) : sr_launch_report_abort(l, SR_OK, diags);
	if (comm != MPI_COMM_NULL)
		(void)MPI_Comm_free(&comm);
	return status;
}

void sr_launch_leave(struct sr_launch *l, double grace, void (*on_timeout)(void *data), void *data)
{
	MPI_Request request = MPI_REQUEST_NULL;
	const struct timespec nap = {.tv_nsec = 1000000};
	int is_done = 0;
	double start = sr_now();
	if (!l->mpi || is_aborted(l) || !succeeds(l, MPI_Ibarrier(*comm_of(l), &request)))
		return;
	while (succeeds(l, MPI_Test(&request, &is_done, MPI_STATUS_IGNORE)) && !is_done && sr_now() - start < grace)
		nanosleep(&nap, NULL);
	if (is_done || is_aborted(l))
		return;
	on_timeout(data);
	(void)wait_for(l, MPI_SUCCESS, &request);
}

const void *sr_launch_comm(const struct sr_launch *l)
{
	return l->mpi ? &l->comm : NULL;
}

struct abort_report {
	struct sr_launch *l;
	enum sr_status status;
	struct sr_diags *diags;
};

static enum sr_status report_abort(void *data)
{
	const struct abort_report *r = data;
	char text[128];
	sr_abort_text(sr_abort_read(&r->l->abort), text, sizeof text);
	return sr_error(r->diags, r->status, (struct sr_src_loc){0}, "%s", text);
}

enum sr_status sr_launch_report_abort(struct sr_launch *l, enum sr_status status, struct sr_diags *diags)
{
	struct abort_report r = {l, sr_abort_status(sr_abort_read(&l->abort)), diags};
	if (!r.status)
		return status;
	if (!status && diags && !diags->first)
		(void)sr_arena_guarded(diags->arena, report_abort, &r);
	status = status ? status : r.status;
	if (status && l->report)
		l->report(l->data, status, diags);
	return status;
}

/* Reduce n values (n is at most the capacity) from exchanged[0] to exchanged[1]. */
static bool reduce(struct sr_launch *l, int n, MPI_Op op)
{
	MPI_Request request = MPI_REQUEST_NULL;
	return !is_aborted(l) && wait_for(l, MPI_Iallreduce(l->exchanged[0], l->exchanged[1], n, MPI_UINT64_T, op, *comm_of(l), &request), &request);
}

/* Agree on a status: ranks first find the lowest rank that failed and its status; then they wait until it has printed its
 * messages. */
enum sr_status sr_launch_agree(struct sr_launch *l, enum sr_status status, struct sr_diags *diags)
{
	enum { STATUS_BITS = 8 };
	uint64_t own_report = status ? (uint64_t)l->rank << STATUS_BITS | (uint64_t)status : UINT64_MAX, first = own_report;
	MPI_Request request = MPI_REQUEST_NULL;
	if (is_aborted(l))
		return sr_launch_report_abort(l, status, diags);
	if (l->mpi) {
		l->exchanged[0][0] = own_report;
		if (!reduce(l, 1, MPI_MIN))
			return sr_launch_report_abort(l, status, diags);
		first = l->exchanged[1][0];
	}
	if (first == UINT64_MAX)
		return SR_OK;
	if (l->report)
		l->report(l->data, status, first == own_report ? diags : NULL);
	if (l->mpi)
		(void)wait_for(l, MPI_Ibcast(l->exchanged[0], 1, MPI_UINT64_T, (int)(first >> STATUS_BITS), *comm_of(l), &request), &request);
	return (enum sr_status)(first & ((1u << STATUS_BITS) - 1));
}

void sr_launch_max(struct sr_launch *l, uint64_t *x, int n)
{
	enum { MAX_VALUES = sizeof l->exchanged[0] / sizeof l->exchanged[0][0] };
	for (int at = 0, n_chunk; l->mpi && at < n; at += n_chunk) {
		n_chunk = n - at < MAX_VALUES ? n - at : MAX_VALUES;
		memcpy(l->exchanged[0], x + at, (size_t)n_chunk * sizeof *x);
		if (reduce(l, n_chunk, MPI_MAX))
			memcpy(x + at, l->exchanged[1], (size_t)n_chunk * sizeof *x);
	}
}

void sr_launch_min_max(struct sr_launch *l, uint64_t x, uint64_t *min_value, uint64_t *max_value)
{
	uint64_t bounds[2] = {~x, x};
	sr_launch_max(l, bounds, 2);
	*min_value = ~bounds[0];
	*max_value = bounds[1];
}

bool sr_launch_all_equal(struct sr_launch *l, uint64_t x)
{
	uint64_t min_value, max_value;
	sr_launch_min_max(l, x, &min_value, &max_value);
	return min_value == max_value;
}

/* Broadcast at most SR_LAUNCH_CHUNK bytes. Other ranks than 0 get zeros after an abort. */
static void broadcast_chunk(struct sr_launch *l, void *data, uint64_t n)
{
	MPI_Request request = MPI_REQUEST_NULL;
	bool succeeded = false;
	if (!is_aborted(l)) {
		if (!l->rank)
			memcpy(l->chunk, data, n);
		succeeded = wait_for(l, MPI_Ibcast(l->chunk, (int)n, MPI_BYTE, 0, *comm_of(l), &request), &request);
	}
	if (l->rank && succeeded)
		memcpy(data, l->chunk, n);
	else if (l->rank)
		memset(data, 0, n);
}

void sr_launch_broadcast(struct sr_launch *l, void *data, uint64_t n)
{
	for (uint64_t at = 0, chunk_bytes; l->mpi && at < n; at += chunk_bytes) {
		chunk_bytes = n - at < SR_LAUNCH_CHUNK ? n - at : SR_LAUNCH_CHUNK;
		broadcast_chunk(l, (char *)data + at, chunk_bytes);
	}
}

enum { GATHER_CHUNK = 1 << 14 }; /* bytes per message on the way to rank 0 */
_Static_assert((int)GATHER_CHUNK <= (int)SR_LAUNCH_CHUNK, "a message of sr_launch_gather fits in sr_launch.chunk");

/* Return the first rank after the subtree of rank r in the binomial tree: r plus its lowest set bit. */
static int end_of_subtree(const struct sr_launch *l, int r)
{
	int bit = r & -r;
	return !r || l->size - r < bit ? l->size : r + bit;
}

/* In the binomial tree with rank 0 at its root, return the child of rank r whose subtree contains rank `root`. */
static int child_towards(int r, int root)
{
	int step = 1;
	while (step <= (root - r) / 2)
		step *= 2;
	return r + step;
}

/* Gather by a binomial tree: each rank sends its own block and forwards those of its subtree, in order of rank and in chunks. Rank
 * 0 has connections to log2(size) other ranks, no rank buffers more than a chunk, and n is not limited to an int as in
 * MPI_Gather. */
void sr_launch_gather(struct sr_launch *l, const void *own_data, void *out, uint64_t n)
{
	int parent = l->rank & (l->rank - 1);
	bool succeeded = l->mpi && !is_aborted(l);
	if (!l->rank)
		memcpy(out, own_data, n);
	for (int r = l->rank ? l->rank : 1; succeeded && r < end_of_subtree(l, l->rank); r++)
		for (uint64_t at = 0, chunk_bytes; succeeded && at < n; at += chunk_bytes) {
			MPI_Request receive = MPI_REQUEST_NULL, send = MPI_REQUEST_NULL;
			chunk_bytes = n - at < GATHER_CHUNK ? n - at : GATHER_CHUNK;
			if (r == l->rank)
				memcpy(l->chunk, (const char *)own_data + at, chunk_bytes);
			else
				succeeded = wait_for(l,
						     MPI_Irecv(l->chunk, (int)chunk_bytes, MPI_BYTE, child_towards(l->rank, r), 0,
							       *comm_of(l), &receive),
						     &receive);
			if (succeeded && l->rank)
				succeeded = wait_for(
				    l, MPI_Isend(l->chunk, (int)chunk_bytes, MPI_BYTE, parent, 0, *comm_of(l), &send), &send);
			else if (succeeded)
				memcpy((char *)out + (uint64_t)r * n + at, l->chunk, chunk_bytes);
		}
}

/* Gather by binomial trees, since MPI_Iallgather would connect each rank with each other rank. */
int sr_launch_gather_node(struct sr_launch *l, struct sr_arena *arena, const void *own_data, uint64_t n, const void **all)
{
	int n_on_node = 0;
	uint64_t key = sr_node_key();
	size_t record = sizeof key + n;
	*all = own_data;
	if (!l->mpi || is_aborted(l))
		return 1;
	char *own = sr_alloc(arena, record, 1), *records = sr_alloc(arena, record, (size_t)l->size), *out = sr_alloc(arena, n, (size_t)l->size);
	memcpy(own, &key, sizeof key);
	memcpy(own + sizeof key, own_data, n);
	sr_launch_gather(l, own, records, record);
	sr_launch_broadcast(l, records, record * (uint64_t)l->size);
	if (is_aborted(l))
		return 1;
	for (int r = 0; r < l->size; r++)
		if (!memcmp(records + (size_t)r * record, &key, sizeof key))
			memcpy(out + (size_t)n_on_node++ * n, records + (size_t)r * record + sizeof key, n);
	*all = out;
	return n_on_node;
}

/* A message of sr_launch_send or sr_launch_receive. Several threads may send and receive at the same time. */
struct sr_launch_message {
	struct sr_launch_message *next;
	char data[];
};

/* Allocate a message, or return NULL after setting the abort word. */
static struct sr_launch_message *new_message(struct sr_launch *l, uint64_t n)
{
	struct sr_launch_message *m = malloc(sizeof *m + n);
	if (!m)
		sr_abort_failed(&l->abort);
	return m;
}

/* Free a message, or keep it if MPI may still access it. */
static void end_message(struct sr_launch *l, struct sr_launch_message *m, bool is_done)
{
	if (is_done) {
		free(m);
		return;
	}
	m->next = atomic_load(&l->abandoned);
	while (!atomic_compare_exchange_weak(&l->abandoned, &m->next, m))
		;
}

bool sr_launch_send(struct sr_launch *l, int rank, int tag, const void *data, uint64_t n)
{
	MPI_Request request = MPI_REQUEST_NULL;
	struct sr_launch_message *m = is_aborted(l) ? NULL : new_message(l, n);
	if (!m)
		return false;
	memcpy(m->data, data, n);
	bool is_sent = wait_for(l, MPI_Isend(m->data, (int)n, MPI_BYTE, rank, tag, *comm_of(l), &request), &request);
	end_message(l, m, is_sent);
	return is_sent;
}

bool sr_launch_receive(struct sr_launch *l, int rank, int tag, void *data, uint64_t n)
{
	MPI_Request request = MPI_REQUEST_NULL;
	struct sr_launch_message *m = is_aborted(l) ? NULL : new_message(l, n);
	if (!m)
		return false;
	bool is_received = wait_for(l, MPI_Irecv(m->data, (int)n, MPI_BYTE, rank, tag, *comm_of(l), &request), &request);
	if (is_received)
		memcpy(data, m->data, n);
	end_message(l, m, is_received);
	return is_received;
}

void sr_launch_end(struct sr_launch *l)
{
	if (!l->mpi)
		return;
	l->mpi = false;
	if (is_aborted(l))
		return;
	MPI_Comm_free(comm_of(l));
	begin_wait(l);
	if (l->owns_mpi)
		MPI_Finalize();
	end_wait(l);
}

/* Prevent Open MPI's launcher from printing a page of text for each process that ends early, as versions before 5 do. A variable of
 * its library disables the text; setting it in the environment would also silence errors of MPI_Init. */
static void disable_launcher_message(void)
{
#if defined OPEN_MPI && OMPI_MAJOR_VERSION < 5
	bool *orte_quiet = dlsym(RTLD_DEFAULT, "orte_execute_quiet");
	if (orte_quiet)
		*orte_quiet = true;
#endif
}

/* Return true for Open MPI before version 5, whose launcher prints nothing about a nonzero exit status if a process asked for the
 * end of the job. */
bool sr_launch_ends_on_request(const struct sr_launch *l)
{
#if defined OPEN_MPI && OMPI_MAJOR_VERSION < 5
	const char *size = sr_env("OMPI_COMM_WORLD_SIZE");
	return l->mpi && l->owns_mpi && size && atoi(size) == l->size;
#else
	(void)l;
	return false;
#endif
}

void sr_launch_request_end(enum sr_status status)
{
	disable_launcher_message();
	MPI_Abort(MPI_COMM_WORLD, (int)status);
}

/* End the job with `status`: all ranks request the end, so that none is killed by the launcher. */
void sr_launch_exit(struct sr_launch *l, enum sr_status status)
{
	MPI_Request request = MPI_REQUEST_NULL;
	if (l->mpi && status && (is_aborted(l) || sr_launch_ends_on_request(l))) {
		fflush(NULL);
		if (!is_aborted(l))
			(void)wait_for(l, MPI_Ibarrier(*comm_of(l), &request), &request);
		sr_launch_request_end(status);
	}
	sr_launch_end(l);
}

/* Abort the job from one rank. Often all ranks fail with equal messages, and the launcher takes a second to end them: higher ranks
 * wait longer, so that only one prints. */
void sr_launch_abort(struct sr_launch *l, enum sr_status status, struct sr_diags *diags)
{
	int delay_steps = l->rank < 4 ? l->rank : 4;
	if (l->mpi)
		nanosleep(&(struct timespec){.tv_sec = delay_steps * 3 / 2, .tv_nsec = delay_steps % 2 * 500000000}, NULL);
	if (l->report)
		l->report(l->data, status, diags);
	disable_launcher_message();
	if (l->mpi)
		MPI_Abort(MPI_COMM_WORLD, (int)status);
}
