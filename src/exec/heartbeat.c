/* Heartbeat datagrams to rank 0, and its answers. They begin with a random number of the job; others are ignored. */
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

enum { MAX_ADDRESSES = 15 };

struct rendezvous { /* where rank 0 receives datagrams */
	uint64_t key;
	uint32_t addresses[MAX_ADDRESSES + 1]; /* IPv4, network byte order; the last is the loopback address */
	int32_t n;                              /* number of addresses; 0: rank 0 cannot be reached */
	uint16_t port;
};

struct heartbeat_message {
	uint64_t key;
	int32_t rank;
	int32_t address; /* index of the address of rank 0 to which the datagram was sent */
	int32_t process;
	struct sr_rank_state state;
};

/* The heartbeat's state. */
static struct {
	struct sr_client *client;
	const struct sr_device *_Atomic devices;
	_Atomic int n_devices;
	double limit, period, start;
	struct rendezvous rendezvous;
	struct sr_rank_record *ranks;   /* rank 0: [size] */
	struct sr_rank_record self;     /* other ranks: their own state */
	double echoed;                  /* time of rank 0's last answer; 0: none yet, and none is required */
	int address;                    /* index of the address that works; -1: unknown */
	int socket, wake;
	pthread_t thread;
	bool runs;
	void (*expire)(const char *message);
} heartbeat = {.socket = -1, .wake = -1};

/* ---- state of this rank ---- */

/* Return the device that represents this rank: the first that waits, since others may be done; or the first. */
static const struct sr_device *find_device(void)
{
	const struct sr_device *all = heartbeat.devices;
	for (int k = 0; all && k < heartbeat.n_devices; k++)
		if (all[k].transport && sr_transport_read_state(all[k].transport).waits)
			return &all[k];
	return all;
}

/* Merge the state of all local devices: a rank waits if one of its devices waits and none computes. */
static void read_transports(struct sr_rank_state *s, const struct sr_transport *first)
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

static void read_state(struct sr_rank_state *s)
{
	const struct sr_device *d = find_device(), *all = heartbeat.devices;
	struct sr_progress_position place = sr_progress_read();
	const struct sr_launch *l = &heartbeat.client->launch;
	*s = (struct sr_rank_state){.progress = sr_relaxed_load(l->waited), .waits = sr_relaxed_load(l->waits), .i = place.i, .n = place.n};
	if (place.phase)
		memcpy(s->phase, place.phase, strnlen(place.phase, sizeof s->phase - 1));
	for (const struct sr_device_set *w = heartbeat.client->device_sets; w; w = w->next)
		read_transports(s, w->transport);
	for (int k = 0; all && k < heartbeat.n_devices; k++) {
		s->waits = s->waits && !computes(&all[k]);
		s->progress += sr_relaxed_load(all[k].flight.executed);
	}
	uint64_t executed = d ? sr_relaxed_load(d->flight.executed) : 0;
	int64_t current = d ? sr_relaxed_load(d->current) : -1;
	s->is_executing = current >= 0;
	for (uint64_t k = 0; k < SR_STALL_INSTRS; k++)
		s->instrs[k] = k < executed ? sr_relaxed_load(d->flight.instrs[(executed - 1 - k) % SR_FLIGHT_RECORDS]) : -1;
	if (s->is_executing)
		s->instrs[0] = (int32_t)current;
}

/* ---- datagrams ---- */

static void send_to(const struct heartbeat_message *b, uint32_t address, uint16_t port)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = address};
	ssize_t sent = sendto(heartbeat.socket, b, sizeof *b, MSG_DONTWAIT, (const struct sockaddr *)&to, sizeof to);
	(void)sent; /* a lost datagram is superseded by the next one */
}

static void send_beat(const struct sr_rank_state *state)
{
	const struct rendezvous *m = &heartbeat.rendezvous;
	struct heartbeat_message b = {.key = m->key, .rank = heartbeat.client->launch.rank, .process = getpid(), .state = *state};
	for (int k = 0; k < m->n; k++)
		if (heartbeat.address < 0 || heartbeat.address == k) {
			b.address = k;
			send_to(&b, m->addresses[k], m->port);
		}
}

