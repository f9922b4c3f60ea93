/* Names that outputs have until they are complete. The list is the process's, as its signal handlers are.
 *
 * A name is taken by making the file, which no other job can then make: two runs that write the same output never write the
 * same file. Threads take turns to change the list; the signal handler reads it without the lock. */
#include "io/temporary.h"
#include "io/file.h"
#include "support/thread.h"
#include <string.h>
#include <unistd.h>

enum { MOST = 4096 };
static const char *_Atomic names[MOST]; /* NULL: a free slot */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Put `name` in a free slot; false if there is none. */
static bool enter(const char *name)
{
	int slot = 0;
	pthread_mutex_lock(&lock);
	while (slot < MOST && names[slot])
		slot++;
	if (slot < MOST)
		names[slot] = name;
	pthread_mutex_unlock(&lock);
	return slot < MOST;
}

static void forget(const char *name)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < MOST; i++)
		if (names[i] && !strcmp(names[i], name))
			names[i] = NULL;
	pthread_mutex_unlock(&lock);
}

enum sr_status sr_temporary_make(struct sr_diags *diags, struct sr_arena *arena, const char *path, int *number)
{
	enum sr_status status = sr_file_make_temporary(diags, arena, path, number);
	if (status)
		return status;
	const char *name = sr_file_temporary_name(arena, path, *number);
	if (enter(name))
		return SR_OK;
	unlink(name);
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = path}, "at most %d files can be written at a time", MOST);
}

enum sr_status sr_temporary_finish(struct sr_diags *diags, struct sr_arena *arena, const char *path, int number)
{
	const char *name = sr_file_temporary_name(arena, path, number);
	enum sr_status status = sr_file_rename(diags, name, sr_file_target(arena, path));
	if (!status)
		forget(name);
	return status;
}

void sr_temporary_remove(struct sr_arena *arena, const char *path, int number)
{
	const char *name = sr_file_temporary_name(arena, path, number);
	unlink(name);
	forget(name);
}

void sr_temporaries_remove(void)
{
	for (int i = 0; i < MOST; i++) {
		const char *name = names[i];
		if (name)
			unlink(name);
		names[i] = NULL;
	}
}
