/* Implementation of heartbeats: datagrams to rank 0, and its answers. Each begins with a random number of the job; datagrams with
 * another number are ignored. */
#include "run/heartbeat.h"
#include "run/node_page.h"
#include "run/stall.h"
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

struct rendezvous { /* addresses at which rank 0 receives datagrams, sent to all ranks at the beginning */
	uint64_t key;
	uint32_t addresses[MAX_ADDRESSES + 1]; /* IPv4 addresses in network byte order; the last one is the loopback address */
	int32_t n;                              /* number of addresses; 0: rank 0 cannot be reached */
	uint16_t port;
};

struct heartbeat_message {
	uint64_t key;
	int32_t rank;
	int32_t address; /* index of the address of rank 0 to which the datagram was sent */
	int32_t process;
	uint64_t abort; /* value of the abort word */
	struct sr_rank_state state;
};

struct sr_heartbeat {
	struct sr_heartbeat_options options;
	struct sr_client *client;
	const struct sr_device *_Atomic devices;
	_Atomic int n_devices;
	double period_s, start;
	struct rendezvous rendezvous;
	struct sr_rank_record *ranks;   /* on rank 0: record of each rank; length: number of ranks */
	struct sockaddr_in *from;       /* on rank 0: sender address of each rank's datagrams; port 0: unknown */
	struct sr_rank_record own_record;     /* on other ranks: the record of the rank itself */
	double last_answer;             /* time of rank 0's last answer; 0: no answer yet, and none is required */
	int address;                    /* index of the address at which rank 0 answers; -1: unknown */
	int socket, wake;
	struct sr_node_page page;
	uint64_t sent_abort;            /* value of the abort word that was last sent to the other ranks */
	pthread_t thread;
	bool is_running;
	_Atomic bool is_ending;
	char message[SR_STALL_TEXT];
};

/* ---- state of this rank ---- */

/* Return the device that represents this rank in reports: the first device that waits, since others may have finished; or else the
 * first device. */
static const struct sr_device *find_device(const struct sr_heartbeat *h)
{
	const struct sr_device *devices = h->devices;
	for (int k = 0; devices && k < h->n_devices; k++)
		if (devices[k].transport && sr_transport_read_state(devices[k].transport).waits)
			return &devices[k];
	return devices;
}

/* Merge the state of all local devices: a rank waits if one of its devices waits and none computes. */
static void read_transports(struct sr_rank_state *s, const struct sr_transport *first)
{
	for (int k = 0; first && k < sr_transport_n_local_devices(first); k++) {
		struct sr_transport_state t = sr_transport_read_state(sr_transport_local_device(first, k));
		s->is_waiting = s->is_waiting || t.waits;
		s->progress += t.rounds;
		s->calls += t.calls;
	}
}

static bool is_computing(const struct sr_device *d)
{
	return sr_relaxed_load(d->current) >= 0 && !(d->transport && sr_transport_read_state(d->transport).waits);
}

static void read_state(const struct sr_heartbeat *h, struct sr_rank_state *s)
{
	const struct sr_device *d = find_device(h), *all = h->devices;
	struct sr_phase phase = h->options.position ? h->options.position() : (struct sr_phase){"running", 0, 0};
	const struct sr_launch *l = &h->client->launch;
	*s = (struct sr_rank_state){
	    .progress = sr_relaxed_load(l->n_waits), .is_waiting = sr_relaxed_load(l->is_waiting), .i = phase.i, .n = phase.n};
	if (phase.phase)
		memcpy(s->phase, phase.phase, strnlen(phase.phase, sizeof s->phase - 1));
	for (const struct sr_device_set *w = h->client->device_sets; w; w = w->next)
		read_transports(s, w->transport);
	for (int k = 0; all && k < h->n_devices; k++) {
		s->is_waiting = s->is_waiting && !is_computing(&all[k]);
		s->progress += sr_relaxed_load(all[k].flight_recorder.executed);
	}
	uint64_t executed = d ? sr_relaxed_load(d->flight_recorder.executed) : 0;
	int64_t current = d ? sr_relaxed_load(d->current) : -1;
	s->is_executing = current >= 0;
	for (uint64_t k = 0; k < SR_STALL_INSTRS; k++)
		s->instrs[k] = k < executed ? sr_relaxed_load(d->flight_recorder.instrs[(executed - 1 - k) % SR_FLIGHT_RECORDS]) : -1;
	if (s->is_executing)
		s->instrs[0] = (int32_t)current;
}

/* ---- datagrams ---- */

static void send_to(const struct sr_heartbeat *h, const struct heartbeat_message *b, uint32_t address, uint16_t port)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = address};
	ssize_t n_sent = sendto(h->socket, b, sizeof *b, MSG_DONTWAIT, (const struct sockaddr *)&to, sizeof to);
	(void)n_sent; /* the error is ignored: the next datagram supersedes a lost one */
}

