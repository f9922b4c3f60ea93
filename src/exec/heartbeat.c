/* Datagrams between ranks: beats to rank 0, echoes back. All of a job know a number that its datagrams begin with; what does not
 * is none. */
#include "exec/heartbeat.h"
#include "exec/progress.h"
#include "exec/stall.h"
#include "support/thread.h"
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ADDRESSES = 15 };

struct meeting { /* where rank 0 is to be found */
	uint64_t key;
	uint32_t addresses[MOST_ADDRESSES + 1]; /* IPv4, network order; the last: this machine's own */
	int32_t n;                              /* 0: nowhere */
	uint16_t port;
};

struct beat {
	uint64_t key;
	int32_t rank;
	int32_t address; /* that it was sent to */
	int32_t process;
	struct sr_rank_state state;
};

/* A process has one, as it has one watch. */
static struct {
	struct sr_client *client;
	const struct sr_device *_Atomic devices;
	_Atomic int n_devices;
	double limit, period, start;
	struct meeting meeting;
	struct sr_rank_record *ranks;   /* rank 0: [size] */
	struct sr_rank_record self;     /* others: of themselves, and of rank 0 that it answers */
	double echoed;                  /* when rank 0 answered last, or was to begin to; 0: it may never */
	int address;                    /* at which it does; -1: not known */
	int socket, wake;
	pthread_t thread;
	bool runs;
	void (*expire)(const char *words);
} pulse = {.socket = -1, .wake = -1};

/* ---- what this rank does ---- */

/* The device that speaks for all of this rank: the first that waits, since others may be done. */
static const struct sr_device *find_device(void)
{
	const struct sr_device *all = pulse.devices;
	for (int k = 0; all && k < pulse.n_devices; k++)
		if (all[k].transport && sr_transport_read_state(all[k].transport).waits)
			return &all[k];
	return all;
}

/* A rank waits where one of its devices does and none computes. */
static void look_at_transports(struct sr_rank_state *s, const struct sr_transport *first)
{
	for (int k = 0; first && k < sr_transport_n_local_devices(first); k++) {
		struct sr_transport_state t = sr_transport_read_state(sr_transport_local_device(first, k));
		s->waits = s->waits || t.waits;
		s->progress += t.rounds;
		s->calls += t.calls;
	}
}

static bool computes(const struct sr_device *d)
{
	return sr_relaxed_load(d->current) >= 0 && !(d->transport && sr_transport_read_state(d->transport).waits);
}

static void look(struct sr_rank_state *s)
{
	const struct sr_device *d = find_device(), *all = pulse.devices;
	struct sr_progress_position place = sr_progress_read();
	const struct sr_launch *l = &pulse.client->launch;
	*s = (struct sr_rank_state){.progress = sr_relaxed_load(l->waited), .waits = sr_relaxed_load(l->waits), .i = place.i, .n = place.n};
	if (place.phase)
		memcpy(s->phase, place.phase, strnlen(place.phase, sizeof s->phase - 1));
	for (const struct sr_device_set *w = pulse.client->worlds; w; w = w->next)
		look_at_transports(s, w->transport);
	for (int k = 0; all && k < pulse.n_devices; k++) {
		s->waits = s->waits && !computes(&all[k]);
		s->progress += sr_relaxed_load(all[k].flight.played);
	}
	uint64_t played = d ? sr_relaxed_load(d->flight.played) : 0;
	int64_t current = d ? sr_relaxed_load(d->current) : -1;
	s->plays = current >= 0;
	for (uint64_t k = 0; k < SR_STALL_INSTRS; k++)
		s->steps[k] = k < played ? sr_relaxed_load(d->flight.steps[(played - 1 - k) % SR_FLIGHT_RECORDS]) : -1;
	if (s->plays)
		s->steps[0] = (int32_t)current;
}

/* ---- datagrams ---- */

static void send_to(const struct beat *b, uint32_t address, uint16_t port)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = address};
	ssize_t sent = sendto(pulse.socket, b, sizeof *b, MSG_DONTWAIT, (const struct sockaddr *)&to, sizeof to);
	(void)sent; /* what is lost is sent again, in another form, soon */
}

static void tell(const struct sr_rank_state *state)
{
	const struct meeting *m = &pulse.meeting;
	struct beat b = {.key = m->key, .rank = pulse.client->launch.rank, .process = getpid(), .state = *state};
	for (int k = 0; k < m->n; k++)
		if (pulse.address < 0 || pulse.address == k) {
			b.address = k;
			send_to(&b, m->addresses[k], m->port);
		}
}

