/* --list-ops: print the op table, one line per op. */
#include "driver/driver.h"

static const struct {
	const char *dialect, *name, *signature, *attributes;
} ops[] = {
#define OP(dialect, name, signature, attributes) {#dialect, #name, signature, attributes},
#include "dialect/table/all.ops"
};

void sr_ops_print(struct sr_buf *out)
{
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
		sr_buf_printf(out, "%s.%s (%s)", ops[i].dialect, ops[i].name, ops[i].signature);
		if (*ops[i].attributes)
			sr_buf_printf(out, " {%s}", ops[i].attributes);
		sr_buf_putc(out, '\n');
	}
}
