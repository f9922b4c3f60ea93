/* Signal handlers, the time limit, and the timer of progress output. Handlers call only async-signal-safe functions: unlink, write,
 * _exit. */
#include "exec/watch.h"
#include "exec/progress.h"
#include "io/temporary.h"
#include "run/heartbeat.h"
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

static const int caught_signals[] = {SIGHUP, SIGINT, SIGTERM, SIGALRM, SIGXFSZ};
enum { N_CAUGHT_SIGNALS = sizeof caught_signals / sizeof *caught_signals, MAX_SEGMENTS = 256, HANDLER_STACK_BYTES = 64 << 10 };

/* State of the watch. There is one per process, since signal handlers are per process. */
static struct {
	struct sigaction old_actions[N_CAUGHT_SIGNALS];
	const struct sr_device *volatile device;
	volatile bool is_reporter;
	char limit[64];
	volatile double deadline; /* end of the time limit, in seconds of sr_now; 0: none */
	/* time by which all ranks must be connected, in seconds of sr_now; 0: they are connected, or there is no limit */
	volatile double start_deadline;
	char *segments[MAX_SEGMENTS]; /* paths of MPI's shared memory files, to be removed */
	volatile int n_segments;
	struct sr_heartbeat *heartbeat;
	pthread_t request_thread;
	const struct sr_launch *launch; /* launch of this process; NULL: MPI is not initialized */
	sem_t wake; /* wakes the request thread, which then asks the launcher to end the job, or ends if is_ending */
	volatile bool has_request_thread, is_ending;
	volatile bool is_stalled; /* true if the heartbeat thread found the run stalled */
} watch;

/* Main function of the request thread: ask the launcher to end the job, which a signal handler may not do. */
static void *request_end(void *unused)
{
	(void)unused;
	while (sem_wait(&watch.wake))
		;
	if (!watch.is_ending)
		sr_launch_request_end(SR_TIMEOUT);
	return NULL;
}

static void start_request_thread(void)
{
	sem_init(&watch.wake, 0, 0);
	watch.is_ending = false;
	watch.has_request_thread = sr_thread_begin(&watch.request_thread, request_end, NULL);
}

static void stop_request_thread(void)
{
	if (!watch.has_request_thread)
		return;
	watch.has_request_thread = false;
	watch.is_ending = true;
	sem_post(&watch.wake);
	pthread_join(watch.request_thread, NULL);
	sem_destroy(&watch.wake);
}

/* Called by a signal handler: end the job when a limit has expired. This process exits after 2 seconds even if the request
 * thread is not done: the interrupted code may hold locks that the request thread needs. */
static _Noreturn void end_by_time(void)
{
	if (watch.has_request_thread) {
		sem_post(&watch.wake);
		nanosleep(&(struct timespec){.tv_sec = 2}, NULL);
	}
	_exit(SR_TIMEOUT);
}

/* Write the message about the expired time limit with one write call. */
static void print_limit(void)
{
	if (watch.start_deadline > 0 && sr_now() >= watch.start_deadline) {
		static const char *const message[] = {"shardrun: error: no progress (--stall-timeout): MPI does not start, since a rank does "
						    "not come or cannot be reached,",
						    NULL};
		sr_progress_print_final(message, NULL);
		return;
	}
	sr_progress_print_final((const char *const[]){"shardrun: error: the time limit of ", watch.limit, " s (--timeout) is over", NULL}, watch.device);
}

static void print_signal(int number)
{
	const char *name = number == SIGHUP ? "SIGHUP" : number == SIGINT ? "SIGINT" : "SIGTERM";
	sr_progress_print_final((const char *const[]){"shardrun: ended by ", name, NULL}, watch.device);
}

/* Return the time when the run must end, in seconds of sr_now; 0: never. */
static double end_time(void)
{
	bool is_starting = watch.start_deadline > 0 && (watch.deadline <= 0 || watch.start_deadline < watch.deadline);
	return is_starting ? watch.start_deadline : watch.deadline;
}

/* Set the timer to the next event: the end of the run or progress output. */
static void set_timer(void)
{
	double due = sr_progress_due(), remaining_s = end_time() - sr_now();
	bool has_event = end_time() > 0 || due >= 0;
	double seconds = end_time() > 0 && (due < 0 || remaining_s < due) ? remaining_s : due;
	struct itimerval timer = {{0}, {0}};
	if (has_event && seconds > 0) {
		timer.it_value.tv_sec = (time_t)seconds;
		timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
	}
	if (has_event && !timer.it_value.tv_sec && !timer.it_value.tv_usec)
		timer.it_value.tv_usec = 1;
	setitimer(ITIMER_REAL, &timer, NULL);
}

static bool is_over(void)
{
	return end_time() > 0 && sr_now() >= end_time();
}

static void remove_files(void)
{
	sr_temporaries_remove();
	for (int i = 0; i < watch.n_segments; i++)
		unlink(watch.segments[i]);
}

/* End this process because the run is stalled. Called by the heartbeat thread, since the main thread may never return and the
 * launcher may not react either. */
