/* How the printer's other files ask for aliases. */
#ifndef SR_TEXT_ALIASES_H
#define SR_TEXT_ALIASES_H

#include "text/mlir/print/printer.h"

bool sr_is_collecting_aliases(const struct sr_printer *p);
/* While collecting: this location is used, by an op (deferrable) or an argument. */
void sr_visit_location(struct sr_printer *p, const struct sr_attr *loc, bool deferrable);
/* Write the alias where there is one (while collecting: note the use). False: write the thing itself. */
bool sr_print_attr_alias(struct sr_printer *p, const struct sr_attr *a);
bool sr_print_type_alias(struct sr_printer *p, const struct sr_type *t);

#endif
