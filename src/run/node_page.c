/* Implementation of the node page by a memory file of the node's first rank. */
#define _GNU_SOURCE 1
#include "run/node_page.h"
#include "collectives/transport/memory_file.h"
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct node_page_memory {
	_Atomic uint64_t abort;
	_Atomic bool closed[]; /* for each rank of the node: true if it has closed the client */
};

struct node_record { /* data that each rank sends to the others of its node */
	int64_t pid, rank;
	struct sr_memory_file file; /* memory file of the page; valid in the record of the node's first rank */
};

static int open_pidfd(int64_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
#else
	(void)pid;
	return -1;
#endif
}

/* Map the page from the memory file of the node's first rank. */
static void map_page(struct sr_node_page *p, const struct sr_memory_file *file)
{
	void *data = MAP_FAILED;
	if (!p->index && p->fd >= 0)
		data = mmap(NULL, p->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, p->fd, 0);
	else if (p->index && file->bytes == (int64_t)p->bytes)
		data = sr_memory_file_map(file);
	p->memory = data == MAP_FAILED ? NULL : data;
}

void sr_node_page_open(struct sr_node_page *p, struct sr_launch *l, struct sr_arena *arena)
{
	struct node_record own_record = {getpid(), l->rank, {.fd = -1, .bytes = -1}};
	const void *all;
	*p = (struct sr_node_page){.fd = -1, .next_process_fd = -1, .bytes = sizeof(struct node_page_memory) + (uint64_t)l->size};
	p->n = sr_launch_gather_node(l, arena, &own_record, sizeof own_record, &all);
	const struct node_record *records = all;
	while (p->index < p->n - 1 && records[p->index].rank != l->rank)
		p->index++;
	if (!p->index && p->n > 1 && !sr_memory_file_make(&own_record.file, (int64_t)p->bytes) && own_record.file.fd >= 0) {
		close((int)own_record.file.fd);
		own_record.file.fd = -1;
	}
	p->fd = (int)own_record.file.fd;
	/* collective: ranks that are alone on their node must call it, too */
	int n = sr_launch_gather_node(l, arena, &own_record, sizeof own_record, &all);
	if (n != p->n || n < 2)
		return;
	records = all;
	map_page(p, &records[0].file);
	if (!p->memory)
		return;
	/* The page was mapped through the process id of its owner, so the node's ranks share a process namespace, in which the
	 * next rank's process id is valid. */
	p->watched_rank = (int)records[(p->index + 1) % n].rank;
	p->next_process_fd = open_pidfd(records[(p->index + 1) % n].pid);
	atomic_store_explicit(&l->abort.shared, &p->memory->abort, memory_order_release);
}

bool sr_node_page_has_lost(const struct sr_node_page *p)
{
	return p->memory && !atomic_load(&p->memory->closed[(p->index + 1) % p->n]);
}

void sr_node_page_close(struct sr_node_page *p, struct sr_launch *l)
{
	if (p->memory) {
		uint64_t word = sr_abort_read(&l->abort);
		atomic_store(&p->memory->closed[p->index], true);
		atomic_store(&l->abort.own, word);
		atomic_store(&l->abort.shared, NULL);
		munmap(p->memory, p->bytes);
	}
	if (p->next_process_fd >= 0)
		close(p->next_process_fd);
	if (p->fd >= 0)
		close(p->fd);
	*p = (struct sr_node_page){.fd = -1, .next_process_fd = -1};
}
