/* Writing of inspected values as .npy files. */
#include "exec/probes/dump_values.h"
#include "io/output.h"
#include "support/buf.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Return the file name of an inspected value: its number in execution order, op and loop iterations, "00012_dot_general",
 * "00030_add_i2", "00031_add_i2_0". */
static const char *path_of(const char *folder, size_t number, const struct sr_program *p, const struct sr_probe *probe,
			   const struct sr_probe_event *at, struct sr_arena *arena)
{
	const char *op = sr_program_string(p, probe->op), *dot = strrchr(op, '.');
	struct sr_buf out;
	sr_buf_init(&out, arena);
	sr_buf_printf(&out, "%s/%05zu_%s", folder, number, dot ? dot + 1 : op);
	for (int i = 0; i < at->depth && i < SR_PROBE_MAX_DEPTH; i++)
		sr_buf_printf(&out, "%s%lld", i ? "_" : "_i", (long long)at->iterations[i]);
	sr_buf_puts(&out, ".npy");
	return sr_buf_string(&out);
}

static void add_line(const struct sr_program *p, const struct sr_probe *probe, const struct sr_probe_event *at, const char *path,
		     struct sr_buf *out)
{
	sr_buf_printf(out, "%s\t%s\t%s\t%s\t%s\t%s\t", strrchr(path, '/') + 1, sr_program_string(p, probe->op),
		      sr_program_string(p, probe->name), sr_program_string(p, probe->io.type), sr_program_string(p, probe->place),
		      sr_program_string(p, probe->source_name));
	for (int i = 0; i < at->depth && i < SR_PROBE_MAX_DEPTH; i++)
		sr_buf_printf(out, "%s%lld", i ? "," : "", (long long)at->iterations[i]);
	sr_buf_putc(out, '\n');
}

/* Write the shards of the i-th event's value that this rank's devices hold; an element is written by the first device that holds
 * it. */
static enum sr_status write_shards(const struct sr_spool *s, size_t i, const struct sr_probe *probe, const struct sr_output *output,
				   struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = s->e->program;
	enum sr_status status = SR_OK;
	for (int k = 0; !status && k < s->e->n_devices; k++) {
		int64_t device = s->e->devices[k].id;
		const struct sr_spool_record *r = sr_spool_at(s, k, i);
		struct sr_device_slice slice = sr_program_slice(p, &probe->io, device);
		if (!sr_program_is_first_holder(p, &probe->io, device))
			continue;
		char *data = sr_alloc(arena, (size_t)r->bytes + 1, 1);
		status = sr_spool_read(s, k, r, data, diags);
		if (!status)
			status = sr_output_write(diags, arena, output, slice.start, slice.size, slice.local, data);
	}
	return status;
}

static enum sr_status write_value(const struct sr_spool *s, size_t i, const struct sr_probe_event *at, const char *folder,
				  struct sr_buf *list, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = s->e->program;
	struct sr_launch *l = &s->e->client->launch;
	const struct sr_probe *probe = sr_probe_find(p, at->id);
	const char *path = path_of(folder, i, p, probe, at, arena);
	struct sr_output output = {path, (enum sr_dtype)probe->io.dtype, probe->io.rank, sr_program_ids(p) + probe->io.shape, 0};
	enum sr_status status = sr_launch_agree(l, l->rank ? SR_OK : sr_outputs_create(diags, arena, &output, 1), diags);
	if (!status)
		sr_launch_broadcast(l, &output.number, sizeof output.number);
	if (!status)
		status = sr_launch_agree(l, write_shards(s, i, probe, &output, arena, diags), diags);
	if (!status)
		status = sr_launch_agree(l, l->rank ? SR_OK : sr_outputs_finish(diags, arena, &output, 1), diags);
	if (status)
		sr_outputs_remove(arena, &output, 1);
	else if (!l->rank)
		add_line(p, probe, at, path, list);
	return status;
}

static enum sr_status make_folder(const char *folder, struct sr_diags *diags)
{
	if (mkdir(folder, 0777) && errno != EEXIST)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = folder}, "cannot be created: %s", strerror(errno));
	return SR_OK;
}

static enum sr_status write_list(const char *folder, const struct sr_buf *list, struct sr_arena *arena, struct sr_diags *diags)
{
	const char *path = sr_printf(arena, "%s/values.tsv", folder);
	FILE *out = fopen(path, "w");
	bool is_written = out && fputs("file\top\tname\ttype\tplace\tlocation\titerations\n", out) >= 0 &&
		    fwrite(list->data, 1, list->n, out) == list->n;
	if ((out && fclose(out)) || !is_written)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = path}, "cannot be written: %s", strerror(errno));
	return SR_OK;
}

enum sr_status sr_dump_write(const struct sr_spool *s, const char *folder, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_launch *l = &s->e->client->launch;
	struct sr_arena *scratch = sr_arena_scratch(arena);
	struct sr_buf list;
	uint64_t n;
	sr_buf_init(&list, arena);
	const struct sr_probe_event *moments = sr_spool_events(s, arena, &n);
	enum sr_status status = sr_launch_agree(l, l->rank ? SR_OK : make_folder(folder, diags), diags);
	for (uint64_t i = 0; !status && i < n; i++) {
		struct sr_arena_position mark = sr_arena_mark(scratch);
		status = write_value(s, i, &moments[i], folder, &list, scratch, diags);
		sr_arena_release(scratch, mark);
	}
	return status ? status : sr_launch_agree(l, l->rank ? SR_OK : write_list(folder, &list, arena, diags), diags);
}
