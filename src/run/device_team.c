#include "run/device_team.h"
#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum { CHECK_MS = 50 }; /* milliseconds after which a sleeping thread checks again whether the other devices have failed */

struct sr_device_team {
	struct sr_device *devices;
	int n;
	struct sr_instr_position *positions; /* [n] */
	enum sr_status *statuses;            /* status of each device in the last execution; length: number of devices */
	pthread_mutex_t lock;                /* protects the members below */
	pthread_cond_t ended;                /* signalled when an execution has ended */
	int arrived;                         /* number of threads that wait for the next execution to begin */
	uint64_t executions;                 /* number of executions that have ended */
};

static void team_free(struct sr_device_team *team)
{
	pthread_mutex_destroy(&team->lock);
	pthread_cond_destroy(&team->ended);
	free(team->positions);
	free(team->statuses);
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
	team->positions = calloc((size_t)n, sizeof *team->positions);
	team->statuses = calloc((size_t)n, sizeof *team->statuses);
	if (!team->positions || !team->statuses) {
		team_free(team);
		return NULL;
	}
	for (int k = 0; k < n; k++)
		team->positions[k].measures_times = true;
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
	/* From the last device to the first: a team is freed with its first device, so that the other devices can still read it. */
	for (int k = n - 1; k >= 0; k--) {
		if (devices[k].team && devices[k].team->devices == &devices[k])
			team_free(devices[k].team);
		devices[k].team = NULL;
	}
}

/* Sleep until execution number `seen` has ended; the caller holds the lock. Returns a status if the execution will not begin
 * because other devices have failed. */
static enum sr_status wait_for_execution(struct sr_device_team *team, struct sr_device *d, uint64_t seen)
{
	while (team->executions == seen) {
		struct timespec until;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += CHECK_MS * 1000000L;
		until.tv_sec += until.tv_nsec / 1000000000L;
		until.tv_nsec %= 1000000000L;
		int late = pthread_cond_timedwait(&team->ended, &team->lock, &until);
		if (late != ETIMEDOUT || team->executions != seen || !team->arrived)
			continue;
		enum sr_status status = d->transport ? sr_transport_broken_status(d->transport) : SR_OK;
		if (status) {
			team->arrived--;
			return status;
		}
	}
	return team->statuses[d - team->devices];
}

enum sr_status sr_device_team_step(struct sr_device_team *team, struct sr_device *d)
{
	pthread_mutex_lock(&team->lock);
	uint64_t seen = team->executions;
	bool is_last = ++team->arrived == team->n;
	enum sr_status status;
	if (is_last) {
		team->arrived = 0; /* the execution has begun, so no thread waits for its beginning */
		pthread_mutex_unlock(&team->lock);
		sr_execute_together(team->devices, team->n, team->positions, team->statuses);
		pthread_mutex_lock(&team->lock);
		team->executions++;
		pthread_cond_broadcast(&team->ended);
		status = team->statuses[d - team->devices];
	} else {
		status = wait_for_execution(team, d, seen);
	}
	pthread_mutex_unlock(&team->lock);
	return status;
}
