/* Files and messages about a compilation. In the name of a file %m stands for the program's name and %n for the number of the
 * compilation in this process that writes files, 0001, 0002, ... */
#include "driver/driver.h"
#include "driver/plan_summary.h"
#include "pjrt/settings.h"
#include "support/json.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static enum sr_status write_file(const char *path, const struct sr_buf *text, struct sr_diags *diags)
{
	FILE *file = fopen(path, "w");
	bool ok = file && fwrite(text->data, 1, text->n, file) == text->n;
	int error = errno;
	if (file && fclose(file)) {
		error = ok ? errno : error;
		ok = false;
	}
	return ok ? SR_OK : sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = path}, "cannot be written: %s", strerror(error));
}

/* Expand %m and %n in the name of a file. */
static const char *expand_file_name(const char *pattern, const char *name, int number, struct sr_arena *arena)
{
	struct sr_buf path;
	sr_buf_init(&path, arena);
	for (; *pattern; pattern++) {
		if (pattern[0] == '%' && pattern[1] == 'n')
			sr_buf_printf(&path, "%04d", number);
		for (const char *c = name; pattern[0] == '%' && pattern[1] == 'm' && *c; c++)
			sr_buf_putc(&path, isalnum((unsigned char)*c) || strchr("_-.", *c) ? *c : '_');
		if (pattern[0] == '%' && (pattern[1] == 'n' || pattern[1] == 'm'))
			pattern++;
		else
			sr_buf_putc(&path, *pattern);
	}
	return sr_buf_string(&path);
}

static void make_report(const struct sr_compiled *c, struct sr_arena *arena, struct sr_buf *out)
{
	struct sr_json json;
	sr_json_init(&json, out);
	sr_report_plan(&json, c->program, &c->times, arena);
	if (c->candidates.n)
		sr_report_candidates(&json, &c->candidates);
	sr_json_close(&json);
	sr_buf_putc(out, '\n');
}

static void make_summary(const struct sr_compiled *c, const char *name, struct sr_arena *arena, struct sr_buf *out)
{
	const struct sr_program *p = c->program;
	sr_buf_printf(out, "shardrun: %s: mesh ", name);
	sr_program_mesh_text(p, out);
	sr_buf_printf(out, "; %d device%s; planned %lld bytes per device; compiled in %.6f s\n", p->n_devices, p->n_devices == 1 ? "" : "s",
		      (long long)(p->argument_bytes + p->output_bytes - p->alias_bytes + p->temp_bytes), c->times.total_s);
	if (c->candidates.n)
		sr_candidates_print(&c->candidates, arena, out);
	sr_plan_replicated_print(p, true, out);
	sr_plan_details_print(p, arena, out);
}

enum sr_status sr_pjrt_write_outputs(const struct sr_pjrt_settings *s, const struct sr_compiled *c, const char *name, const struct sr_buf *page,
				     struct sr_arena *arena, struct sr_diags *diags)
{
	static _Atomic int n_written;
	struct sr_buf text;
	enum sr_status status = SR_OK;
	int file_number = s->report || s->html ? ++n_written : 0;
	sr_buf_init(&text, arena);
	if (s->report) {
		make_report(c, arena, &text);
		status = write_file(expand_file_name(s->report, name, file_number, arena), &text, diags);
	}
	if (!status && s->html)
		status = write_file(expand_file_name(s->html, name, file_number, arena), page, diags);
	if (!status && s->verbose) {
		sr_diags_print(diags, stderr); /* prints the compilation's warnings and notes */
		sr_buf_init(&text, arena);
		make_summary(c, name, arena, &text);
		sr_buf_write(&text, stderr);
	}
	return status;
}
