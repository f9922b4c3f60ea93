/* Serialize option values so that processes can compare them. */
#include "support/knobs/knobs_value.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_name(const struct sr_knob *knob, size_t use, struct sr_buf *out)
{
	sr_buf_printf(out, "--%s", knob->name);
	if (knob->env)
		sr_buf_printf(out, " (or %s)", knob->env);
	if (use)
		sr_buf_printf(out, ", use %zu", use);
	sr_buf_putc(out, '\0');
}

/* Write a number with 17 digits if its short text does not parse back to it. */
static void put_double(double x, const char *text, struct sr_buf *out)
{
	if (strtod(text, NULL) == x || isnan(x))
		sr_buf_puts(out, text);
	else
		sr_buf_printf(out, "%.17g", x);
}

static void put_value(const struct sr_knob *knob, const void *options, struct sr_buf *out)
{
	char buffer[64];
	union sr_knob_value value = sr_knob_field(knob, options);
	const char *text = sr_knob_write(knob, &value, buffer);
	if (knob->type == SR_KNOB_DOUBLE)
		put_double(value.d, text, out);
	else if (knob->type == SR_KNOB_STRING && !value.s)
		sr_buf_puts(out, "not given");
	else if (knob->type == SR_KNOB_STRING)
		sr_buf_printf(out, "'%s'", text);
	else
		sr_buf_puts(out, text);
	sr_buf_putc(out, '\0');
}

void sr_knobs_serialize(const struct sr_knobs *knobs, const void *options, struct sr_buf *out)
{
	for (int i = 0; i < knobs->n; i++) {
		const struct sr_knob *knob = &knobs->rows[i];
		if (knob->may_differ)
			continue;
		if (knob->type != SR_KNOB_LIST) {
			put_name(knob, 0, out);
			put_value(knob, options, out);
			continue;
		}
		const sr_strings_list *list = (const void *)((const char *)options + knob->offset);
		for (size_t k = 0; k < list->n; k++) {
			put_name(knob, k + 1, out);
			sr_buf_printf(out, "'%s'", list->data[k]);
			sr_buf_putc(out, '\0');
		}
	}
}
