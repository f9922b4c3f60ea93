/* Read and write a machine description: lines `key = value` with the unit in the key; `#` begins a comment. shardbench --calibrate
 * writes one, --machine=FILE reads it. Keys that a text leaves out have the value of the default machine, a fixed text, so that
 * plans do not depend on where they are made.
 *
 *	# 8 ranks on 2 cores
 *	cores_per_node = 2
 *	memory_bytes_per_s = 1.2e10 */
#ifndef SR_COST_MACHINE_TEXT_H
#define SR_COST_MACHINE_TEXT_H

#include "support/buf.h"
#include "support/diag.h"
#include "support/machine.h"

/* Parse a machine description. Return SR_USAGE, reported with its line, for an unknown or repeated key, or a value that is not a
 * number or out of range. After an error *out is unchanged. */
enum sr_status sr_machine_parse(const char *file, const char *text, size_t n, struct sr_diags *diags, struct sr_machine *out);
/* Append a line for every key. Parsing the text gives an equal machine. */
void sr_machine_write(const struct sr_machine *machine, struct sr_buf *out);
void sr_machine_default(struct sr_machine *out);

#endif