static void send_beat(struct sr_heartbeat *h, const struct sr_rank_state *state)
{
	const struct rendezvous *m = &h->rendezvous;
	struct heartbeat_message b = {.key = m->key, .rank = h->client->launch.rank, .process = getpid(), .state = *state, .abort = sr_abort_read(&h->client->launch.abort)};
	for (int k = 0; k < m->n; k++)
		if (h->address < 0 || h->address == k) {
			b.address = k;
			send_to(h, &b, m->addresses[k], m->port);
		}
}

/* Receive a datagram and record its contents. */
static void receive_datagram(struct sr_heartbeat *h, double now)
{
	struct heartbeat_message b;
	struct sockaddr_in sender;
	socklen_t n = sizeof sender;
	bool is_first_rank = !h->client->launch.rank;
	ssize_t n_received = recvfrom(h->socket, &b, sizeof b, MSG_DONTWAIT, (struct sockaddr *)&sender, &n);
	if (n_received != (ssize_t)sizeof b || b.key != h->rendezvous.key)
		return;
	if (b.abort && !h->options.expire)
		sr_abort_set(&h->client->launch.abort, b.abort);
	if (!is_first_rank) {
		h->address = b.address >= 0 && b.address < h->rendezvous.n ? b.address : h->address;
		h->last_answer = now;
		return;
	}
	if (b.rank < 1 || b.rank >= h->client->launch.size)
		return;
	h->from[b.rank] = sender;
	sr_stall_record(&h->ranks[b.rank], &b.state, now);
	h->ranks[b.rank].process = b.process;
	send_to(h, &b, sender.sin_addr.s_addr, sender.sin_port);
}

/* ---- heartbeat thread ---- */

static const struct sr_program *running_program(const struct sr_heartbeat *h)
{
	const struct sr_device *d = h->devices;
	return d ? d->program : NULL;
}

/* Return the first rank that has been silent for the limit, or -1. */
static int find_silent_rank(const struct sr_heartbeat *h, double now)
{
	for (int r = 0; r < h->client->launch.size; r++)
		if (h->ranks[r].has_reported && now - h->ranks[r].reported_at >= h->options.limit)
			return r;
	return -1;
}

/* Report that the run is stalled. `suffix`: text of the message from its second line on; NULL: it is composed from `ranks`. */
static void report_stall(struct sr_heartbeat *h, const struct sr_rank_record *ranks, int n, int silent_rank, double now,
			 const char *suffix)
{
	struct sr_abort_word *abort = &h->client->launch.abort;
	if (!h->options.expire) {
		sr_abort_set(abort, sr_abort_make(SR_ABORT_STALLED, silent_rank));
		return;
	}
	sr_stall_text(h->message, ranks, n, now, h->options.limit, now - h->start, running_program(h));
	if (suffix) {
		char *to = strchr(h->message, '\n') + 1;
		snprintf(to, sizeof h->message - (size_t)(to - h->message), "%s", suffix);
	}
	h->options.expire(h->message);
}

/* Check whether the run is stalled. Rank 0 checks all ranks. Other ranks only check whether rank 0 has been silent; if it is
 * stalled they report it with delays that increase with the rank, so that one reports first. */
static void check_stall(struct sr_heartbeat *h, double now)
{
	const struct sr_launch *l = &h->client->launch;
	struct sr_rank_state state;
	char suffix[100];
	read_state(h, &state);
	if (!l->rank && !h->ranks)
		return;
	if (!l->rank) {
		sr_stall_record(&h->ranks[0], &state, now);
		if (h->options.limit > 0 && sr_is_stalled(h->ranks, l->size, now, h->options.limit))
			report_stall(h, h->ranks, l->size, find_silent_rank(h, now), now, NULL);
		return;
	}
	send_beat(h, &state);
	sr_stall_record(&h->own_record, &state, now);
	double allowed_silence = h->options.limit + (!h->options.expire ? 0 : l->rank < 8 ? l->rank : 8);
	if (!(h->options.limit > 0) || !h->last_answer || now - h->last_answer < allowed_silence || !state.is_waiting ||
	    now - h->own_record.progressed_at < allowed_silence)
		return;
	snprintf(suffix, sizeof suffix, "  rank %d waits there; rank 0 is silent for %.0f s\n", l->rank, now - h->last_answer);
	report_stall(h, &h->own_record, 1, 0, now, suffix);
}

