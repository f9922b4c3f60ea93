/* Compute the key that identifies this node. */
#define _GNU_SOURCE 1
#include "collectives/transport/node_key.h"
#include "support/map.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The key hashes host name and boot id: machines may have equal names, and containers or network namespaces of one machine may
 * have different ones. */
uint64_t sr_node_key(void)
{
	char text[512] = "";
	if (gethostname(text, 256))
		text[0] = 0;
	size_t n = strnlen(text, 256);
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n_read = fd >= 0 ? read(fd, text + n, sizeof text - n) : 0;
	if (fd >= 0)
		close(fd);
	return sr_hash_bytes(text, n + (size_t)(n_read > 0 ? n_read : 0), 0);
}
