/* The machine as text: lines `key = value`, units in the keys, `#` begins a comment. shardbench --calibrate writes one;
 * --machine=FILE reads it; what a text leaves out is as in the default, one fixed text, so that plans are the same everywhere.
 *
 *	# 8 ranks on 2 cores
 *	cores_per_node = 2
 *	memory_bytes_per_s = 1.2e10
 */
#ifndef SR_COST_MACHINE_TEXT_H
#define SR_COST_MACHINE_TEXT_H

#include "support/buf.h"
#include "support/diag.h"
#include "support/machine.h"

/* SR_USAGE, reported at the line, for an unknown key, one given twice, or a value that is no number or out of range.
 * *out is untouched then. */
enum sr_status sr_machine_parse(const char *file, const char *text, size_t n, struct sr_diags *diags, struct sr_machine *out);
/* Every key, as the text that parses back. */
void sr_machine_write(const struct sr_machine *machine, struct sr_buf *out);
/* The default machine. */
void sr_machine_default(struct sr_machine *out);

#endif
