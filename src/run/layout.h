/* The layouts of a device set: programs that are open on it share equal ones. A layout remembers whether some program reads its
 * arrays in place on other devices, so that the results of one program have the memory that another one reads. Any thread may
 * call any function. */
#ifndef SR_RUN_LAYOUT_H
#define SR_RUN_LAYOUT_H

#include "run/array.h"

struct sr_executable;
struct sr_layout_table;

struct sr_layout_table *sr_layout_table_new(void); /* NULL: memory runs out */
void sr_layout_table_free(struct sr_layout_table *table); /* NULL is allowed; layouts that are in use stay */
/* Forget layouts that neither programs nor arrays use. */
void sr_layout_table_trim(struct sr_layout_table *table);
bool sr_layout_table_is_empty(struct sr_layout_table *table);
/* Release e->layouts, if they were made. */
void sr_executable_release_layouts(struct sr_executable *e);

#endif