/* Receive a datagram. */
static void receive_beat(double now)
{
	struct heartbeat_message b;
	struct sockaddr_in from;
	socklen_t n = sizeof from;
	bool first = !heartbeat.client->launch.rank;
	ssize_t got = recvfrom(heartbeat.socket, &b, sizeof b, MSG_DONTWAIT, (struct sockaddr *)&from, &n);
	if (got != (ssize_t)sizeof b || b.key != heartbeat.rendezvous.key)
		return;
	if (!first) {
		heartbeat.address = b.address >= 0 && b.address < heartbeat.rendezvous.n ? b.address : -1;
		heartbeat.echoed = now;
		return;
	}
	if (b.rank < 1 || b.rank >= heartbeat.client->launch.size)
		return;
	sr_stall_record(&heartbeat.ranks[b.rank], &b.state, now);
	heartbeat.ranks[b.rank].process = b.process;
	send_to(&b, from.sin_addr.s_addr, from.sin_port);
}

/* ---- heartbeat thread ---- */

static const struct sr_program *program(void)
{
	const struct sr_device *d = heartbeat.devices;
	return d ? d->program : NULL;
}

/* Rank 0 checks all ranks for a stall. Other ranks only check whether rank 0 has gone silent, with increasing delays, so that
 * one reports. */
static void check_stall(double now)
{
	static char message[SR_STALL_TEXT];
	const struct sr_launch *l = &heartbeat.client->launch;
	struct sr_rank_state state;
	read_state(&state);
	if (!l->rank) {
		sr_stall_record(&heartbeat.ranks[0], &state, now);
		if (!sr_is_stalled(heartbeat.ranks, l->size, now, heartbeat.limit))
			return;
		sr_stall_text(message, heartbeat.ranks, l->size, now, heartbeat.limit, now - heartbeat.start, program());
		heartbeat.expire(message);
	}
	send_beat(&state);
	sr_stall_record(&heartbeat.self, &state, now);
	double allowed_silence = heartbeat.limit + (l->rank < 8 ? l->rank : 8);
	if (!heartbeat.echoed || now - heartbeat.echoed < allowed_silence || !state.waits || now - heartbeat.self.progressed < allowed_silence)
		return;
	sr_stall_text(message, &heartbeat.self, 1, now, heartbeat.limit, now - heartbeat.start, program());
	char *rest = strchr(message, '\n') + 1;
	snprintf(rest, SR_STALL_TEXT - (size_t)(rest - message), "  rank %d waits there; rank 0 is silent for %.0f s\n", l->rank,
		 now - heartbeat.echoed);
	heartbeat.expire(message);
}

/* After this process was stopped or the machine slept: do not count the time as silence of others. */
static void reset_timers(double now)
{
	for (int r = 0; heartbeat.ranks && r < heartbeat.client->launch.size; r++)
		heartbeat.ranks[r].heard = heartbeat.ranks[r].progressed = now;
	heartbeat.self.progressed = now;
	heartbeat.echoed = heartbeat.echoed > 0 ? now : 0;
}

static void *heartbeat_thread(void *unused)
{
	(void)unused;
	struct pollfd fds[] = {{.fd = heartbeat.socket, .events = POLLIN}, {.fd = heartbeat.wake, .events = POLLIN}};
	double next = sr_now(), before = next;
	while (!fds[1].revents) {
		double now = sr_now();
		if (now - before > 4 * heartbeat.period + 1)
			reset_timers(now);
		before = now;
		if (now >= next) {
			check_stall(now);
			next = now + heartbeat.period;
		}
		double wait = next - sr_now();
		if (poll(fds, 2, wait > 0 ? (int)(wait * 1e3) + 1 : 0) > 0 && fds[0].revents)
			receive_beat(sr_now());
	}
	return NULL;
}

/* ---- begin and end ---- */

static void find_addresses(struct rendezvous *m)
{
	struct ifaddrs *all = NULL;
	if (getifaddrs(&all))
		all = NULL;
	for (const struct ifaddrs *a = all; a && m->n < MAX_ADDRESSES; a = a->ifa_next)
		if (a->ifa_addr && a->ifa_addr->sa_family == AF_INET && (a->ifa_flags & IFF_UP) && !(a->ifa_flags & IFF_LOOPBACK))
			m->addresses[m->n++] = ((const struct sockaddr_in *)(const void *)a->ifa_addr)->sin_addr.s_addr;
	if (all)
		freeifaddrs(all);
	m->addresses[m->n++] = htonl(INADDR_LOOPBACK);
}

static void open_rendezvous(struct rendezvous *m)
{
	struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
	socklen_t n = sizeof here;
	if (heartbeat.socket < 0 || bind(heartbeat.socket, (struct sockaddr *)&here, sizeof here) ||
	    getsockname(heartbeat.socket, (struct sockaddr *)&here, &n) || getrandom(&m->key, sizeof m->key, 0) != sizeof m->key)
		return;
	m->port = here.sin_port;
	find_addresses(m);
}