/* Send the abort word to the other nodes: rank 0 to all ranks, other ranks to rank 0. */
static void send_abort(struct sr_heartbeat *h)
{
	struct sr_launch *l = &h->client->launch;
	struct sr_rank_state state;
	uint64_t word = sr_abort_read(&l->abort);
	if (!word || h->options.expire)
		return;
	read_state(h, &state);
	if (l->rank && h->sent_abort != word)
		send_beat(h, &state);
	struct heartbeat_message b = {.key = h->rendezvous.key, .address = -1, .abort = word};
	for (int r = 1; h->from && r < l->size; r++)
		if (h->from[r].sin_port)
			send_to(h, &b, h->from[r].sin_addr.s_addr, h->from[r].sin_port);
	h->sent_abort = word;
}

/* Reset the ranks' times after this process was stopped or the machine slept, so that this time does not count as silence of other
 * ranks. */
static void reset_timers(struct sr_heartbeat *h, double now)
{
	for (int r = 0; h->ranks && r < h->client->launch.size; r++)
		h->ranks[r].reported_at = h->ranks[r].progressed_at = now;
	h->own_record.progressed_at = now;
	h->last_answer = h->last_answer > 0 ? now : 0;
}

static void clear_wake(const struct sr_heartbeat *h)
{
	uint64_t n;
	if (read(h->wake, &n, sizeof n) != sizeof n)
		return;
}

static void *heartbeat_thread(void *data)
{
	enum { WAKE, DATAGRAMS, PROCESS };
	struct sr_heartbeat *h = data;
	struct pollfd fds[] = {[WAKE] = {.fd = h->wake, .events = POLLIN},
			       [DATAGRAMS] = {.fd = h->socket, .events = POLLIN},
			       [PROCESS] = {.fd = h->page.next_process_fd, .events = POLLIN}};
	double next = sr_now(), last_time = next;
	while (!atomic_load(&h->is_ending)) {
		double now = sr_now();
		if (now - last_time > 4 * h->period_s + 1)
			reset_timers(h, now);
		last_time = now;
		if (now >= next) {
			check_stall(h, now);
			next = now + h->period_s;
		}
		send_abort(h);
		double wait_s = next - sr_now();
		if (poll(fds, sizeof fds / sizeof *fds, wait_s > 0 ? (int)(wait_s * 1e3) + 1 : 0) <= 0)
			continue;
		if (fds[WAKE].revents)
			clear_wake(h);
		if (fds[DATAGRAMS].revents)
			receive_datagram(h, sr_now());
		if (fds[PROCESS].revents) {
			if (sr_node_page_has_lost(&h->page))
				sr_abort_set(&h->client->launch.abort, sr_abort_make(SR_ABORT_ENDED, h->page.watched_rank));
			fds[PROCESS].fd = -1;
		}
	}
	return NULL;
}

/* ---- begin and end ---- */

static void find_addresses(struct rendezvous *m)
{
	struct ifaddrs *interfaces = NULL;
	if (getifaddrs(&interfaces))
		interfaces = NULL;
	for (const struct ifaddrs *a = interfaces; a && m->n < MAX_ADDRESSES; a = a->ifa_next)
		if (a->ifa_addr && a->ifa_addr->sa_family == AF_INET && (a->ifa_flags & IFF_UP) && !(a->ifa_flags & IFF_LOOPBACK))
			m->addresses[m->n++] = ((const struct sockaddr_in *)(const void *)a->ifa_addr)->sin_addr.s_addr;
	if (interfaces)
		freeifaddrs(interfaces);
	m->addresses[m->n++] = htonl(INADDR_LOOPBACK);
}

static void open_rendezvous(const struct sr_heartbeat *h, struct rendezvous *m)
{
	struct sockaddr_in any_address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
	socklen_t n = sizeof any_address;
	if (h->socket < 0 || bind(h->socket, (struct sockaddr *)&any_address, sizeof any_address) ||
	    getsockname(h->socket, (struct sockaddr *)&any_address, &n) || getrandom(&m->key, sizeof m->key, 0) != sizeof m->key)
		return;
	m->port = any_address.sin_port;
	find_addresses(m);
}

/* Record all ranks as seen if they are on one machine, so that a rank that never sends a datagram counts as stalled. */
static void expect_all_ranks(struct sr_heartbeat *h)
{
	struct sr_rank_state state = {.phase = "starting"};
	int n = h->client->launch.size;
	if (!sr_launch_is_single_node(n) && h->page.n < n)
		return;
	h->last_answer = h->start;
	for (int r = 0; h->ranks && r < n; r++)
		sr_stall_record(&h->ranks[r], &state, h->start);
}

static bool start_thread(struct sr_heartbeat *h)
{
	struct sr_abort_word *abort = &h->client->launch.abort;
	expect_all_ranks(h);
	h->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (h->wake < 0)
		return false;
	atomic_store(&abort->wake, h->wake);
	h->is_running = sr_thread_begin(&h->thread, heartbeat_thread, h);
	return h->is_running;
}

