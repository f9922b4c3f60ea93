/* The process's list of unfinished outputs, shared with its signal handlers.
 *
 * A name is reserved by creating the file exclusively, so that two runs with the same output never write to the same file.
 * Threads change the list under a lock; the signal handler reads it without the lock. */
#include "io/temporary.h"
#include "io/file.h"
#include "support/thread.h"
#include <string.h>
#include <unistd.h>

enum { MAX_FILES = 4096 };
static const char *_Atomic unfinished_names[MAX_FILES]; /* names of unfinished outputs; NULL: unused slot */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Store `name` in an unused slot; return false if there is none. */
static bool add_name(const char *name)
{
	int slot = 0;
	pthread_mutex_lock(&lock);
	while (slot < MAX_FILES && unfinished_names[slot])
		slot++;
	if (slot < MAX_FILES)
		unfinished_names[slot] = name;
	pthread_mutex_unlock(&lock);
	return slot < MAX_FILES;
}

static void remove_name(const char *name)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < MAX_FILES; i++)
		if (unfinished_names[i] && !strcmp(unfinished_names[i], name))
			unfinished_names[i] = NULL;
	pthread_mutex_unlock(&lock);
}

enum sr_status sr_temporary_make(struct sr_diags *diags, struct sr_arena *arena, const char *path, int *number)
{
	enum sr_status status = sr_file_make_temporary(diags, arena, path, number);
	if (status)
		return status;
	const char *name = sr_file_temporary_name(arena, path, *number);
	if (add_name(name))
		return SR_OK;
	unlink(name);
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = path}, "at most %d files can be written at a time", MAX_FILES);
}

enum sr_status sr_temporary_finish(struct sr_diags *diags, struct sr_arena *arena, const char *path, int number)
{
	const char *name = sr_file_temporary_name(arena, path, number);
	enum sr_status status = sr_file_rename(diags, name, sr_file_target(arena, path));
	if (!status)
		remove_name(name);
	return status;
}

void sr_temporary_remove(struct sr_arena *arena, const char *path, int number)
{
	const char *name = sr_file_temporary_name(arena, path, number);
	unlink(name);
	remove_name(name);
}

void sr_temporaries_remove(void)
{
	for (int i = 0; i < MAX_FILES; i++) {
		const char *name = unfinished_names[i];
		if (name)
			unlink(name);
		unfinished_names[i] = NULL;
	}
}
