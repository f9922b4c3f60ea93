/* Response files (@FILE): words of a command line stored in a file, separated and quoted as in a shell. Private to knobs. */
#ifndef SR_SUPPORT_RESPONSE_H
#define SR_SUPPORT_RESPONSE_H

#include "support/knobs/knobs.h"

/* Split text into words at blanks and line ends. '...' quotes literally; "..." recognizes \" \\ \$ \`; a backslash escapes the
 * next character, and a backslash before a line end removes both; # at the start of a word begins a comment. Return SR_USAGE,
 * after reporting it with file and line, if a quote is not closed. */
enum sr_status sr_response_split(struct sr_arena *arena, struct sr_diags *diags, const char *file, const char *text, size_t n,
				 sr_strings_list *words);
enum sr_status sr_response_read(struct sr_arena *arena, struct sr_diags *diags, const char *file, sr_strings_list *words);

#endif
