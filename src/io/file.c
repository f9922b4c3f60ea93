/* Positioned reads and writes that retry interrupted and short calls; errors are reported with the file's name. */
#include "io/file.h"
#include "support/checked.h"
#include "support/knobs/suggest.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum sr_status report_errno(struct sr_diags *diags, const char *path, const char *action)
{
	int why = errno;
	const char *suggestion = why == ENOENT ? sr_suggest_file(diags->arena, path) : NULL;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){path}, "cannot %s: %s%s", action, strerror(why),
			sr_suggest_message(diags->arena, suggestion));
}

static int open_retrying(const char *path, int flags)
{
	int fd;
	do
		fd = open(path, flags | O_CLOEXEC, 0666);
	while (fd < 0 && errno == EINTR);
	return fd;
}

static enum sr_status report_not_regular(struct sr_diags *diags, const char *path, mode_t mode)
{
	const char *kind = S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){path},
			"is %s; a regular file is required, since each rank accesses its own part of it", kind);
}

static enum sr_status open_descriptor(struct sr_diags *diags, const char *path, int fd, struct sr_file *file)
{
	struct stat st;
	*file = (struct sr_file){.path = path, .fd = fd};
	if (fd < 0)
		return report_errno(diags, path, "open");
	bool is_known = fstat(fd, &st) == 0;
	if (is_known && S_ISREG(st.st_mode)) {
		file->size = st.st_size;
		return SR_OK;
	}
	close(fd);
	file->fd = -1;
	if (!is_known)
		return report_errno(diags, path, "examine");
	return report_not_regular(diags, path, st.st_mode);
}

/* O_NONBLOCK keeps a named pipe without a peer from blocking the rank; it has no effect on regular files. */
enum sr_status sr_file_open(struct sr_diags *diags, const char *path, struct sr_file *file)
{
	return open_descriptor(diags, path, open_retrying(path, O_RDONLY | O_NONBLOCK), file);
}

enum sr_status sr_file_open_for_writing(struct sr_diags *diags, const char *path, struct sr_file *file)
{
	return open_descriptor(diags, path, open_retrying(path, O_WRONLY), file);
}

enum sr_status sr_file_open_read_write(struct sr_diags *diags, const char *path, struct sr_file *file)
{
	return open_descriptor(diags, path, open_retrying(path, O_RDWR | O_CREAT | O_NONBLOCK), file);
}

enum sr_status sr_file_truncate(struct sr_diags *diags, struct sr_file *file, int64_t size)
{
	if (ftruncate(file->fd, size) != 0)
		return report_errno(diags, file->path, "truncate");
	file->size = size;
	return SR_OK;
}

/* Reserve disk space for the whole file if the file system supports it, otherwise only set its length. */
static int reserve_disk_space(int fd, int64_t size)
{
	int rc;
	do
		rc = size > 0 ? posix_fallocate(fd, 0, size) : 0;
	while (rc == EINTR);
	if (rc == EOPNOTSUPP || rc == EINVAL)
		rc = ftruncate(fd, size) == 0 ? 0 : errno;
	return rc;
}

enum sr_status sr_file_create(struct sr_diags *diags, const char *path, int64_t size, struct sr_file *file)
{
	enum sr_status status = open_descriptor(diags, path, open_retrying(path, O_RDWR | O_CREAT | O_TRUNC | O_NONBLOCK), file);
	if (status)
		return status;
	int rc = reserve_disk_space(file->fd, size);
	if (rc == 0) {
		file->size = size;
		return SR_OK;
	}
	close(file->fd);
	file->fd = -1;
	unlink(path);
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){path}, "cannot write %" PRId64 " bytes: %s", size, strerror(rc));
}

/* Return the number of bytes to transfer in one call: at most 1 GiB, since Linux transfers at most 2 GiB per call. */
static size_t transfer_bytes(int64_t n)
{
	const int64_t limit = 1 << 30;
	return (size_t)(n < limit ? n : limit);
}

