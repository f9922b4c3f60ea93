/* Signals, the time limit, and the timer that draws progress. Handlers do what is allowed there: unlink, write, _exit. */
#include "exec/watch.h"
#include "exec/progress.h"
#include "exec/heartbeat.h"
#include "io/temporary.h"
#include "support/thread.h"
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int caught[] = {SIGHUP, SIGINT, SIGTERM, SIGALRM, SIGXFSZ};
enum { N_CAUGHT = sizeof caught / sizeof *caught, MOST_SEGMENTS = 256 };

/* What the handler needs: a process has one set of handlers, so there is one watch. */
static struct {
	struct sigaction before[N_CAUGHT];
	const struct sr_device *volatile device;
	volatile bool speaks;
	char limit[64];
	volatile double deadline; /* 0: none */
	volatile double starting; /* when all ranks are to have met; 0: they have, or may take their time */
	char *segments[MOST_SEGMENTS]; /* paths of MPI's shared memory */
	volatile int n_segments;
	pthread_t asker;
	const struct sr_launch *launch; /* NULL: MPI is not started */
	sem_t over; /* posted: the asker asks, or ends where the watch does */
	volatile bool asks, ends;
	volatile bool expired; /* no rank goes on */
} watch;

/* A job is ended by a call that a handler may not make: a thread makes it, which waits for that alone. */
static void *ask(void *unused)
{
	(void)unused;
	while (sem_wait(&watch.over))
		;
	if (!watch.ends)
		sr_launch_request_end(SR_TIMEOUT);
	return NULL;
}

static void begin_asker(void)
{
	sem_init(&watch.over, 0, 0);
	watch.ends = false;
	watch.asks = sr_thread_begin(&watch.asker, ask, NULL);
}

static void end_asker(void)
{
	if (!watch.asks)
		return;
	watch.asks = false;
	watch.ends = true;
	sem_post(&watch.over);
	pthread_join(watch.asker, NULL);
	sem_destroy(&watch.over);
}

/* From a handler. What was interrupted may hold what the asker needs: it has a while, and then this process ends as it is. */
static _Noreturn void end_by_time(void)
{
	if (watch.asks) {
		sem_post(&watch.over);
		nanosleep(&(struct timespec){.tv_sec = 2}, NULL);
	}
	_exit(SR_TIMEOUT);
}

/* One line, in one write. */
static void say_limit(void)
{
	if (watch.starting > 0 && sr_now() >= watch.starting) {
		static const char *const words[] = {"shardrun: error: no progress (--stall-timeout): MPI does not start, since a rank does "
						    "not come or cannot be reached,",
						    NULL};
		sr_progress_print_final(words, NULL);
		return;
	}
	sr_progress_print_final((const char *const[]){"shardrun: error: the time limit of ", watch.limit, " s (--timeout) is over", NULL}, watch.device);
}

static void say_signal(int number)
{
	const char *name = number == SIGHUP ? "SIGHUP" : number == SIGINT ? "SIGINT" : "SIGTERM";
	sr_progress_print_final((const char *const[]){"shardrun: ended by ", name, NULL}, watch.device);
}

/* When the run ends, 0: never. */
static double end(void)
{
	bool starts = watch.starting > 0 && (watch.deadline <= 0 || watch.starting < watch.deadline);
	return starts ? watch.starting : watch.deadline;
}

/* One timer, set to what comes first: an end or a line of progress. */
static void arm(void)
{
	double due = sr_progress_due(), left = end() - sr_now();
	bool any = end() > 0 || due >= 0;
	double seconds = end() > 0 && (due < 0 || left < due) ? left : due;
	struct itimerval timer = {{0}, {0}};
	if (any && seconds > 0) {
		timer.it_value.tv_sec = (time_t)seconds;
		timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
	}
	if (any && !timer.it_value.tv_sec && !timer.it_value.tv_usec)
		timer.it_value.tv_usec = 1;
	setitimer(ITIMER_REAL, &timer, NULL);
}

static bool is_over(void)
{
	return end() > 0 && sr_now() >= end();
}

static void clean(void)
{
	sr_temporaries_remove();
	for (int i = 0; i < watch.n_segments; i++)
		unlink(watch.segments[i]);
}