/* One that came. */
static void hear(double now)
{
	struct beat b;
	struct sockaddr_in from;
	socklen_t n = sizeof from;
	bool first = !pulse.client->launch.rank;
	ssize_t got = recvfrom(pulse.socket, &b, sizeof b, MSG_DONTWAIT, (struct sockaddr *)&from, &n);
	if (got != (ssize_t)sizeof b || b.key != pulse.meeting.key)
		return;
	if (!first) {
		pulse.address = b.address >= 0 && b.address < pulse.meeting.n ? b.address : -1;
		pulse.echoed = now;
		return;
	}
	if (b.rank < 1 || b.rank >= pulse.client->launch.size)
		return;
	sr_stall_record(&pulse.ranks[b.rank], &b.state, now);
	pulse.ranks[b.rank].process = b.process;
	send_to(&b, from.sin_addr.s_addr, from.sin_port);
}

/* ---- the thread ---- */

static const struct sr_program *program(void)
{
	const struct sr_device *d = pulse.devices;
	return d ? d->program : NULL;
}

/* Rank 0 judges all; the others only whether rank 0 has left them alone, one after another, so that one speaks. */
static void judge(double now)
{
	static char words[SR_STALL_TEXT];
	const struct sr_launch *l = &pulse.client->launch;
	struct sr_rank_state state;
	look(&state);
	if (!l->rank) {
		sr_stall_record(&pulse.ranks[0], &state, now);
		if (!sr_is_stalled(pulse.ranks, l->size, now, pulse.limit))
			return;
		sr_stall_text(words, pulse.ranks, l->size, now, pulse.limit, now - pulse.start, program());
		pulse.expire(words);
	}
	tell(&state);
	sr_stall_record(&pulse.self, &state, now);
	double patience = pulse.limit + (l->rank < 8 ? l->rank : 8);
	if (!pulse.echoed || now - pulse.echoed < patience || !state.waits || now - pulse.self.progressed < patience)
		return;
	sr_stall_text(words, &pulse.self, 1, now, pulse.limit, now - pulse.start, program());
	char *rest = strchr(words, '\n') + 1;
	snprintf(rest, SR_STALL_TEXT - (size_t)(rest - words), "  rank %d waits there; rank 0 is silent for %.0f s\n", l->rank,
		 now - pulse.echoed);
	pulse.expire(words);
}

/* This process was stopped itself, or its machine slept: what it did not hear then is no silence. */
static void forgive(double now)
{
	for (int r = 0; pulse.ranks && r < pulse.client->launch.size; r++)
		pulse.ranks[r].heard = pulse.ranks[r].progressed = now;
	pulse.self.progressed = now;
	pulse.echoed = pulse.echoed > 0 ? now : 0;
}

static void *beat(void *unused)
{
	(void)unused;
	struct pollfd fds[] = {{.fd = pulse.socket, .events = POLLIN}, {.fd = pulse.wake, .events = POLLIN}};
	double next = sr_now(), before = next;
	while (!fds[1].revents) {
		double now = sr_now();
		if (now - before > 4 * pulse.period + 1)
			forgive(now);
		before = now;
		if (now >= next) {
			judge(now);
			next = now + pulse.period;
		}
		double wait = next - sr_now();
		if (poll(fds, 2, wait > 0 ? (int)(wait * 1e3) + 1 : 0) > 0 && fds[0].revents)
			hear(sr_now());
	}
	return NULL;
}

/* ---- begin and end ---- */

static void find_addresses(struct meeting *m)
{
	struct ifaddrs *all = NULL;
	if (getifaddrs(&all))
		all = NULL;
	for (const struct ifaddrs *a = all; a && m->n < MOST_ADDRESSES; a = a->ifa_next)
		if (a->ifa_addr && a->ifa_addr->sa_family == AF_INET && (a->ifa_flags & IFF_UP) && !(a->ifa_flags & IFF_LOOPBACK))
			m->addresses[m->n++] = ((const struct sockaddr_in *)(const void *)a->ifa_addr)->sin_addr.s_addr;
	if (all)
		freeifaddrs(all);
	m->addresses[m->n++] = htonl(INADDR_LOOPBACK);
}