static struct sr_heartbeat *new_heartbeat(struct sr_client *client, const struct sr_heartbeat_options *o)
{
	enum { MAX_PERIOD_S = 5 };
	int size = client->launch.size;
	struct sr_heartbeat *h = calloc(1, sizeof *h);
	if (!h)
		return NULL;
	h->options = *o;
	h->client = client;
	h->period_s = o->limit > 0 && o->limit / 20 < MAX_PERIOD_S ? o->limit / 20 : MAX_PERIOD_S;
	h->start = sr_now();
	h->address = -1;
	h->socket = h->wake = -1;
	h->page = (struct sr_node_page){.fd = -1, .next_process_fd = -1};
	if (client->launch.rank)
		return h;
	h->ranks = calloc((size_t)size, sizeof *h->ranks);
	h->from = calloc((size_t)size, sizeof *h->from);
	if (h->ranks && h->from)
		return h;
	free(h->ranks);
	free(h->from);
	free(h);
	return NULL;
}

/* Start heartbeats. A rank without memory or sockets still takes part in the collective exchanges. */
struct sr_heartbeat *sr_heartbeat_begin(struct sr_client *client, const struct sr_heartbeat_options *o)
{
	struct sr_launch *l = &client->launch;
	struct sr_node_page page = {.fd = -1, .next_process_fd = -1};
	struct rendezvous m = {0};
	struct sr_heartbeat *h = new_heartbeat(client, o);
	if (l->size == 1) /* there is no other rank to wait for, but local devices may wait for each other */
		return h;
	if (!o->expire)
		sr_node_page_open(&page, l, client->arena);
	if (h) {
		h->page = page;
		h->socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (!l->rank)
			open_rendezvous(h, &m);
	}
	sr_launch_broadcast(l, &m, sizeof m);
	if (h)
		h->rendezvous = m;
	bool has_reports = h && m.n && h->socket >= 0, has_page = h && h->page.next_process_fd >= 0;
	if ((has_reports || has_page) && start_thread(h)) {
		l->wait_limit = has_reports ? 0 : l->wait_limit;
		return h;
	}
	if (!h)
		sr_node_page_close(&page, l);
	sr_heartbeat_end(h);
	return NULL;
}

void sr_heartbeat_watch_devices(struct sr_heartbeat *h, const struct sr_device *devices, int n)
{
	if (!h)
		return;
	h->n_devices = n;
	h->devices = devices;
	if (n > 1 && h->ranks && h->client->launch.size == 1 && !h->is_running)
		(void)start_thread(h);
}

/* Return true if the process with this id runs the executable file of this process; otherwise the rank has ended and its id was
 * reused. */
static bool runs_this_program(int32_t process)
{
	char path[32], own_path[4096], other_path[4096];
	snprintf(path, sizeof path, "/proc/%d/exe", (int)process);
	ssize_t n = readlink("/proc/self/exe", own_path, sizeof own_path),
		m = process > 0 ? readlink(path, other_path, sizeof other_path) : -1;
	return n > 0 && n == m && !memcmp(own_path, other_path, (size_t)n);
}

/* Wait on rank 0 until the processes of all other ranks have exited. MPI is finalized, but if a rank is stopped now, the launcher
 * would wait for it forever. */
static void wait_for_others(struct sr_heartbeat *h)
{
	char message[200];
	int n = h->client->launch.size;
	double start = sr_now();
	if (!h->ranks || !sr_launch_is_single_node(n))
		return;
	for (int r = 1; r < n; r++)
		while (runs_this_program(h->ranks[r].process)) {
			nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
			if (sr_now() - start < h->options.limit)
				continue;
			snprintf(message, sizeof message,
				 "shardrun: error: no progress for %g s (--stall-timeout): all is computed and written, but rank %d does "
				 "not end\n",
				 h->options.limit, r);
			h->options.expire(message);
		}
}

void sr_heartbeat_end(struct sr_heartbeat *h)
{
	uint64_t one = 1;
	if (!h)
		return;
	atomic_store(&h->is_ending, true);
	atomic_store(&h->client->launch.abort.wake, 0);
	if (h->is_running) {
		ssize_t n_written = write(h->wake, &one, sizeof one);
		(void)n_written; /* if the write fails, the thread sees h->is_ending at the end of its period */
		pthread_join(h->thread, NULL);
	}
	if (h->is_running && h->options.expire && !h->client->launch.mpi)
		wait_for_others(h);
	sr_node_page_close(&h->page, &h->client->launch);
	if (h->socket >= 0)
		close(h->socket);
	if (h->wake >= 0)
		close(h->wake);
	free(h->ranks);
	free(h->from);
	free(h);
}
