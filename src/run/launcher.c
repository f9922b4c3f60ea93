/* Reading of the environment variables of launchers: Open MPI's mpirun, MPICH's mpiexec, Slurm's srun. */
#include "run/launcher.h"
#include "run/launch.h"
#include "support/buf.h"
#include "support/knobs/knobs.h"
#include <dirent.h>
#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Variables that are set for each process of a job with several processes. */
static const char *const launchers[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK",	      "PMI_SIZE", "PMI_RANK",
					"MPI_LOCALRANKID",	"MV2_COMM_WORLD_SIZE"};

bool sr_launch_is_launched(void)
{
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
		if (sr_env(launchers[i]))
			return true;
	return false;
}

bool sr_launch_is_open_mpi(void)
{
#ifdef OPEN_MPI
	return true;
#else
	return false;
#endif
}

const char *sr_launch_version(struct sr_arena *arena)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING];
	int n;
	MPI_Get_library_version(text, &n);
	return sr_strndup(arena, text, strcspn(text, "\n"));
}

bool sr_launch_is_reporter(void)
{
	static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
	for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
		if (sr_env(ranks[i]))
			return !strcmp(sr_env(ranks[i]), "0");
	return true;
}

static int env_number(const char *name)
{
	const char *text = sr_env(name);
	return text ? atoi(text) : 0;
}

int sr_launcher_ranks(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (env_number(names[i]) > 1)
			return env_number(names[i]);
	return sr_env("SLURM_PROCID") ? env_number("SLURM_NTASKS") : 0;
}

int sr_launcher_tasks(const char *list, int node)
{
	for (char *p = (char *)(uintptr_t)list; p && *p; p += *p == ',') {
		long tasks = strtol(p, &p, 10), nodes = 1;
		if (!strncmp(p, "(x", 2)) {
			nodes = strtol(p + 2, &p, 10);
			p += *p == ')';
		}
		if (node < nodes)
			return tasks > 0 && tasks < 1000000 ? (int)tasks : 0;
		node -= (int)nodes;
		if (*p && *p != ',')
			return 0;
	}
	return 0;
}

int sr_launcher_node_ranks(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (env_number(names[i]) > 0)
			return env_number(names[i]);
	return sr_env("SLURM_PROCID") ? sr_launcher_tasks(sr_env("SLURM_STEP_TASKS_PER_NODE"), env_number("SLURM_NODEID")) : 0;
}

bool sr_launch_is_single_node(int size)
{
	return sr_launcher_node_ranks() == size;
}

/* ---- messages ---- */

/* Return true if the process was started by srun itself, and not by mpirun on nodes that Slurm allocated. */
static bool is_slurm_step(void)
{
	return sr_env("SLURM_PROCID") && !sr_env("OMPI_COMM_WORLD_SIZE");
}

/* Return the name of the srun plugin (--mpi=...) that connects the ranks of this MPI: the one that the user chose if it is of the
 * right kind. */
static const char *slurm_plugin(void)
{
	const char *given_plugin = sr_env("SLURM_MPI_TYPE"), *needed_plugin = sr_launch_is_open_mpi() ? "pmix" : "pmi2";
	return given_plugin && !strncmp(given_plugin, needed_plugin, strlen(needed_plugin)) ? given_plugin : needed_plugin;
}

static const char *mpirun_command(void)
{
	return sr_launch_is_open_mpi() ? "mpirun -np" : "mpiexec -n";
}

const char *sr_launch_advice(struct sr_arena *arena, int n)
{
	if (is_slurm_step())
		return sr_printf(arena, "`srun --mpi=%s -n %d shardrun ...`", slurm_plugin(), n);
	return sr_printf(arena, "`%s %d shardrun ...` or `shardrun -n %d ...`", mpirun_command(), n, n);
}

enum sr_status sr_launcher_report_singleton(struct sr_diags *diags, int n)
{
	const char *type = sr_env("SLURM_MPI_TYPE");
	struct sr_src_loc no_place = {0};
	if (!sr_launch_is_reporter() || (is_slurm_step() && env_number("SLURM_PROCID")))
		return SR_USAGE;
	if (is_slurm_step() && !sr_env("SLURM_STEP_ID"))
		return sr_error(diags, SR_USAGE, no_place,
				"this process is alone, but the job has %d tasks: neither srun nor mpirun started it. Start with %s, or `%s %d "
				"shardrun ...`; --allow-singleton runs it alone",
				n, sr_launch_advice(diags->arena, n), mpirun_command(), n);
	if (is_slurm_step())
		return sr_error(diags, SR_USAGE, no_place,
				"this process is alone, but the job has %d tasks: srun --mpi=%s does not connect the ranks of %s. Start with %s "
				"(`srun --mpi=list` shows what is there) or `%s %d shardrun ...`; --allow-singleton runs it alone",
				n, type ? type : "none", sr_launch_is_open_mpi() ? "Open MPI" : "this MPI", sr_launch_advice(diags->arena, n),
				mpirun_command(), n);
	return sr_error(diags, SR_USAGE, no_place,
			"this process is alone, but %d were started: the launcher is not that of the MPI that shardrun is built "
			"with (%s). Start the ranks with that MPI's %s or, on one machine, with `shardrun -n %d ...`, or build shardrun "
			"with the launcher's MPI; --allow-singleton runs this process alone",
			n, sr_launch_version(diags->arena), sr_launch_is_open_mpi() ? "mpirun" : "mpiexec", n);
}

