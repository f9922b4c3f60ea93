/* Diagnostics: a list of messages with source locations.
 *
 * Library code reports into a list and returns a status; tools print the list. Locations are file, line and column (1-based;
 * line 0: unknown). If the file's text is registered as a source, the line and a caret are printed as well:
 *
 *	model.mlir:3:41: error: 'stablehlo.add' op expected ...
 *	    %0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
 *	                                        ^
 */
#ifndef SR_SUPPORT_DIAG_H
#define SR_SUPPORT_DIAG_H

#include "support/arena.h"
#include <shardrun/status.h>
#include <stdio.h>

enum sr_severity { SR_NOTE, SR_REMARK, SR_WARNING, SR_ERROR };

struct sr_src_loc {
	const char *file; /* path as on the command line, which must outlive the list; NULL: unknown */
	int line, col;
};

struct sr_diag {
	enum sr_severity severity;
	struct sr_src_loc place;
	const char *message;
	struct sr_diag *next;
};

struct sr_source {
	const char *file;
	const char *text; /* the file's text, which is borrowed */
	size_t n;
	struct sr_source *next;
};

struct sr_diags {
	struct sr_arena *arena;
	struct sr_diag *first, **last;
	int n_errors;
	struct sr_source *sources;
};

void sr_diags_init(struct sr_diags *diags, struct sr_arena *arena);
/* Register the text of a file, so that messages can quote its lines. The text is borrowed. */
void sr_diags_add_source(struct sr_diags *diags, const char *file, const char *text, size_t n);
/* Report an error and return `status`, as in: return sr_error(d, SR_INVALID, place, "..."). Nothing is reported if diags is
 * NULL. */
enum sr_status sr_error(struct sr_diags *diags, enum sr_status status, struct sr_src_loc place, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void sr_report(struct sr_diags *diags, enum sr_severity severity, struct sr_src_loc place, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void sr_vreport(struct sr_diags *diags, enum sr_severity severity, struct sr_src_loc place, const char *format, va_list args);
/* Print all messages as "file:line:col: error: message", with the source line and a caret if the text is registered. A tab
 * counts as one column. */
void sr_diags_print(const struct sr_diags *diags, FILE *out);
void sr_diags_clear(struct sr_diags *diags);
/* Move all messages and sources of `source` to the end of `diags`. They stay in the arena of `source`, which must outlive
 * `diags`. */
void sr_diags_splice(struct sr_diags *diags, struct sr_diags *source);
/* Flush a stream; report an error if any data written to it was lost. `name` is used in the message: "standard output". */
enum sr_status sr_flush_stream(struct sr_diags *diags, FILE *out, const char *name);

#endif