/* On the pulse's thread: what this rank is in may never return. Whoever is asked to end the job may not answer either. */
static _Noreturn void expire(const char *words)
{
	watch.speaks = false;
	watch.expired = true;
	watch.deadline = sr_now() + 3;
	arm();
	sr_progress_print_lines(words);
	clean();
	if (sr_launch_ends_on_request(watch.launch))
		sr_launch_request_end(SR_TIMEOUT);
	_exit(SR_TIMEOUT);
}

static void on_signal(int number)
{
	if (number == SIGXFSZ)
		return; /* the write fails, and is reported there */
	if (number == SIGALRM && !is_over()) {
		sr_progress_draw(watch.device);
		arm();
		return;
	}
	signal(SIGPIPE, SIG_IGN); /* who read what we say may be gone */
	if (watch.speaks && number == SIGALRM)
		say_limit();
	else if (watch.speaks)
		say_signal(number);
	clean();
	if (number == SIGALRM && watch.expired)
		_exit(SR_TIMEOUT);
	if (number == SIGALRM)
		end_by_time();
	if (!watch.speaks) /* Open MPI kills all ranks as soon as one has ended: the one that has files to remove goes first */
		nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
	signal(number, SIG_DFL);
	raise(number);
}

/* A launcher ends all ranks when the first one fails: those that do not speak have two seconds more, so that the one which does is
 * heard. Work goes on after a line of progress, so calls that it interrupts do too. */
void sr_watch_begin(double timeout, bool launched, bool speaks)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	sigfillset(&action.sa_mask);
	watch.device = NULL;
	watch.speaks = speaks;
	watch.expired = false;
	watch.starting = 0;
	snprintf(watch.limit, sizeof watch.limit, "%g", timeout);
	for (int i = 0; i < N_CAUGHT; i++) {
		sigaction(caught[i], &action, &watch.before[i]);
		if (caught[i] != SIGALRM && watch.before[i].sa_handler == SIG_IGN) /* as by nohup */
			sigaction(caught[i], &watch.before[i], NULL);
	}
	if (launched)
		prctl(PR_SET_PDEATHSIG, SIGTERM); /* a launcher that was killed tells nobody */
	watch.deadline = timeout > 0 ? sr_now() + (speaks ? timeout : timeout + 2) : 0;
	arm();
}

void sr_watch_start(double limit)
{
	enum { LEAST = 60 }; /* many ranks on few cores take their time, whatever the limit is for */
	double most = limit < LEAST ? LEAST : limit;
	watch.starting = limit > 0 ? sr_now() + (watch.speaks ? most : most + 2) : 0;
	arm();
}

/* Open MPI's launcher removes what it knows of, but not when it is told twice to end. The whole job goes, so nobody wants them
 * any more. */
static void find_segments(void)
{
	static const char *const kinds[] = {"/vader_segment.", "/sm_segment."};
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[8192];
	while (maps && fgets(line, sizeof line, maps)) {
		char *path = strchr(line, '/');
		line[strcspn(line, "\n")] = 0;
		for (size_t i = 0; path && i < sizeof kinds / sizeof *kinds; i++)
			if (strstr(path, kinds[i]) && watch.n_segments < MOST_SEGMENTS &&
			    (watch.segments[watch.n_segments] = strdup(path)))
				watch.n_segments++;
	}
	if (maps)
		fclose(maps);
}

void sr_watch_launch(const struct sr_launch *l)
{
	watch.launch = l;
	find_segments();
	if (watch.deadline > 0 && watch.speaks && sr_launch_ends_on_request(l))
		begin_asker();
}

void sr_watch_ranks(struct sr_client *client, double limit)
{
	sr_heartbeat_begin(client, limit, expire);
	watch.starting = 0;
	arm();
}

void sr_watch_devices(const struct sr_device *devices, int n)
{
	watch.device = devices;
	sr_heartbeat_watch_devices(devices, n);
}

void sr_watch_end(void)
{
	sr_heartbeat_end();
	sr_progress_end();
	watch.deadline = watch.starting = 0;
	arm();
	end_asker();
	watch.device = NULL;
	for (int i = 0; i < N_CAUGHT; i++)
		sigaction(caught[i], &watch.before[i], NULL);
	while (watch.n_segments)
		free(watch.segments[--watch.n_segments]);
}
