/* Folders with POSIX calls; errors are reported with the folder's name. */
#include "io/folder.h"
#include "support/vec.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum sr_status report_failure(struct sr_diags *diags, const char *path, const char *action)
{
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){path}, "cannot %s: %s", action, strerror(errno));
}

enum sr_status sr_folder_make(struct sr_diags *diags, const char *path)
{
	struct stat st;
	if (!mkdir(path, 0777))
		return SR_OK;
	if (errno != EEXIST)
		return report_failure(diags, path, "make the folder");
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return SR_OK;
	errno = ENOTDIR;
	return report_failure(diags, path, "make the folder");
}

enum sr_status sr_folder_sync(struct sr_diags *diags, const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_flushed = fd >= 0 && (!fsync(fd) || errno == EINVAL); /* some file systems return EINVAL for fsync on a folder */
	enum sr_status status = is_flushed ? SR_OK : report_failure(diags, path, "flush the folder to disk");
	if (fd >= 0)
		close(fd);
	return status;
}

enum sr_status sr_folder_rename(struct sr_diags *diags, const char *old_path, const char *new_path)
{
	return rename(old_path, new_path) ? report_failure(diags, new_path, "rename the finished folder") : SR_OK;
}

void sr_folder_remove(const char *path)
{
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(path);
}

static int compare_by_name(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

enum sr_status sr_folder_list(struct sr_diags *diags, struct sr_arena *arena, const char *path, const char ***names, int64_t *n)
{
	SR_VEC(const char *) found = {0};
	DIR *dir = opendir(path);
	if (!dir)
		return report_failure(diags, path, "read the folder");
	for (struct dirent *entry; (entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			sr_push(arena, &found, sr_strdup(arena, entry->d_name));
	closedir(dir);
	if (found.n)
		qsort(found.data, found.n, sizeof *found.data, compare_by_name);
	*names = found.data;
	*n = (int64_t)found.n;
	return SR_OK;
}
