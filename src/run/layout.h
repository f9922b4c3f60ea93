/* Table of the layouts of a device set: programs that are open on it share equal layouts. A layout records whether some program
 * reads its arrays in place on other devices, so that results of one program are allocated in the memory that another program
 * needs. Any thread may call any function. */
#ifndef SR_RUN_LAYOUT_H
#define SR_RUN_LAYOUT_H

#include "run/array.h"

struct sr_executable;
struct sr_layout_table;

struct sr_layout_table *sr_layout_table_new(void); /* Create a table. Returns NULL if memory runs out. */
void sr_layout_table_free(struct sr_layout_table *table); /* Free the table; `table` may be NULL. Layouts that are in use stay. */
/* Remove the layouts that neither programs nor arrays use. */
void sr_layout_table_trim(struct sr_layout_table *table);
bool sr_layout_table_is_empty(struct sr_layout_table *table);
/* Release the layouts e->layouts, if they were created. */
void sr_executable_release_layouts(struct sr_executable *e);

#endif