static void open_meeting(struct meeting *m)
{
	struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
	socklen_t n = sizeof here;
	if (pulse.socket < 0 || bind(pulse.socket, (struct sockaddr *)&here, sizeof here) ||
	    getsockname(pulse.socket, (struct sockaddr *)&here, &n) || getrandom(&m->key, sizeof m->key, 0) != sizeof m->key)
		return;
	m->port = here.sin_port;
	find_addresses(m);
}

/* On one machine all can be heard: a rank that never is stands still too, rank 0 among them. */
static void expect_all(void)
{
	struct sr_rank_state state = {.phase = "starting"};
	int n = pulse.client->launch.size;
	if (!sr_launch_is_single_node(n))
		return;
	pulse.echoed = pulse.start;
	for (int r = 0; pulse.ranks && r < n; r++)
		sr_stall_record(&pulse.ranks[r], &state, pulse.start);
}

static bool start(void)
{
	expect_all();
	pulse.wake = eventfd(0, EFD_CLOEXEC);
	if (pulse.wake < 0)
		return false;
	return sr_thread_begin(&pulse.thread, beat, NULL);
}

void sr_heartbeat_begin(struct sr_client *client, double limit, void (*expire)(const char *words))
{
	enum { MOST_PERIOD = 5 };
	struct sr_launch *l = &client->launch;
	if (!(limit > 0))
		return;
	pulse.client = client;
	pulse.devices = NULL;
	pulse.limit = limit;
	pulse.period = limit / 20 < MOST_PERIOD ? limit / 20 : MOST_PERIOD;
	pulse.start = sr_now();
	pulse.expire = expire;
	pulse.echoed = 0;
	pulse.address = -1;
	pulse.self = (struct sr_rank_record){0};
	pulse.meeting = (struct meeting){0};
	if (!l->rank)
		pulse.ranks = calloc((size_t)l->size, sizeof *pulse.ranks);
	if (l->size == 1) /* it waits for no rank; its devices may for each other */
		return;
	pulse.socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (pulse.ranks)
		open_meeting(&pulse.meeting);
	sr_launch_broadcast(l, &pulse.meeting, sizeof pulse.meeting);
	pulse.runs = pulse.meeting.n && pulse.socket >= 0 && start();
	if (!pulse.runs)
		sr_heartbeat_end();
}

void sr_heartbeat_watch_devices(const struct sr_device *devices, int n)
{
	pulse.n_devices = n;
	pulse.devices = devices;
	if (n > 1 && pulse.ranks && pulse.client->launch.size == 1 && !pulse.runs)
		pulse.runs = start();
}

/* A process that has ended, or whose number means another here, is none of ours. */
static bool is_ours(int32_t process)
{
	char path[32], mine[4096], its[4096];
	snprintf(path, sizeof path, "/proc/%d/exe", (int)process);
	ssize_t n = readlink("/proc/self/exe", mine, sizeof mine), m = process > 0 ? readlink(path, its, sizeof its) : -1;
	return n > 0 && n == m && !memcmp(mine, its, (size_t)n);
}

/* MPI has ended, and no rank waits for another: for one that is stopped now its launcher would wait for ever. So rank 0 goes
 * last. */
static void see_others_off(void)
{
	char words[200];
	int n = pulse.client->launch.size;
	double start = sr_now();
	if (!pulse.ranks || !sr_launch_is_single_node(n))
		return;
	for (int r = 1; r < n; r++)
		while (is_ours(pulse.ranks[r].process)) {
			nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
			if (sr_now() - start < pulse.limit)
				continue;
			snprintf(words, sizeof words,
				 "shardrun: error: no progress for %g s (--stall-timeout): all is computed and written, but rank %d does "
				 "not end\n",
				 pulse.limit, r);
			pulse.expire(words);
		}
}

void sr_heartbeat_end(void)
{
	uint64_t one = 1;
	if (pulse.runs && write(pulse.wake, &one, sizeof one) == sizeof one)
		pthread_join(pulse.thread, NULL);
	if (pulse.runs && !pulse.client->launch.mpi)
		see_others_off();
	pulse.runs = false;
	if (pulse.socket >= 0)
		close(pulse.socket);
	if (pulse.wake >= 0)
		close(pulse.wake);
	pulse.socket = pulse.wake = -1;
	free(pulse.ranks);
	pulse.ranks = NULL;
}