/* If all ranks are on one machine, a rank that is never heard of counts as stalled, including rank 0. */
static void expect_all_ranks(void)
{
	struct sr_rank_state state = {.phase = "starting"};
	int n = heartbeat.client->launch.size;
	if (!sr_launch_is_single_node(n))
		return;
	heartbeat.echoed = heartbeat.start;
	for (int r = 0; heartbeat.ranks && r < n; r++)
		sr_stall_record(&heartbeat.ranks[r], &state, heartbeat.start);
}

static bool start_thread(void)
{
	expect_all_ranks();
	heartbeat.wake = eventfd(0, EFD_CLOEXEC);
	if (heartbeat.wake < 0)
		return false;
	return sr_thread_begin(&heartbeat.thread, heartbeat_thread, NULL);
}

void sr_heartbeat_begin(struct sr_client *client, double limit, void (*expire)(const char *message))
{
	enum { MAX_PERIOD_S = 5 };
	struct sr_launch *l = &client->launch;
	if (!(limit > 0))
		return;
	heartbeat.client = client;
	heartbeat.devices = NULL;
	heartbeat.limit = limit;
	heartbeat.period = limit / 20 < MAX_PERIOD_S ? limit / 20 : MAX_PERIOD_S;
	heartbeat.start = sr_now();
	heartbeat.expire = expire;
	heartbeat.echoed = 0;
	heartbeat.address = -1;
	heartbeat.self = (struct sr_rank_record){0};
	heartbeat.rendezvous = (struct rendezvous){0};
	if (!l->rank)
		heartbeat.ranks = calloc((size_t)l->size, sizeof *heartbeat.ranks);
	if (l->size == 1) /* no other rank to wait for, but local devices may wait for each other */
		return;
	heartbeat.socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (heartbeat.ranks)
		open_rendezvous(&heartbeat.rendezvous);
	sr_launch_broadcast(l, &heartbeat.rendezvous, sizeof heartbeat.rendezvous);
	heartbeat.runs = heartbeat.rendezvous.n && heartbeat.socket >= 0 && start_thread();
	if (!heartbeat.runs)
		sr_heartbeat_end();
}

void sr_heartbeat_watch_devices(const struct sr_device *devices, int n)
{
	heartbeat.n_devices = n;
	heartbeat.devices = devices;
	if (n > 1 && heartbeat.ranks && heartbeat.client->launch.size == 1 && !heartbeat.runs)
		heartbeat.runs = start_thread();
}

/* Return true if the process runs this executable; otherwise it has ended and its id was reused. */
static bool is_ours(int32_t process)
{
	char path[32], mine[4096], its[4096];
	snprintf(path, sizeof path, "/proc/%d/exe", (int)process);
	ssize_t n = readlink("/proc/self/exe", mine, sizeof mine), m = process > 0 ? readlink(path, its, sizeof its) : -1;
	return n > 0 && n == m && !memcmp(mine, its, (size_t)n);
}

/* MPI is finalized, but the launcher would wait for ever for a rank that is stopped now: rank 0 waits for all others to exit. */
static void wait_for_others(void)
{
	char message[200];
	int n = heartbeat.client->launch.size;
	double start = sr_now();
	if (!heartbeat.ranks || !sr_launch_is_single_node(n))
		return;
	for (int r = 1; r < n; r++)
		while (is_ours(heartbeat.ranks[r].process)) {
			nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
			if (sr_now() - start < heartbeat.limit)
				continue;
			snprintf(message, sizeof message,
				 "shardrun: error: no progress for %g s (--stall-timeout): all is computed and written, but rank %d does "
				 "not end\n",
				 heartbeat.limit, r);
			heartbeat.expire(message);
		}
}

void sr_heartbeat_end(void)
{
	uint64_t one = 1;
	if (heartbeat.runs && write(heartbeat.wake, &one, sizeof one) == sizeof one)
		pthread_join(heartbeat.thread, NULL);
	if (heartbeat.runs && !heartbeat.client->launch.mpi)
		wait_for_others();
	heartbeat.runs = false;
	if (heartbeat.socket >= 0)
		close(heartbeat.socket);
	if (heartbeat.wake >= 0)
		close(heartbeat.wake);
	heartbeat.socket = heartbeat.wake = -1;
	free(heartbeat.ranks);
	heartbeat.ranks = NULL;
}
