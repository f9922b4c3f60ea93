/* Groups of processes. A program whose devices are all of this process runs on a client without MPI, independently of other
 * processes. Any other program runs on a group of the processes that its devices belong to, with a communicator of its own; these
 * processes open it, and begin its programs, in the same order. */
#include "pjrt/pjrt.h"
#include "run/heartbeat.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>

bool sr_pjrt_group_close(struct sr_pjrt_group *g)
{
	sr_pjrt_close_unused(g);
	sr_heartbeat_end(g->heartbeat);
	if (g->is_open)
		sr_client_close(&g->client);
	if (g->is_begun)
		sr_launch_end(&g->client.launch);
	if (atomic_load(&g->client.launch.abort.has_pending))
		return false;
	sr_arena_free(g->arena);
	pthread_mutex_destroy(&g->lock);
	free(g->rank_of_device);
	free(g->processes);
	return true;
}

PJRT_Error *sr_pjrt_group_init(struct sr_pjrt_group *g)
{
	pthread_mutex_init(&g->lock, NULL);
	g->client.launch.size = 1;
	g->arena = sr_arena_new();
	if (!g->arena)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	sr_diags_init(&g->diags, g->arena);
	return NULL;
}

PJRT_Error *sr_pjrt_group_open(PJRT_Client *c, struct sr_pjrt_group *g)
{
	const struct sr_client_options options = {.devices_per_rank = SR_DEVICES_ALL, .features = UINT64_MAX,
						  .rank_of_device = g->rank_of_device,
						  .n_listed = g->n_devices};
	enum sr_status status = SR_OK;
	if (g->is_open)
		return NULL;
	if (g->n_processes) {
		status = sr_launch_subset(&g->client.launch, &c->launch, g->processes, g->n_processes, &g->diags);
		g->is_begun = true;
	}
	if (!status)
		status = sr_client_open(&g->client, &options, g->arena, &g->diags);
	if (!status && g->n_processes > 1)
		g->heartbeat = sr_heartbeat_begin(&g->client, &(struct sr_heartbeat_options){.limit = c->launch.wait_limit});
	g->client.recorder = &sr_pjrt_recorder;
	g->is_open = !status;
	PJRT_Error *error = sr_pjrt_status_error(status, &g->diags);
	sr_diags_clear(&g->diags);
	return error;
}

/* ---- finding ---- */

/* List the processes of n devices in ascending order, and the rank of each device's process in that list. */
static bool list_processes(const PJRT_Client *c, const int *assignment, int n, struct sr_pjrt_group *g)
{
	int *ranks = calloc((size_t)c->n_processes, sizeof *ranks); /* maps a process to 1 + its rank */
	g->rank_of_device = calloc((size_t)n, sizeof *g->rank_of_device);
	g->processes = calloc((size_t)c->n_processes, sizeof *g->processes);
	bool ok = ranks && g->rank_of_device && g->processes;
	for (int i = 0; ok && i < n; i++)
		ranks[c->devices[assignment[i]].description.process] = 1;
	for (int p = 0; ok && p < c->n_processes; p++)
		if (ranks[p]) {
			g->processes[g->n_processes++] = p;
			ranks[p] = g->n_processes;
		}
	for (int i = 0; ok && i < n; i++)
		g->rank_of_device[i] = ranks[c->devices[assignment[i]].description.process] - 1;
	g->n_devices = n;
	free(ranks);
	return ok;
}

static bool are_equal_groups(const struct sr_pjrt_group *a, const struct sr_pjrt_group *b)
{
	return a->n_devices == b->n_devices && a->n_processes == b->n_processes &&
	       !memcmp(a->processes, b->processes, sizeof *a->processes * (size_t)a->n_processes) &&
	       !memcmp(a->rank_of_device, b->rank_of_device, sizeof *a->rank_of_device * (size_t)a->n_devices);
}

static struct sr_pjrt_group *find_or_add_group(PJRT_Client *c, struct sr_pjrt_group *g)
{
	pthread_mutex_lock(&c->lock);
	struct sr_pjrt_group *group = c->groups;
	while (group && !are_equal_groups(group, g))
		group = group->next;
	if (!group) {
		g->next = c->groups;
		c->groups = g;
	}
	pthread_mutex_unlock(&c->lock);
	return group ? group : g;
}

PJRT_Error *sr_pjrt_group_of(PJRT_Client *c, const int *assignment, int n, struct sr_pjrt_group **out)
{
	bool is_local = true;
	for (int i = 0; i < n; i++)
		is_local = is_local && c->devices[assignment[i]].local_index >= 0;
	*out = &c->process_group;
	if (is_local)
		return NULL;
	struct sr_pjrt_group *g = calloc(1, sizeof *g);
	PJRT_Error *error = g ? sr_pjrt_group_init(g) : sr_pjrt_message_error(SR_NO_MEMORY, "");
	if (!error && !list_processes(c, assignment, n, g))
		error = sr_pjrt_message_error(SR_NO_MEMORY, "");
	if (!error)
		*out = find_or_add_group(c, g);
	if (g && *out != g) {
		(void)sr_pjrt_group_close(g); /* not begun */
		free(g);
	}
	return error;
}
