/* Start of ranks through the MPI launcher. */
#include "exec/spawn.h"
#include "run/launch.h"
#include "support/buf.h"
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int sr_spawn_threads_instead(const struct sr_run_options *o, int n)
{
	cpu_set_t affinity;
	int cores = sched_getaffinity(0, sizeof affinity, &affinity) ? 0 : CPU_COUNT(&affinity);
	bool concerns_ranks = o->devices_per_rank || o->device_ranks || o->placement || o->ranks_per_node || o->selection ||
			   !o->shared_segment || o->interpret || strcmp(o->launcher, SR_LAUNCHER) != 0;
	return concerns_ranks || n > SR_MAX_DEVICES_PER_RANK || n <= cores ? 0 : cores;
}

enum sr_status sr_spawn_ranks(const char *launcher, int n, char *const *arguments, struct sr_diags *diags)
{
	char self[4096];
	size_t k = 0, m = 0;
	while (arguments[m])
		m++;
	const char **argv = SR_NEW_ARRAY(diags->arena, const char *, m + 5);
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
	}
	argv[k++] = "-np";
	argv[k++] = sr_printf(diags->arena, "%d", n);
	argv[k++] = length > 0 ? self : arguments[0];
	for (size_t i = 1; i < m; i++)
		argv[k++] = arguments[i];
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
			"cannot start %s: %s; install the launcher of the MPI that shardrun is built with (Debian: openmpi-bin or "
			"mpich), name it (--launcher), or start the ranks yourself",
			launcher, strerror(errno));
}
