/* Start of ranks through the MPI launcher, and supervision of the launcher by a parent process if there is a time limit: Open MPI's
 * launcher waits forever when ranks exit while they connect to it. */
#include "exec/spawn.h"
#include "run/launch.h"
#include "support/buf.h"
#include "support/thread.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Return the number of cores that this process may use; 0 if unknown. */
static int available_cores(void)
{
	cpu_set_t affinity;
	return sched_getaffinity(0, sizeof affinity, &affinity) ? 0 : CPU_COUNT(&affinity);
}

int sr_spawn_threads_instead(const struct sr_run_options *o, int n)
{
	int cores = available_cores();
	bool concerns_ranks = o->devices_per_rank || o->device_ranks || o->placement || o->ranks_per_node || o->selection ||
			   !o->shared_segment || o->interpret || strcmp(o->launcher, SR_LAUNCHER) != 0;
	return concerns_ranks || n > SR_MAX_DEVICES_PER_RANK || n <= cores ? 0 : cores;
}

/* Return the command line of the launcher, allocated in `arena`, and set its environment. */
static const char **launcher_command(const char *launcher, int n, char *const *arguments, struct sr_arena *arena)
{
	char self[4096];
	size_t k = 0, m = 0;
	while (arguments[m])
		m++;
	const char **argv = SR_NEW_ARRAY(arena, const char *, m + 5);
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	self[length > 0 ? length : 0] = 0;
	argv[k++] = launcher;
	if (sr_launch_is_open_mpi()) {
		argv[k++] = "--oversubscribe";
		setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
		setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
		setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 1);
		/* Do not let libevent use epoll: Open MPI's launcher would print its warnings if ranks exit while the launcher
		 * still forwards its input. */
		setenv("EVENT_NOEPOLL", "1", 0);
		/* Open MPI binds each of at most two ranks to one core, which all threads of a rank would share. Unbound ranks
		 * divide the node's cores among themselves. */
		if (available_cores() / 2 >= n) {
			setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
			setenv("PRTE_MCA_hwloc_default_binding_policy", "none", 0);
		}
	}
	argv[k++] = "-np";
	argv[k++] = sr_printf(arena, "%d", n);
	argv[k++] = length > 0 ? sr_strdup(arena, self) : arguments[0];
	for (size_t i = 1; i < m; i++)
		argv[k++] = arguments[i];
	return argv;
}

/* Start argv in a child process with the signal mask *mask. It is sent SIGTERM if this process dies. Return its process id, or -1
 * with errno set. */
static pid_t start_child(char *const *argv, const sigset_t *mask)
{
	int ends[2], error = 0;
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid_t child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		sigprocmask(SIG_SETMASK, mask, NULL);
		execvp(argv[0], argv);
		error = errno;
		_exit(write(ends[1], &error, sizeof error) == sizeof error ? SR_USAGE : SR_INTERNAL);
	}
	if (child < 0)
		error = errno;
	close(ends[1]);
	if (child > 0 && read(ends[0], &error, sizeof error) == sizeof error)
		waitpid(child, NULL, 0);
	close(ends[0]);
	errno = error;
	return error ? -1 : child;
}

/* Wait for the child until `deadline`, in seconds of sr_now, and forward the signals of `awaited` to it except those of the
 * terminal, which sends them to both processes. Return true if the child has ended, with the status *status of waitpid. */
static bool wait_for_child(pid_t child, const sigset_t *awaited, double deadline, int *status)
{
	while (waitpid(child, status, WNOHANG) != child) {
		siginfo_t info;
		double left = deadline - sr_now();
		if (left <= 0)
			return false;
		struct timespec limit = {.tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
		int number = sigtimedwait(awaited, &info, &limit);
		if (number > 0 && number != SIGCHLD && info.si_code != SI_KERNEL)
			kill(child, number);
	}
	return true;
}

/* Run the launcher in a child process until it ends or `timeout` seconds and some more are over. Returns only on failure. */
static enum sr_status supervise(const char **argv, int n, double timeout, struct sr_diags *diags)
{
	/* Time for ranks, which start later than this process, to end by themselves, and for the launcher to end after SIGTERM. */
	double grace_s = 5 + 0.05 * n, term_s = 2, deadline = sr_now() + timeout + grace_s;
	sigset_t awaited, mask;
	int status;
	sigemptyset(&awaited);
	static const int numbers[] = {SIGCHLD, SIGHUP, SIGINT, SIGTERM};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaddset(&awaited, numbers[i]);
	sigprocmask(SIG_BLOCK, &awaited, &mask);
	pid_t child = start_child((char *const *)(uintptr_t)argv, &mask);
	if (child >= 0 && wait_for_child(child, &awaited, deadline, &status))
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	if (child >= 0) {
		kill(child, SIGTERM);
		if (!wait_for_child(child, &awaited, sr_now() + term_s, &status)) {
			kill(child, SIGKILL);
			waitpid(child, &status, 0);
		}
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return child < 0 ? SR_USAGE
			 : sr_error(diags, SR_TIMEOUT, (struct sr_src_loc){0},
				    "the time limit of %g s (--timeout) is over, and %s did not end in the %g s after it", timeout, argv[0],
				    grace_s);
}

enum sr_status sr_spawn_ranks(const char *launcher, int n, char *const *arguments, double timeout, struct sr_diags *diags)
{
	const char **argv = launcher_command(launcher, n, arguments, diags->arena);
	enum sr_status status = SR_USAGE;
	if (timeout > 0)
		status = supervise(argv, n, timeout, diags);
	else
		execvp(argv[0], (char *const *)(uintptr_t)argv);
	if (status != SR_USAGE)
		return status;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
			"cannot start %s: %s; install the launcher of the MPI that shardrun is built with (Debian: openmpi-bin or "
			"mpich), name it (--launcher), or start the ranks yourself",
			launcher, strerror(errno));
}