static _Noreturn void end_stalled_run(const char *message)
{
	watch.is_reporter = false;
	watch.is_stalled = true;
	watch.deadline = sr_now() + 3;
	set_timer();
	sr_progress_print_lines(message);
	remove_files();
	if (sr_launch_ends_on_request(watch.launch))
		sr_launch_request_end(SR_TIMEOUT);
	_exit(SR_TIMEOUT);
}

static void on_signal(int number)
{
	if (number == SIGXFSZ)
		return; /* the write call that exceeds the file size limit fails with EFBIG, and its caller reports the error */
	if (number == SIGALRM && !is_over()) {
		sr_progress_draw(watch.device);
		set_timer();
		return;
	}
	signal(SIGPIPE, SIG_IGN); /* the process that reads standard output may have ended, which raises SIGPIPE */
	if (watch.is_reporter && number == SIGALRM)
		print_limit();
	else if (watch.is_reporter)
		print_signal(number);
	remove_files();
	if (number == SIGALRM && watch.is_stalled)
		_exit(SR_TIMEOUT);
	if (number == SIGALRM)
		end_by_time();
	/* Open MPI kills all ranks as soon as one exits: let the reporter exit first, since it has files to remove. */
	if (!watch.is_reporter)
		nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
	signal(number, SIG_DFL);
	raise(number);
}

/* Install the signal handlers and start the time limit. Launchers end all ranks when the first one fails, so ranks that do not
 * print get two seconds more. System calls are restarted after progress output. */
void sr_watch_begin(double timeout, bool launched, bool is_reporter)
{
	static char handler_stack[HANDLER_STACK_BYTES];
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK};
	sigfillset(&action.sa_mask);
	if (!sigaltstack(&(stack_t){.ss_sp = handler_stack, .ss_size = sizeof handler_stack}, NULL))
		sr_thread_keep_signals(caught_signals, N_CAUGHT_SIGNALS);
	watch.device = NULL;
	watch.is_reporter = is_reporter;
	watch.is_stalled = false;
	watch.start_deadline = 0;
	snprintf(watch.limit, sizeof watch.limit, "%g", timeout);
	for (int i = 0; i < N_CAUGHT_SIGNALS; i++) {
		sigaction(caught_signals[i], &action, &watch.old_actions[i]);
		/* a signal that was ignored before stays ignored, as nohup requires */
		if (caught_signals[i] != SIGALRM && watch.old_actions[i].sa_handler == SIG_IGN)
			sigaction(caught_signals[i], &watch.old_actions[i], NULL);
	}
	if (launched)
		prctl(PR_SET_PDEATHSIG, SIGTERM); /* a launcher that is killed cannot notify its ranks */
	watch.deadline = timeout > 0 ? sr_now() + (is_reporter ? timeout : timeout + 2) : 0;
	set_timer();
}

void sr_watch_start(double limit)
{
	enum { MIN_SECONDS = 60 }; /* lower bound of the limit, since many ranks on few cores start slowly */
	double start_limit = limit < MIN_SECONDS ? MIN_SECONDS : limit;
	watch.start_deadline = limit > 0 ? sr_now() + (watch.is_reporter ? start_limit : start_limit + 2) : 0;
	set_timer();
}

/* Find the shared memory files of MPI. Open MPI's launcher removes these files, but not if it is asked twice to end; the entire job
 * ends, so no process needs them then. */
static void find_segments(void)
{
	static const char *const kinds[] = {"/vader_segment.", "/sm_segment."};
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[8192];
	while (maps && fgets(line, sizeof line, maps)) {
		char *path = strchr(line, '/');
		line[strcspn(line, "\n")] = 0;
		for (size_t i = 0; path && i < sizeof kinds / sizeof *kinds; i++)
			if (strstr(path, kinds[i]) && watch.n_segments < MAX_SEGMENTS &&
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
	if (watch.deadline > 0 && watch.is_reporter && sr_launch_ends_on_request(l))
		start_request_thread();
}

static struct sr_phase read_phase(void)
{
	struct sr_progress_position position = sr_progress_read();
	return (struct sr_phase){position.phase, position.i, position.n};
}

void sr_watch_ranks(struct sr_client *client, double limit)
{
	if (limit > 0)
		watch.heartbeat = sr_heartbeat_begin(client, &(struct sr_heartbeat_options){limit, end_stalled_run, read_phase});
	watch.start_deadline = 0;
	set_timer();
}

void sr_watch_devices(const struct sr_device *devices, int n)
{
	watch.device = devices;
	sr_heartbeat_watch_devices(watch.heartbeat, devices, n);
}

void sr_watch_end(void)
{
	sr_heartbeat_end(watch.heartbeat);
	watch.heartbeat = NULL;
	sr_progress_end();
	watch.deadline = watch.start_deadline = 0;
	set_timer();
	stop_request_thread();
	watch.device = NULL;
	for (int i = 0; i < N_CAUGHT_SIGNALS; i++)
		sigaction(caught_signals[i], &watch.old_actions[i], NULL);
	sr_thread_keep_signals(NULL, 0);
	sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
	while (watch.n_segments)
		free(watch.segments[--watch.n_segments]);
}
