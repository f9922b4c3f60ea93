/* Response files: the words of a command line in a file, parted and quoted as a shell's. Internal to knobs. */
#ifndef SR_SUPPORT_RESPONSE_H
#define SR_SUPPORT_RESPONSE_H

#include "support/knobs/knobs.h"

/* Words are parted by blanks and line ends; '...' holds what is in it as it is, "..." too but for \" \\ \$ \`, a backslash the next
 * letter, and one before a line end is none; # where a word would begin opens a comment. SR_USAGE, reported with file and line,
 * where
 * a quote does not end. */
enum sr_status sr_response_split(struct sr_arena *arena, struct sr_diags *diags, const char *file, const char *text, size_t n,
				 sr_strings_list *words);
enum sr_status sr_response_read(struct sr_arena *arena, struct sr_diags *diags, const char *file, sr_strings_list *words);

#endif
