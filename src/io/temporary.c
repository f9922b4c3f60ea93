/* Names that outputs have until they are complete. The list is the process's, as its signal handlers are.
 *
 * A name is taken by making the file, which no other job can then make: two runs that write the same output never write the
 * same file. */
#include "io/temporary.h"
#include "io/file.h"
#include <string.h>
#include <unistd.h>

enum { MOST = 4096 };
static const char *volatile names[MOST]; /* NULL: renamed */
static volatile int n;

enum sr_status sr_temporary_make(struct sr_diags *diags, struct sr_arena *arena, const char *path, int *number)
{
	if (n == MOST)
		return sr_error(diags, SR_USAGE, (struct sr_place){.file = path}, "at most %d files can be written at a time",
				MOST);
	enum sr_status status = sr_file_make_temporary(diags, arena, path, number);
	if (status)
		return status;
	names[n] = sr_file_temporary_name(arena, path, *number);
	n++;
	return SR_OK;
}

enum sr_status sr_temporary_finish(struct sr_diags *diags, struct sr_arena *arena, const char *path, int number)
{
	const char *name = sr_file_temporary_name(arena, path, number);
	enum sr_status status = sr_file_rename(diags, name, sr_file_target(arena, path));
	for (int i = 0; !status && i < n; i++)
		if (names[i] && !strcmp(names[i], name))
			names[i] = NULL;
	while (n && !names[n - 1])
		n--;
	return status;
}

void sr_temporaries_remove(void)
{
	for (int i = 0; i < n; i++)
		if (names[i])
			unlink(names[i]);
	n = 0;
}