enum sr_status sr_file_read_at(struct sr_diags *diags, struct sr_file *file, void *dst, int64_t n, int64_t offset)
{
	char *p = dst;
	int64_t end;
	if (n < 0 || offset < 0 || sr_add_overflows(offset, n, &end))
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){file->path}, "its contents are too large for a file");
	for (int64_t at = offset; at < end;) {
		ssize_t got = pread(file->fd, p, transfer_bytes(end - at), at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return report_errno(diags, file->path, "read");
		if (got == 0)
			return sr_error(diags, SR_USAGE, (struct sr_src_loc){file->path},
					"file ends after %" PRId64 " bytes, %" PRId64 " expected", at, end);
		p += got;
		at += got;
	}
	file->bytes += n;
	file->n_transfers++;
	return SR_OK;
}

enum sr_status sr_file_write_at(struct sr_diags *diags, struct sr_file *file, const void *src, int64_t n, int64_t offset)
{
	const char *p = src;
	int64_t end;
	if (n < 0 || offset < 0 || sr_add_overflows(offset, n, &end))
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){file->path}, "its contents are too large for a file");
	for (int64_t at = offset; at < end;) {
		ssize_t put = pwrite(file->fd, p, transfer_bytes(end - at), at);
		if (put < 0 && errno == EINTR)
			continue;
		if (put == 0)
			errno = ENOSPC;
		if (put <= 0)
			return report_errno(diags, file->path, "write");
		p += put;
		at += put;
	}
	file->bytes += n;
	file->n_transfers++;
	return SR_OK;
}

enum sr_status sr_file_sync(struct sr_diags *diags, struct sr_file *file)
{
	int rc;
	do
		rc = fsync(file->fd);
	while (rc && errno == EINTR);
	return rc && errno != EINVAL ? report_errno(diags, file->path, "flush to disk") : SR_OK;
}

enum sr_status sr_file_close(struct sr_diags *diags, struct sr_file *file)
{
	int fd = file->fd;
	file->fd = -1;
	if (fd >= 0 && close(fd) != 0 && errno != EINTR) /* the descriptor is closed even after EINTR */
		return report_errno(diags, file->path, "finish writing");
	return SR_OK;
}

const char *sr_file_target(struct sr_arena *arena, const char *path)
{
	enum { MAX_LINKS = 40 }; /* maximum number of symbolic links to follow, as in Linux */
	char target[4096];
	for (int i = 0; i < MAX_LINKS; i++) {
		ssize_t n = readlink(path, target, sizeof target);
		const char *name = strrchr(path, '/');
		if (n < 0 || n == sizeof target)
			break;
		path = *target == '/' || !name ? sr_strndup(arena, target, (size_t)n)
					       : sr_printf(arena, "%.*s/%.*s", (int)(name - path), path, (int)n, target);
	}
	return path;
}

const char *sr_file_temporary_name(struct sr_arena *arena, const char *path, int number)
{
	path = sr_file_target(arena, path);
	return number ? sr_printf(arena, "%s.part%d", path, number) : sr_printf(arena, "%s.part", path);
}

enum sr_status sr_file_make_temporary(struct sr_diags *diags, struct sr_arena *arena, const char *path, int *number)
{
	const char *name = path;
	int fd = -1;
	errno = EEXIST;
	for (*number = -1; fd < 0 && errno == EEXIST && *number < 10000;) {
		name = sr_file_temporary_name(arena, path, ++*number);
		fd = open_retrying(name, O_WRONLY | O_CREAT | O_EXCL);
	}
	if (fd < 0)
		return report_errno(diags, name, "open");
	close(fd);
	return SR_OK;
}

enum sr_status sr_file_rename(struct sr_diags *diags, const char *old_path, const char *new_path)
{
	struct stat st;
	if (stat(new_path, &st) == 0 && !S_ISREG(st.st_mode)) /* a device or a pipe must not be replaced by a file */
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){new_path}, "not a regular file");
	if (rename(old_path, new_path) != 0)
		return report_errno(diags, new_path, "rename the finished output");
	return SR_OK;
}

void sr_file_remove(const char *path)
{
	unlink(path);
}
