/* Implementation of teams: the last thread of a team to arrive executes the program on all of its devices; the others sleep. */
#include "run/device_team.h"
#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum { CHECK_MS = 50 }; /* milliseconds after which a sleeping thread checks again whether the other devices have failed */

struct sr_device_team {
	struct sr_device *devices;
	int n;
	pthread_mutex_t lock;                /* protects the fields below */
	pthread_cond_t ended;                /* signalled when an execution has ended */
	int n_arrived;                         /* number of threads that wait for the next execution to begin */
	uint64_t executions;                 /* number of executions that have ended */
};

static void team_free(struct sr_device_team *team)
{
	pthread_mutex_destroy(&team->lock);
	pthread_cond_destroy(&team->ended);
	free(team);
}

static struct sr_device_team *team_new(struct sr_device *devices, int n)
{
	struct sr_device_team *team = calloc(1, sizeof *team);
	if (!team)
		return NULL;
	pthread_mutex_init(&team->lock, NULL);
	pthread_cond_init(&team->ended, NULL);
	team->devices = devices;
	team->n = n;
	return team;
}

bool sr_device_teams_new(struct sr_device *devices, int n, int n_threads)
{
	for (int i = 0, first = 0; i < n_threads; i++) {
		int end = (int)((int64_t)n * (i + 1) / n_threads);
		struct sr_device_team *team = team_new(devices + first, end - first);
		if (!team) {
			sr_device_teams_free(devices, first);
			return false;
		}
		for (; first < end; first++)
			devices[first].team = team;
	}
	return true;
}

void sr_device_teams_free(struct sr_device *devices, int n)
{
	/* Visit the devices in reverse order: a team is freed at its first device, when its other devices no longer refer to it. */
	for (int k = n - 1; k >= 0; k--) {
		if (devices[k].team && devices[k].team->devices == &devices[k])
			team_free(devices[k].team);
		devices[k].team = NULL;
	}
}

/* Sleep until the execution number `n_executions` has ended; the lock is held. Set x->status if it will not begin, since others
 * have failed. */
static void wait_for_execution(struct sr_device_team *team, struct sr_execution_context *x, uint64_t n_executions)
{
	while (team->executions == n_executions) {
		struct timespec deadline;
		clock_gettime(CLOCK_REALTIME, &deadline);
		deadline.tv_nsec += CHECK_MS * 1000000L;
		deadline.tv_sec += deadline.tv_nsec / 1000000000L;
		deadline.tv_nsec %= 1000000000L;
		int wait_error = pthread_cond_timedwait(&team->ended, &team->lock, &deadline);
		if (wait_error != ETIMEDOUT || team->executions != n_executions || !team->n_arrived)
			continue;
		enum sr_status status = x->device->transport ? sr_transport_broken_status(x->device->transport) : SR_OK;
		if (status) {
			team->n_arrived--;
			x->status = status;
			return;
		}
	}
}

enum sr_status sr_device_team_execute(struct sr_device_team *team, struct sr_execution_context *x)
{
	pthread_mutex_lock(&team->lock);
	uint64_t n_executions = team->executions;
	bool is_last = ++team->n_arrived == team->n;
	if (is_last) {
		team->n_arrived = 0; /* the execution has begun, so no thread waits for its beginning */
		pthread_mutex_unlock(&team->lock);
		/* contexts are in the order of the devices */
		sr_execute_together(x - (x->device - team->devices), team->n);
		pthread_mutex_lock(&team->lock);
		team->executions++;
		pthread_cond_broadcast(&team->ended);
	} else {
		wait_for_execution(team, x, n_executions);
	}
	pthread_mutex_unlock(&team->lock);
	return x->status;
}
