/* Signals and the time limit. Handlers do what is allowed there: unlink, write, _exit. */
#include "exec/watch.h"
#include "exec/temporary.h"
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
	char *segments[MOST_SEGMENTS]; /* paths of MPI's shared memory */
	volatile int n_segments;
} watch;

static void say(const char *text)
{
	ssize_t n = write(STDERR_FILENO, text, strlen(text));
	(void)n;
}

static void say_limit(void)
{
	const struct sr_device *d = watch.device;
	int64_t current = d ? d->current : -1;
	say("shardrun: error: the time limit of ");
	say(watch.limit);
	say(" s (--timeout) is over");
	if (current >= 0) {
		const struct sr_step *s = sr_program_steps(d->program) + current;
		say(" in ");
		say(sr_program_string(d->program, s->op));
		say(" at ");
		say(sr_program_string(d->program, s->place));
	}
	say("\n");
}

static void on_signal(int number)
{
	if (number == SIGXFSZ)
		return; /* the write fails, and is reported there */
	sr_temporaries_remove();
	for (int i = 0; i < watch.n_segments; i++)
		unlink(watch.segments[i]);
	if (number == SIGALRM) {
		if (watch.speaks)
			say_limit();
		_exit(SR_TIMEOUT);
	}
	if (!watch.speaks) /* Open MPI kills all ranks as soon as one has ended: the one that has files to remove goes first */
		nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
	signal(number, SIG_DFL);
	raise(number);
}

/* A launcher ends all ranks when the first one fails: the others wait a little, so that the one which speaks is heard. */
static void arm(double seconds)
{
	struct itimerval timer = {
		.it_value = {.tv_sec = (time_t)seconds, .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
	if (seconds > 0 && !timer.it_value.tv_sec && !timer.it_value.tv_usec)
		timer.it_value.tv_usec = 1;
	setitimer(ITIMER_REAL, &timer, NULL);
}

void sr_watch_begin(double timeout, bool launched, bool speaks)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigfillset(&action.sa_mask);
	watch.device = NULL;
	watch.speaks = speaks;
	snprintf(watch.limit, sizeof watch.limit, "%g", timeout);
	for (int i = 0; i < N_CAUGHT; i++)
		sigaction(caught[i], &action, &watch.before[i]);
	if (launched)
		prctl(PR_SET_PDEATHSIG, SIGTERM); /* a launcher that was killed tells nobody */
	if (timeout > 0)
		arm(speaks ? timeout : timeout + 2);
}

/* Open MPI's launcher removes what it knows of, but not when it is told twice to end. The whole job goes, so nobody wants them
 * any more. */
void sr_watch_segments(void)
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

void sr_watch_device(const struct sr_device *device)
{
	watch.device = device;
}

void sr_watch_end(void)
{
	arm(0);
	watch.device = NULL;
	for (int i = 0; i < N_CAUGHT; i++)
		sigaction(caught[i], &watch.before[i], NULL);
	while (watch.n_segments)
		free(watch.segments[--watch.n_segments]);
}
