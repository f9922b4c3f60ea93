/* Progress output from signal handlers: lines are formatted without stdio and written by one write call. */
#include "exec/progress.h"
#include "support/knobs/knobs.h"
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define CLEAR_LINE "\r\033[K" /* terminal control text: carriage return, and clear the line */
enum { MAX_LINE_LENGTH = 512 };
static const double first_delay_s = 2; /* seconds before the first output; shorter work prints nothing */

/* State of progress output, one per process, as there is one timer. The signal handler may see fields of different updates: at
 * worst it prints a pass of the previous phase. */
static struct {
	enum sr_progress_mode mode; /* output mode; NONE: no output */
	bool is_reporter;
	int fd;
	double start, interval, next;
	volatile bool is_suspended, is_line_shown;
	/* Fields below are also read by the heartbeat thread. */
	const char *_Atomic phase, *_Atomic unit, *_Atomic object;
	_Atomic int64_t i, n;
} progress = {.mode = SR_PROGRESS_NONE};

struct line {
	char text[MAX_LINE_LENGTH];
	size_t n;
};

static void append_text(struct line *l, const char *text)
{
	size_t n = strlen(text), space = sizeof l->text - l->n;
	n = n < space ? n : space;
	memcpy(l->text + l->n, text, n);
	l->n += n;
}

static void put_number(struct line *l, int64_t x)
{
	char digits[24], *p = digits + sizeof digits - 1;
	*p = 0;
	do
		*--p = (char)('0' + x % 10);
	while ((x /= 10) > 0);
	append_text(l, p);
}

static void put_position(struct line *l, const struct sr_device *d)
{
	const char *unit = progress.unit, *object = progress.object;
	if (unit && progress.n) {
		append_text(l, ", ");
		append_text(l, unit);
		append_text(l, " ");
		put_number(l, progress.i);
		append_text(l, " of ");
		put_number(l, progress.n);
	}
	if (object) {
		append_text(l, ": ");
		append_text(l, object);
	}
	int64_t current = d ? sr_relaxed_load(d->current) : -1;
	if (current >= 0) {
		const struct sr_instr *instr = sr_program_instrs(d->program) + current;
		append_text(l, ": ");
		append_text(l, sr_program_string(d->program, instr->op));
		append_text(l, " at ");
		append_text(l, sr_program_string(d->program, instr->place));
	}
}

/* Append text that must fit: drop the end of the line if there is no space left. */
static void put_end(struct line *l, const char *text)
{
	size_t n = strlen(text);
	l->n = l->n < sizeof l->text - n ? l->n : sizeof l->text - n;
	append_text(l, text);
}

static void write_line(int fd, const struct line *l)
{
	int saved_errno = errno;
	ssize_t n_written = write(fd, l->text, l->n);
	(void)n_written;
	errno = saved_errno;
}

static void redraw_line(void)
{
	struct line l = {.n = 0};
	append_text(&l, CLEAR_LINE);
	write_line(progress.fd, &l);
}

/* Print the current position. Line wrapping is disabled: the terminal cuts the line at its edge, and the next output overwrites
 * it. */
void sr_progress_draw(const struct sr_device *d)
{
	static const char line_start[] = "\r\033[?7l", line_end[] = "\033[K\033[?7h";
	struct line l = {.n = 0};
	bool redraws = progress.mode == SR_PROGRESS_LINE;
	double now = sr_now();
	if (now < progress.next)
		return;
	progress.next = now + progress.interval;
	if (progress.is_suspended)
		return;
	append_text(&l, redraws ? line_start : "");
	append_text(&l, "shardrun: ");
	put_number(&l, (int64_t)(now - progress.start));
	append_text(&l, " s: ");
	append_text(&l, progress.phase);
	put_position(&l, d);
	put_end(&l, redraws ? line_end : "\n");
	write_line(progress.fd, &l);
	progress.is_line_shown = redraws;
}

void sr_progress_print_final(const char *const *why, const struct sr_device *d)
{
	struct line l = {.n = 0};
	append_text(&l, progress.is_line_shown ? CLEAR_LINE : "");
	for (; *why; why++)
		append_text(&l, *why);
	append_text(&l, " after ");
	put_number(&l, (int64_t)(sr_now() - progress.start));
	append_text(&l, " s: ");
	append_text(&l, progress.phase ? progress.phase : "starting");
	put_position(&l, d);
	put_end(&l, "\n");
	write_line(STDERR_FILENO, &l);
	progress.is_line_shown = false;
}

void sr_progress_print_lines(const char *lines)
{
	static const char clear_line[] = CLEAR_LINE;
	struct iovec buffers[] = {{(void *)(uintptr_t)clear_line, progress.is_line_shown ? sizeof clear_line - 1 : 0},
				{(void *)(uintptr_t)lines, strlen(lines)}};
	ssize_t n_written = writev(STDERR_FILENO, buffers, 2);
	(void)n_written;
	progress.is_suspended = true;
	progress.is_line_shown = false;
}

struct sr_progress_position sr_progress_read(void)
{
	return (struct sr_progress_position){progress.phase, progress.i, progress.n};
}

double sr_progress_due(void)
{
	double wait_s = progress.next - sr_now();
	if (progress.mode == SR_PROGRESS_NONE || !progress.is_reporter)
		return -1;
	return wait_s > 0 ? wait_s : 0;
}

bool sr_progress_is_terminal(int fd)
{
	const char *kind = sr_env("TERM");
	return isatty(fd) && kind && *kind && strcmp(kind, "dumb");
}

void sr_progress_begin(enum sr_progress_mode mode, double interval, int fd, bool is_reporter)
{
	if (mode == SR_PROGRESS_AUTO)
		mode = sr_progress_is_terminal(fd) ? SR_PROGRESS_LINE : SR_PROGRESS_LOG;
	bool redraws = mode == SR_PROGRESS_LINE;
	progress.mode = mode;
	progress.is_reporter = is_reporter;
	progress.fd = fd;
	progress.start = sr_now();
	progress.interval = interval > 0 ? interval : redraws ? 1 : 60;
	progress.next = progress.start + (interval <= 0 && redraws ? first_delay_s : progress.interval);
	progress.is_suspended = true;
	progress.is_line_shown = false;
}

void sr_progress_set_position(const char *unit, int64_t i, int64_t n, const char *object)
{
	progress.unit = unit;
	progress.i = i;
	progress.n = n;
	progress.object = object;
}

void sr_progress_phase(const char *phase)
{
	sr_progress_set_position(NULL, 0, 0, NULL);
	progress.phase = phase;
	progress.is_suspended = false;
}

void sr_progress_compiling(const char *pass, int i, int n)
{
	sr_progress_phase("compiling");
	sr_progress_set_position("pass", i, n, pass);
}

void sr_progress_clear(void)
{
	if (progress.is_line_shown)
		redraw_line();
	progress.is_line_shown = false;
}

void sr_progress_suspend(void)
{
	progress.is_suspended = true;
}

/* Clear the line and stop progress output. Launchers forward standard error and standard output independently, so wait until the
 * cleared line has arrived before other output. */
void sr_progress_stop(void)
{
	bool waits_for_reader = progress.is_line_shown && !isatty(progress.fd);
	sr_progress_suspend();
	sr_progress_clear();
	if (waits_for_reader)
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

void sr_progress_clear_for_error(void)
{
	sr_progress_stop();
	if (progress.mode == SR_PROGRESS_LINE && !progress.is_reporter && sr_now() >= progress.next)
		redraw_line();
}

void sr_progress_end(void)
{
	sr_progress_stop();
	progress.mode = SR_PROGRESS_NONE;
}