/* ---- checks ---- */

#if defined OPEN_MPI && OMPI_MAJOR_VERSION < 5
/* Return true if this Open MPI may have a PMI-2 plugin. Plugins are files beside its library. If no plugin for a process manager is
 * there, plugins are built in, and it may have one for PMI-2. */
static bool supports_pmi2(void)
{
	/* folders of plugins as built by default, and in Debian's packages */
	static const char *const folders[] = {"openmpi", "openmpi3", "openmpi/lib/openmpi3"};
	Dl_info library;
	char path[4096];
	bool has_pmix_plugin = false;
	void *entry = dlsym(RTLD_DEFAULT, "PMPI_Init"); /* in MPI's library; a tool may replace MPI_Init, but not this one */
	if (!entry || !dladdr(entry, &library) || !realpath(library.dli_fname, path) || !strrchr(path, '/'))
		return true;
	char *end = strrchr(path, '/') + 1;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		snprintf(end, sizeof path - (size_t)(end - path), "%s", folders[i]);
		DIR *folder = opendir(path);
		for (const struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder)) {
			has_pmix_plugin = has_pmix_plugin || !strncmp(e->d_name, "mca_pmix_", strlen("mca_pmix_"));
			if (!strncmp(e->d_name, "mca_pmix_s2", strlen("mca_pmix_s2"))) {
				closedir(folder);
				return true;
			}
		}
		if (folder)
			closedir(folder);
	}
	return !has_pmix_plugin;
}
#else
static bool supports_pmi2(void)
{
	return !sr_launch_is_open_mpi();
}
#endif

enum sr_status sr_launcher_check(struct sr_diags *diags)
{
	int n = sr_launcher_ranks();
	if (!is_slurm_step() || sr_env("PMIX_RANK") || !sr_env("PMI_RANK") || supports_pmi2())
		return SR_OK;
	if (!sr_launch_is_reporter())
		return SR_USAGE;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
			"srun --mpi=pmi2 does not connect the ranks of this Open MPI, which knows PMIx alone. Start with %s (`srun --mpi=list` shows "
			"what is there) or `%s %d shardrun ...`",
			sr_launch_advice(diags->arena, n > 1 ? n : 1), mpirun_command(), n > 1 ? n : 1);
}

/* ---- settings for MPI ---- */

#ifdef OPEN_MPI
/* Return the number of cores available to the node's ranks: those of this process, or of its parent if each rank is bound to some
 * of them. */
static int cores_here(void)
{
	cpu_set_t own_mask, parent_mask;
	int n = sched_getaffinity(0, sizeof own_mask, &own_mask) ? 0 : CPU_COUNT(&own_mask);
	int m = sched_getaffinity(getppid(), sizeof parent_mask, &parent_mask) ? 0 : CPU_COUNT(&parent_mask);
	return n > m ? n : m;
}
#endif

int sr_launcher_mpi_settings(const char *const (**out)[2])
{
	static const char *const settings[][2] = {
		/* If all ranks are on one node, messages go through shared memory, so Open MPI need not search for network fabrics,
		 * which takes a third of its startup time. */
		{"OMPI_MCA_pml", "ob1"},
		/* If ranks outnumber cores, Open MPI must yield while waiting, from its first call. Open MPI detects this itself
		 * only under its own mpirun, and there only from the host list. */
		{"OMPI_MCA_mpi_yield_when_idle", "1"},
	};
	int first = 1, end = 1;
#ifdef OPEN_MPI
	int n_on_node = sr_launcher_node_ranks(), cores = cores_here();
	first -= env_number("OMPI_COMM_WORLD_SIZE") > 0 && env_number("OMPI_COMM_WORLD_SIZE") == env_number("OMPI_COMM_WORLD_LOCAL_SIZE");
	end += cores > 0 && n_on_node > cores;
#endif
	*out = settings + first;
	return end - first;
}
