/* Memory files, which other processes open through /proc/PID/fd. */
#define _GNU_SOURCE 1
#include "collectives/transport/memory_file.h"
#include "support/large_pages.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool sr_memory_file_make(struct sr_memory_file *file, int64_t bytes)
{
	struct stat s;
	*file = (struct sr_memory_file){.pid = getpid(), .fd = memfd_create("shardrun", MFD_CLOEXEC), .bytes = -1};
	if (file->fd < 0 || ftruncate((int)file->fd, bytes) || fstat((int)file->fd, &s))
		return false;
	file->device = s.st_dev;
	file->inode = s.st_ino;
	file->bytes = bytes;
	return true;
}

/* Map a file at an address at which it can have large pages. */
static void *map_aligned(int fd, size_t bytes)
{
	void *at = sr_reserve_addresses(bytes);
	void *data = at ? mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, 0) : MAP_FAILED;
	if (at && data == MAP_FAILED)
		munmap(at, bytes);
	return data;
}

void *sr_memory_file_map(const struct sr_memory_file *file)
{
	char path[64];
	struct stat s;
	void *data = MAP_FAILED;
	snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)file->pid, (long long)file->fd);
	errno = 0;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &s) && s.st_dev == file->device && s.st_ino == file->inode)
		data = map_aligned(fd, (size_t)file->bytes);
	int error = fd >= 0 && data == MAP_FAILED && !errno ? ESTALE : errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return data;
}
