/* Memory files (memfd), by which processes of a node share memory. They vanish with their processes. */
#ifndef SR_COLLECTIVES_TRANSPORT_MEMORY_FILE_H
#define SR_COLLECTIVES_TRANSPORT_MEMORY_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct sr_memory_file { /* Identifies a memory file of this process, so that another process can open it. */
	int64_t pid, fd;
	uint64_t device, inode;
	int64_t bytes; /* size of the file; -1: no file */
};

/* Create a sparse file. Return false, with errno, if that fails; file->fd is to be closed in either case unless it is -1. */
bool sr_memory_file_make(struct sr_memory_file *file, int64_t bytes);
/* Map the memory file of another process, or return MAP_FAILED with errno. The file's device and inode are compared with those
 * in `file`, in case the process id belongs to another namespace. */
void *sr_memory_file_map(const struct sr_memory_file *file);

#endif
